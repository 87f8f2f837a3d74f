package org.firebirdcdc.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.journal.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeOptionsTest {

    @Test
    void theDefaultsAreThoseOfDebezium() {
        EnvelopeOptions options = EnvelopeOptions.defaults();

        assertThat(options.profile()).isEqualTo(Profile.DEBEZIUM);
        assertThat(options.envelope()).isEqualTo(EnvelopeForm.DEBEZIUM);
        assertThat(options.topicPrefix()).isEqualTo("firebird");
        assertThat(options.logicalName()).isEqualTo("firebird");
        assertThat(options.topicPattern().resolve("p", ObjectName.of("T"))).isEqualTo("p.T");
        assertThat(options.topicPattern().resolve("p", new ObjectName("S", "T")))
                .isEqualTo("p.S.T");
        assertThat(options.transactionTopic().resolve("p")).isEqualTo("p.transaction");
        assertThat(options.decimals()).isEqualTo(DecimalMode.PRECISE);
        assertThat(options.times()).isEqualTo(TimeMode.ADAPTIVE);
        assertThat(options.binary()).isEqualTo(BinaryMode.BYTES);
        assertThat(options.keyEnabled()).isTrue();
        assertThat(options.keySchema()).isFalse();
        assertThat(options.valueSchema()).isFalse();
        assertThat(options.keyColumns()).isEqualTo(KeyColumns.NONE);
        assertThat(options.keyUpdates()).isEqualTo(KeyUpdate.SPLIT);
        assertThat(options.tombstones()).isTrue();
        assertThat(options.unavailableValue()).isEqualTo(Optional.of("__debezium_unavailable_value"));
        assertThat(options.trimChar()).isFalse();
        assertThat(options.transactionMetadata()).isFalse();
        assertThat(options.includeBlobs()).isTrue();
        assertThat(options.blobInlineLimit()).isEqualTo(4 * 1024 * 1024);
        assertThat(options.blobOverflow()).isEqualTo(BlobOverflow.FAIL);
    }

    @Test
    void theFbStreamingProfileChangesDefaultsOnly() {
        EnvelopeOptions options = EnvelopeOptions.of(Map.of("profile", "fb-streaming", "topicPrefix", "fb"));

        assertThat(options.envelope()).isEqualTo(EnvelopeForm.FB_STREAMING);
        assertThat(options.topicPattern().resolve("fb", ObjectName.of("T"))).isEqualTo("fb.cdc");
        assertThat(options.transactionTopic().resolve("fb")).isEqualTo("fb.transaction");
        assertThat(options.logicalName()).isEqualTo("fbstreaming");
        assertThat(options.decimals()).isEqualTo(DecimalMode.STRING);
        assertThat(options.times()).isEqualTo(TimeMode.FIREBIRD);
        assertThat(options.binary()).isEqualTo(BinaryMode.HEX);
        assertThat(options.keyUpdates()).isEqualTo(KeyUpdate.SINGLE);
        assertThat(options.tombstones()).isFalse();
        assertThat(options.unavailableValue()).isEmpty();
        assertThat(options.trimChar()).isTrue();
    }

    @Test
    void everyKnobCanBeSetAloneUnderAnyProfile() {
        EnvelopeOptions options = EnvelopeOptions.of(Map.ofEntries(
                Map.entry("profile", "fb-streaming"),
                Map.entry("envelope", "debezium"),
                Map.entry("logicalName", "l"),
                Map.entry("topicPrefix", "p"),
                Map.entry("topicPattern", "x.${table}"),
                Map.entry("transactionTopic", "tx"),
                Map.entry("decimals", "double"),
                Map.entry("times", "connect"),
                Map.entry("binary", "base64"),
                Map.entry("keyEnabled", "false"),
                Map.entry("keySchema", "true"),
                Map.entry("valueSchema", "true"),
                Map.entry("keyColumns", "T:A"),
                Map.entry("keyUpdates", "split"),
                Map.entry("tombstones", "true"),
                Map.entry("unavailableValue", "gone"),
                Map.entry("trimChar", "false"),
                Map.entry("transactionMetadata", "true"),
                Map.entry("includeBlobs", "false"),
                Map.entry("blobInlineLimit", "64KB"),
                Map.entry("blobOverflow", "truncate")));

        assertThat(options.envelope()).isEqualTo(EnvelopeForm.DEBEZIUM);
        assertThat(options.logicalName()).isEqualTo("l");
        assertThat(options.topicPattern().resolve("p", ObjectName.of("T"))).isEqualTo("x.T");
        assertThat(options.transactionTopic().resolve("p")).isEqualTo("tx");
        assertThat(options.decimals()).isEqualTo(DecimalMode.DOUBLE);
        assertThat(options.times()).isEqualTo(TimeMode.CONNECT);
        assertThat(options.binary()).isEqualTo(BinaryMode.BASE64);
        assertThat(options.keyEnabled()).isFalse();
        assertThat(options.keySchema()).isTrue();
        assertThat(options.valueSchema()).isTrue();
        assertThat(options.keyColumns()).isEqualTo(KeyColumns.parse("T:A"));
        assertThat(options.keyUpdates()).isEqualTo(KeyUpdate.SPLIT);
        assertThat(options.tombstones()).isTrue();
        assertThat(options.unavailableValue()).isEqualTo(Optional.of("gone"));
        assertThat(options.trimChar()).isFalse();
        assertThat(options.transactionMetadata()).isTrue();
        assertThat(options.includeBlobs()).isFalse();
        assertThat(options.blobInlineLimit()).isEqualTo(65536);
        assertThat(options.blobOverflow()).isEqualTo(BlobOverflow.TRUNCATE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    profile         | debezium, fb-streaming
                    envelope        | debezium, fb-streaming
                    decimals        | precise, string, double
                    times           | adaptive, adaptive_time_microseconds, connect, isostring, microseconds, nanoseconds, firebird
                    binary          | bytes, base64, base64-url-safe, hex
                    keyUpdates      | split, single
                    blobOverflow    | fail, truncate, placeholder
                    tombstones      | true, false
                    trimChar        | true, false
                    keySchema       | true, false
                    """)
    void eachListedValueIsTakenAndAnUnknownOneIsAnsweredWithTheList(String name, String allowed) {
        for (String value : allowed.split(", ")) {
            assertThat(EnvelopeOptions.of(Map.of(name, value))).hasToString("{" + name + "=" + value + "}");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnvelopeOptions.of(Map.of(name, "whatever")))
                .withMessageContaining(name + "=whatever")
                .withMessageEndingWith(": " + allowed);
    }

    @Test
    void anUnknownNameIsAnsweredWithAllNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnvelopeOptions.of(Map.of("decimal", "string")))
                .withMessageContaining("decimal is not")
                .withMessageContaining(String.join(", ", EnvelopeOptions.names()));
    }

    @Test
    void settingOneOptionKeepsTheOthers() {
        EnvelopeOptions options =
                EnvelopeOptions.defaults().with("topicPrefix", "fb").with("decimals", "string");

        assertThat(options.topicPrefix()).isEqualTo("fb");
        assertThat(options.decimals()).isEqualTo(DecimalMode.STRING);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "65536, 65536", "7 KB, 7168", "3MB, 3145728", "3mb, 3145728", "12B, 12", "512MB, 536870912"})
    void sizesHaveUnits(String text, long bytes) {
        assertThat(EnvelopeOptions.of(Map.of("blobInlineLimit", text)).blobInlineLimit())
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "4XB", "1.5MB", "513MB", "9999999999GB", "99999999999999999999"})
    void sizesThatAreNoneAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnvelopeOptions.of(Map.of("blobInlineLimit", text)))
                .withMessageContaining("blobInlineLimit=" + text);
    }

    @Test
    void theWordNullStandsForJsonNull() {
        assertThat(EnvelopeOptions.of(Map.of("unavailableValue", "null")).unavailableValue())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"${prefix}.${tabel}", "$[schema].x", "${}", ""})
    void topicPatternsWithUnknownPlacesAreRefused(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnvelopeOptions.of(Map.of("topicPattern", pattern)))
                .withMessageContaining("topicPattern");
    }

    @Test
    void theTransactionTopicHasNoTable() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnvelopeOptions.of(Map.of("transactionTopic", "${prefix}.${table}")))
                .withMessageContaining("${table} is not known");
    }

    @Test
    void anEmptyPrefixIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnvelopeOptions.of(Map.of("topicPrefix", " ")))
                .withMessageContaining("topicPrefix");
    }

    @Test
    void keyColumnsAreReadByTable() {
        KeyColumns columns = KeyColumns.parse("T:A, B;S.T2:C;");

        assertThat(columns.of(ObjectName.of("T")))
                .hasValueSatisfying(names -> assertThat(names).containsExactly("A", "B"));
        assertThat(columns.of(new ObjectName("S", "T2")))
                .hasValueSatisfying(names -> assertThat(names).containsExactly("C"));
        assertThat(columns.of(ObjectName.of("OTHER"))).isEmpty();
        assertThat(columns).hasToString("T:A,B;S.T2:C");
    }

    @Test
    void aTableInASchemaIsNotMeantByItsBareName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyColumns.parse("T:A").of(new ObjectName("S", "T")))
                .withMessageContaining("write S.T");
    }

    @ParameterizedTest
    @ValueSource(strings = {"T", "T:", ":A", "T:A,,B", "T:A;T:B"})
    void malformedKeyColumnsAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyColumns.parse(text))
                .withMessageContaining("keyColumns");
    }
}
