package org.firebirdcdc.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.firebirdcdc.journal.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicNamesTest {

    private final List<String> logged = new ArrayList<>();
    private final AbstractAppender appender =
            new AbstractAppender("recording", null, null, false, Property.EMPTY_ARRAY) {
                @Override
                public void append(LogEvent event) {
                    logged.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
                }
            };

    @BeforeEach
    void record() {
        appender.start();
        Configurator.setLevel(TopicNames.class, Level.WARN);
        ((Logger) LogManager.getLogger(TopicNames.class)).addAppender(appender);
    }

    @AfterEach
    void stopRecording() {
        ((Logger) LogManager.getLogger(TopicNames.class)).removeAppender(appender);
    }

    @ParameterizedTest
    @CsvSource({
        "CUSTOMERS, fb.CUSTOMERS",
        "a.b-c_d9, fb.a.b-c_d9",
        "A$B, fb.A_B",
        "my tab, fb.my_tab",
        "TÄB, fb.T_B",
        "${schema}, fb.__schema_"
    })
    void charactersThatKafkaRefusesBecomeUnderscores(String table, String topic) {
        assertThat(names(Map.of()).of(ObjectName.of(table))).isEqualTo(topic);
    }

    @Test
    void aTopicIsCutAt249Characters() {
        TopicNames names = names(Map.of("topicPrefix", "p".repeat(230)));

        assertThat(names.of(ObjectName.of("T".repeat(63)))).isEqualTo("p".repeat(230) + "." + "T".repeat(18));
    }

    @Test
    void aTopicIsNeverOneOrTwoDots() {
        assertThat(names(Map.of("topicPattern", "${table}")).of(ObjectName.of(".")))
                .isEqualTo("_");
        assertThat(names(Map.of("topicPattern", "${table}")).of(ObjectName.of("..")))
                .isEqualTo("__");
    }

    @Test
    void schemasAreInTheTopicWhereThereAreSchemas() {
        assertThat(names(Map.of()).of(new ObjectName("S", "T"))).isEqualTo("fb.S.T");
        assertThat(names(Map.of("topicPattern", "x-${schema}-${table}")).of(ObjectName.of("T")))
                .isEqualTo("x--T");
    }

    @Test
    void thePatternsOfKafkaCdcPluginAreUnderstood() {
        assertThat(names(Map.of("topicPattern", "$[topicPrefix].cdc.$[tableName]"))
                        .of(ObjectName.of("T")))
                .isEqualTo("fb.cdc.T");
    }

    @Test
    void tablesThatShareATopicAreReportedOnce() {
        TopicNames names = names(Map.of());

        names.of(ObjectName.of("A_B"));
        assertThat(logged).isEmpty();
        names.of(ObjectName.of("A$B"));
        names.of(ObjectName.of("A$B"));
        names.of(ObjectName.of("A_B"));

        assertThat(logged).singleElement().satisfies(message -> assertThat(message)
                .startsWith("WARN table A$B shares topic fb.A_B with table A_B"));
    }

    @Test
    void aTableThatSharesTheTopicOfOtherRecordsIsReported() {
        names(Map.of()).of(ObjectName.of("transaction"));

        assertThat(logged).singleElement().satisfies(message -> assertThat(message)
                .contains("table transaction shares topic fb.transaction with the transaction records"));
    }

    @Test
    void aChangedNameIsReportedOnce() {
        TopicNames names = names(Map.of());

        names.of(ObjectName.of("my tab"));
        names.of(ObjectName.of("my tab"));

        assertThat(logged)
                .containsExactly("WARN \"fb.my tab\" is not a valid topic name: table my tab goes to topic fb.my_tab");
    }

    @Test
    void oneTopicForAllTablesIsNoCollision() {
        TopicNames names = names(Map.of("profile", "fb-streaming"));

        assertThat(names.of(ObjectName.of("A"))).isEqualTo("fb.cdc");
        assertThat(names.of(ObjectName.of("B"))).isEqualTo("fb.cdc");
        assertThat(logged).isEmpty();
    }

    private static TopicNames names(Map<String, String> texts) {
        EnvelopeOptions options = EnvelopeOptions.of(texts);
        return new TopicNames(texts.containsKey("topicPrefix") ? options : options.with("topicPrefix", "fb"));
    }
}
