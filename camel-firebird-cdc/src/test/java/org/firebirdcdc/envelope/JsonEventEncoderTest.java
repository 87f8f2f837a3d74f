package org.firebirdcdc.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.firebirdcdc.envelope.SampleTable.numeric;
import static org.firebirdcdc.envelope.Samples.after;
import static org.firebirdcdc.envelope.Samples.before;
import static org.firebirdcdc.envelope.Samples.delete;
import static org.firebirdcdc.envelope.Samples.encoder;
import static org.firebirdcdc.envelope.Samples.insert;
import static org.firebirdcdc.envelope.Samples.key;
import static org.firebirdcdc.envelope.Samples.keyText;
import static org.firebirdcdc.envelope.Samples.update;
import static org.firebirdcdc.envelope.Samples.value;
import static org.firebirdcdc.envelope.Samples.valueText;

import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.record.TimeZones;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.DdlTables;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.DdlEvent;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.RawEvent;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonEventEncoderTest {

    private static final SampleTable T = SampleTable.table("T")
            .notNull("ID", SampleTable.INTEGER)
            .column("NAME", SampleTable.varchar(20))
            .key("ID");

    @Nested
    class Keys {

        @Test
        void anUpdateThatKeepsTheKeyIsOneRecord() {
            JsonEventEncoder encoder = encoder();
            ChangeEvent event = update(encoder, T.oldRow(1, "a"), T.newRow(1, "b"));

            List<EncodedRecord> records = encoder.records(event);

            assertThat(records).hasSize(1);
            assertThat(records.get(0).topic()).isEqualTo("fb.T");
            assertThat(records.get(0).id()).isEqualTo(Samples.ID);
            assertThat(records.get(0).headers())
                    .containsExactly(Map.entry("firebird.cdc.id", Samples.ID), Map.entry("firebird.cdc.format", "1"));
            assertThat(keyText(records.get(0))).isEqualTo("{\"ID\":1}");
            assertThat(valueText(records.get(0)))
                    .startsWith("{\"before\":{\"ID\":1,\"NAME\":\"a\"},\"after\":{\"ID\":1,\"NAME\":\"b\"},")
                    .contains("\"op\":\"u\"");
        }

        @Test
        void anUpdateThatChangesTheKeyIsADeleteATombstoneAndACreate() {
            JsonEventEncoder encoder = encoder();
            ChangeEvent event = update(encoder, T.oldRow(1, "a"), T.newRow(2, "a"));

            List<EncodedRecord> records = encoder.records(event);

            assertThat(records).hasSize(3);
            EncodedRecord delete = records.get(0);
            assertThat(keyText(delete)).isEqualTo("{\"ID\":1}");
            assertThat(valueText(delete))
                    .startsWith("{\"before\":{\"ID\":1,\"NAME\":\"a\"},\"after\":null,")
                    .contains("\"op\":\"d\"");
            assertThat(delete.id()).isEqualTo(Samples.ID);
            assertThat(delete.headers()).containsEntry("__debezium.newkey", "{\"ID\":2}");
            EncodedRecord tombstone = records.get(1);
            assertThat(keyText(tombstone)).isEqualTo("{\"ID\":1}");
            assertThat(tombstone.value()).isEmpty();
            assertThat(tombstone.id()).isEqualTo(Samples.ID + "/1");
            assertThat(tombstone.headers()).containsOnly(Map.entry("firebird.cdc.id", Samples.ID + "/1"));
            EncodedRecord create = records.get(2);
            assertThat(keyText(create)).isEqualTo("{\"ID\":2}");
            assertThat(valueText(create))
                    .startsWith("{\"before\":null,\"after\":{\"ID\":2,\"NAME\":\"a\"},")
                    .contains("\"op\":\"c\"");
            assertThat(create.id()).isEqualTo(Samples.ID + "/2");
            assertThat(create.headers())
                    .containsEntry("__debezium.oldkey", "{\"ID\":1}")
                    .containsEntry("firebird.cdc.id", Samples.ID + "/2");
        }

        @Test
        void aKeyUpdateAsOneRecordIsAnUpdateUnderTheNewKey() {
            JsonEventEncoder encoder = encoder();
            ChangeEvent event = update(encoder, T.oldRow(1, "a"), T.newRow(2, "a"));

            assertThat(key(event, encoder)).isEqualTo("{\"ID\":2}");
            assertThat(value(event, encoder))
                    .startsWith("{\"before\":{\"ID\":1,\"NAME\":\"a\"},\"after\":{\"ID\":2,\"NAME\":\"a\"},")
                    .contains("\"op\":\"u\"");

            JsonEventEncoder single = encoder("keyUpdates", "single");
            List<EncodedRecord> records = single.records(event);
            assertThat(records).hasSize(1);
            assertThat(keyText(records.get(0))).isEqualTo("{\"ID\":2}");
            assertThat(records.get(0).value()).hasValue(encoder.value(event));
        }

        @Test
        void identitiesOfRecordsDoNotDependOnTombstones() {
            JsonEventEncoder encoder = encoder("tombstones", "false");

            List<EncodedRecord> records = encoder.records(update(encoder, T.oldRow(1, "a"), T.newRow(2, "a")));

            assertThat(records).extracting(EncodedRecord::id).containsExactly(Samples.ID, Samples.ID + "/2");
            assertThat(encoder.records(delete(encoder, T.oldRow(1, "a")))).hasSize(1);
        }

        @Test
        void aKeyThatOnlyDiffersInMeaninglessBytesIsTheSameKey() {
            SampleTable table = SampleTable.table("Z")
                    .notNull("AT", SampleTable.TIMESTAMP_TZ)
                    .key("AT");
            byte[] old = SampleTable.timestampTz(LocalDateTime.of(2024, 2, 29, 1, 2), 1439);
            byte[] padding = old.clone();
            padding[10] ^= 0x7F;
            JsonEventEncoder encoder = encoder();

            assertThat(encoder.records(update(encoder, table.oldRow((Object) old), table.newRow((Object) padding))))
                    .hasSize(1);
        }

        @Test
        void keysAreComparedAsTheyGoOut() {
            SampleTable table =
                    SampleTable.table("C").notNull("C", SampleTable.DECFLOAT16).key("C");
            // 1.0 and 1.00: two values, one number
            Row one = table.oldRow((Object) HexFormat.of().parseHex("1000000000003422"));
            Row same = table.newRow((Object) HexFormat.of().parseHex("8000000000003022"));
            JsonEventEncoder text = encoder();
            JsonEventEncoder number = encoder("decimals", "double");

            assertThat(text.records(update(text, one, same))).hasSize(3);
            assertThat(number.records(update(number, one, same))).hasSize(1);
        }

        @Test
        void aTableWithoutKeyHasNoKeyNoTombstoneAndNoSplitUpdate() {
            SampleTable table = SampleTable.table("N").column("ID", SampleTable.INTEGER);
            JsonEventEncoder encoder = encoder();

            assertThat(encoder.key(insert(encoder, table.newRow(1)))).isEmpty();
            assertThat(encoder.records(delete(encoder, table.oldRow(1)))).hasSize(1);
            assertThat(encoder.records(update(encoder, table.oldRow(1), table.newRow(2))))
                    .singleElement()
                    .satisfies(record -> assertThat(record.key()).isEmpty());
        }

        @Test
        void switchedOffKeysAreAbsentEverywhere() {
            JsonEventEncoder encoder = encoder("keyEnabled", "false", "transactionMetadata", "true");

            assertThat(encoder.key(insert(encoder, T.newRow(1, "a")))).isEmpty();
            assertThat(encoder.records(update(encoder, T.oldRow(1, "a"), T.newRow(2, "a"))))
                    .hasSize(1);
            assertThat(encoder.begin(Samples.transaction(Map.of())).get(0).key())
                    .isEmpty();
        }

        @Test
        void fieldsOfACompositeKeyStandInKeyOrder() {
            SampleTable table = SampleTable.table("K")
                    .notNull("A", SampleTable.INTEGER)
                    .notNull("B", SampleTable.varchar(5))
                    .key("B", "A");
            JsonEventEncoder encoder = encoder();

            assertThat(key(insert(encoder, table.newRow(1, "x")), encoder)).isEqualTo("{\"B\":\"x\",\"A\":1}");
        }

        @Test
        void keyColumnsReplaceTheKeyOfTheirTableOnly() {
            JsonEventEncoder encoder = encoder("keyColumns", "T:NAME,ID");
            SampleTable other =
                    SampleTable.table("U").notNull("ID", SampleTable.INTEGER).key("ID");

            assertThat(key(insert(encoder, T.newRow(1, "n")), encoder)).isEqualTo("{\"NAME\":\"n\",\"ID\":1}");
            assertThat(key(insert(encoder, other.newRow(1)), encoder)).isEqualTo("{\"ID\":1}");
        }

        @Test
        void keyColumnsOfATableInASchemaNameTheSchema() {
            SampleTable table = new SampleTable(new ObjectName("S", "T")).column("C", SampleTable.INTEGER);
            JsonEventEncoder encoder = encoder("keyColumns", "S.T:C");

            assertThat(key(insert(encoder, table.newRow(5)), encoder)).isEqualTo("{\"C\":5}");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "T:NOPE | keyColumns names column NOPE, which the table does not have; its columns are ID, NAME",
                    "B:B    | keyColumns names column B, a blob or array"
                })
        void keyColumnsThatCannotBeAreAnErrorOnceTheTableIsMet(String keyColumns, String problem) {
            SampleTable blobs = SampleTable.table("B").column("B", SampleTable.TEXT_BLOB);
            JsonEventEncoder encoder = encoder("keyColumns", keyColumns);
            Row row = keyColumns.startsWith("T") ? T.newRow(1, "a") : blobs.newRow((Object) null);

            assertThatExceptionOfType(EncodeException.class)
                    .isThrownBy(() -> encoder.records(insert(encoder, row)))
                    .withMessageStartingWith("segment 1, offset 78, table " + keyColumns.charAt(0) + ": " + problem)
                    .satisfies(e -> assertThat(e.position()).isEqualTo(Samples.POSITION));
        }
    }

    @Nested
    class Values {

        @Test
        void notANumberAndInfinitiesAreStrings() {
            SampleTable table = SampleTable.table("F")
                    .column("D1", SampleTable.DOUBLE)
                    .column("D2", SampleTable.DOUBLE)
                    .column("D3", SampleTable.DOUBLE)
                    .column("D4", SampleTable.DOUBLE)
                    .column("F1", SampleTable.FLOAT)
                    .column("F2", SampleTable.FLOAT);
            Row row = table.newRow(
                    Double.NaN,
                    Double.POSITIVE_INFINITY,
                    Double.NEGATIVE_INFINITY,
                    -0.0,
                    Float.NaN,
                    Float.NEGATIVE_INFINITY);

            assertThat(after(row))
                    .isEqualTo("{\"D1\":\"NaN\",\"D2\":\"Infinity\",\"D3\":\"-Infinity\",\"D4\":-0.0,\"F1\":\"NaN\","
                            + "\"F2\":\"-Infinity\"}");
        }

        @Test
        void doublesAreTheShortestTextOnAnyJava() {
            // Java before 19 prints 1.9999999999999998E23
            Row row = SampleTable.table("F").column("D", SampleTable.DOUBLE).newRow(2.0E23);

            assertThat(after(row)).isEqualTo("{\"D\":2.0E23}");
        }

        @ParameterizedTest
        @CsvSource({
            "precise, 568ee2c1b934fd25, '\"1.234567890123456\"'",
            "string, 568ee2c1b934fd25, '\"1.234567890123456\"'",
            "double, 568ee2c1b934fd25, 1.234567890123456",
            "precise, 000000000000007c, '\"NaN\"'",
            "precise, 000000000000007e, '\"sNaN\"'",
            "precise, 00000000000000f8, '\"-Infinity\"'",
            "double, 000000000000007c, '\"NaN\"'",
            "double, 00000000000000f8, '\"-Infinity\"'"
        })
        void decFloatIsTextUnlessNumbersAreAskedFor(String decimals, String hex, String json) {
            Row row = SampleTable.table("D").column("D", SampleTable.DECFLOAT16).newRow((Object)
                    HexFormat.of().parseHex(hex));

            assertThat(after(row, "decimals", decimals)).isEqualTo("{\"D\":" + json + "}");
        }

        @ParameterizedTest
        @CsvSource({
            "precise, '{\"A\":\"/w==\",\"B\":\"AIA=\",\"C\":\"gAAAAAAAAAAAAAAAAAAAAA==\"}'",
            "string, '{\"A\":\"-0.01\",\"B\":\"128\",\"C\":\"-17014118346046923173168730371588410572.8\"}'",
            "double, '{\"A\":-0.01,\"B\":128.0,\"C\":-1.7014118346046924E37}'"
        })
        void decimalsOfEachStorageFollowTheMode(String decimals, String expected) {
            Row row = SampleTable.table("D")
                    .column("A", numeric(DataType.SMALLINT, 2, -2, 4))
                    .column("B", numeric(DataType.INTEGER, 4, 0, 9))
                    .column("C", numeric(DataType.INT128, 16, -1, 38))
                    .newRow(-1, 128, BigInteger.TWO.pow(127).negate());

            assertThat(after(row, "decimals", decimals)).isEqualTo(expected);
        }

        @Test
        void integersAndDialect1DecimalsAreNumbersInEveryMode() {
            Row row = SampleTable.table("D")
                    .column("I", SampleTable.BIGINT)
                    .column("N", new ValueType(DataType.DOUBLE, 8, 0, 1, 15, 0, 0))
                    .newRow(Long.MIN_VALUE, 1234.56);

            for (DecimalMode mode : DecimalMode.values()) {
                assertThat(after(row, "decimals", mode.text())).isEqualTo("{\"I\":-9223372036854775808,\"N\":1234.56}");
            }
        }

        @Test
        void textIsEscapedAndKeepsItsCharacters() {
            SampleTable table =
                    SampleTable.table("X").column("U", SampleTable.varchar(20)).column("W", SampleTable.cyrillic(8));

            assertThat(after(table.newRow("a\"\\\n\u0001/é€😀", "Привет")))
                    .isEqualTo("{\"U\":\"a\\\"\\\\\\n\\u0001/é€😀\",\"W\":\"Привет  \"}");
            assertThat(after(table.newRow("", "a"))).isEqualTo("{\"U\":\"\",\"W\":\"a       \"}");
        }

        @Test
        void trimCharCutsBlanksOfCharAndNothingElse() {
            SampleTable table = SampleTable.table("X")
                    .column("C", SampleTable.character(5))
                    .column("W", SampleTable.cyrillic(8))
                    .column("V", SampleTable.varchar(5))
                    .array("A", SampleTable.character(3), 1);
            Row row =
                    table.newRow(Map.of(7L, table.arrayContent("A", new int[] {2}, "a", "b c")), "ab", "да", "x  ", 7L);

            assertThat(after(row, "trimChar", "true"))
                    .isEqualTo("{\"C\":\"ab\",\"W\":\"да\",\"V\":\"x  \",\"A\":[\"a\",\"b c\"]}");
            assertThat(after(row))
                    .isEqualTo("{\"C\":\"ab   \",\"W\":\"да      \",\"V\":\"x  \",\"A\":[\"a  \",\"b c\"]}");
        }

        @Test
        void regionsAreGivenAsOffsetsOrInFirebirdsForm() {
            int kyiv = zoneId("Europe/Kyiv");
            Row row = SampleTable.table("Z")
                    .column("T", SampleTable.TIME_TZ)
                    .column("S", SampleTable.TIMESTAMP_TZ)
                    .newRow(
                            SampleTable.timeTz(LocalTime.of(8, 11, 12), kyiv),
                            SampleTable.timestampTz(LocalDateTime.of(2024, 7, 1, 22, 0), kyiv));

            assertThat(after(row)).isEqualTo("{\"T\":\"10:11:12+02:00\",\"S\":\"2024-07-02T01:00:00+03:00\"}");
            assertThat(after(row, "times", "firebird"))
                    .isEqualTo("{\"T\":\"10:11:12.0000 Europe/Kyiv\",\"S\":\"2024-07-02 01:00:00.0000 Europe/Kyiv\"}");
        }

        @Test
        void aTimestampThatNanosecondsCannotHoldNamesItsColumn() {
            Row row = SampleTable.table("Z")
                    .column("AT", SampleTable.TIMESTAMP)
                    .newRow(LocalDateTime.of(9999, 12, 31, 0, 0));

            assertThatExceptionOfType(EncodeException.class)
                    .isThrownBy(() -> after(row, "times", "nanoseconds"))
                    .withMessageContaining("segment 1, offset 78, table Z: column AT: times=nanoseconds");
        }

        @Test
        void columnsStandInPositionOrderAndNullIsNull() {
            assertThat(after(T.newRow(1, null))).isEqualTo("{\"ID\":1,\"NAME\":null}");
        }

        @Test
        void arraysAreNestedAndTheirElementsFollowTheModes() {
            SampleTable table = SampleTable.table("A")
                    .array("M", numeric(DataType.INTEGER, 4, -2, 9), 2)
                    .array("D", SampleTable.DATE, 1)
                    .array("S", SampleTable.TIMESTAMP, 1);
            Map<Long, byte[]> contents = Map.of(
                    1L, table.arrayContent("M", new int[] {2, 3}, 100, 200, 300, 400, 500, -1),
                    2L, table.arrayContent("D", new int[] {1}, LocalDate.of(2024, 2, 29)),
                    3L,
                            table.arrayContent(
                                    "S", new int[] {1}, LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_900_000)));

            assertThat(after(table.newRow(contents, 1L, 2L, 3L), "decimals", "string", "times", "isostring"))
                    .isEqualTo("{\"M\":[[\"1.00\",\"2.00\",\"3.00\"],[\"4.00\",\"5.00\",\"-0.01\"]],"
                            + "\"D\":[\"2024-02-29Z\"],\"S\":[\"1969-12-31T23:59:59.9999Z\"]}");
            assertThat(after(table.newRow(contents, 1L, 2L, 3L), "decimals", "double"))
                    .isEqualTo("{\"M\":[[1.0,2.0,3.0],[4.0,5.0,-0.01]],\"D\":[19782],\"S\":[-100]}");
        }

        @Test
        void arraysOfEveryElementTypeHaveTheFormOfTheColumnsType() {
            SampleTable table = SampleTable.table("A")
                    .array("A", SampleTable.SMALLINT, 1)
                    .array("B", SampleTable.BIGINT, 1)
                    .array("C", SampleTable.INT128, 1)
                    .array("D", SampleTable.FLOAT, 1)
                    .array("E", SampleTable.DOUBLE, 1)
                    .array("F", SampleTable.BOOLEAN, 1)
                    .array("G", SampleTable.DECFLOAT16, 1)
                    .array("H", SampleTable.TIME, 1)
                    .array("I", SampleTable.TIME_TZ, 1)
                    .array("J", SampleTable.TIMESTAMP_TZ, 1)
                    .array("K", SampleTable.varbinary(4), 1)
                    .array("L", SampleTable.varchar(4), 1)
                    .array("M", numeric(DataType.INT128, 16, -1, 38), 1);
            Object[] elements = {
                (short) 5,
                6L,
                BigInteger.TEN,
                1.5f,
                Double.NaN,
                true,
                HexFormat.of().parseHex("568ee2c1b934fd25"),
                LocalTime.of(1, 2),
                SampleTable.timeTz(LocalTime.of(1, 2), 1439),
                SampleTable.timestampTz(LocalDateTime.of(2024, 2, 29, 1, 2), 1439),
                new byte[] {1, -1},
                "ä",
                BigInteger.ONE
            };
            Map<Long, byte[]> contents = new HashMap<>();
            Object[] ids = new Object[elements.length];
            for (int i = 0; i < elements.length; i++) {
                ids[i] = (long) i + 1;
                contents.put(i + 1L, table.arrayContent(String.valueOf((char) ('A' + i)), new int[] {1}, elements[i]));
            }

            assertThat(after(table.newRow(contents, ids)))
                    .isEqualTo("{\"A\":[5],\"B\":[6],\"C\":[\"Cg==\"],\"D\":[1.5],\"E\":[\"NaN\"],\"F\":[true],"
                            + "\"G\":[\"1.234567890123456\"],\"H\":[3720000000],\"I\":[\"01:02:00Z\"],"
                            + "\"J\":[\"2024-02-29T01:02:00Z\"],\"K\":[\"Af8=\"],\"L\":[\"ä\"],\"M\":[\"AQ==\"]}");
        }
    }

    @Nested
    class FbStreaming {

        @Test
        void aChangeHasItsForm() {
            JsonEventEncoder encoder = encoder("profile", "fb-streaming");
            SampleTable table = SampleTable.table("CUSTOMERS")
                    .notNull("ID", SampleTable.INTEGER)
                    .column("N", numeric(DataType.BIGINT, 8, -4, 18))
                    .column("D", SampleTable.DATE)
                    .column("T", SampleTable.TIME)
                    .column("S", SampleTable.TIMESTAMP)
                    .column("C", SampleTable.character(5))
                    .column("B", SampleTable.varbinary(4))
                    .column("X", SampleTable.TEXT_BLOB)
                    .key("ID");
            LocalDateTime moment = LocalDateTime.of(2024, 2, 29, 12, 34, 56, 123_400_000);
            Object[] values = {
                1,
                -12_345_600,
                moment.toLocalDate(),
                moment.toLocalTime(),
                moment,
                "ab",
                new byte[] {(byte) 0xAB, 1},
                5L
            };
            String columns = "{\"ID\":1,\"N\":\"-1234.5600\",\"D\":\"2024-02-29\",\"T\":\"12:34:56.1234\","
                    + "\"S\":\"2024-02-29 12:34:56.1234\",\"C\":\"ab\",\"B\":\"ab01\",\"X\":";
            ChangeEvent event =
                    update(encoder, table.oldRow(values), table.newRow(Map.of(5L, new byte[] {'h', 'i'}), values));

            EncodedRecord record = encoder.records(event).get(0);

            assertThat(record.topic()).isEqualTo("fb.cdc");
            assertThat(keyText(record)).isEqualTo("{\"ID\":1}");
            assertThat(valueText(record))
                    .isEqualTo("{\"before\":" + columns + "null},\"after\":" + columns + "\"hi\"},\"source\":"
                            + "{\"dbguid\":\"{9D66A972-E132-4E74-B7DA-08D64DB2B0E1}\",\"sequence\":1,"
                            + "\"filename\":\"test.journal-000000001\",\"table\":\"CUSTOMERS\",\"tnx\":200,"
                            + "\"ts_ms\":1711288254908},\"op\":\"u\",\"ts_ms\":1711288255056}");
        }

        @Test
        void aDeleteIsOneRecordAndAKeyUpdateToo() {
            JsonEventEncoder encoder = encoder("profile", "fb-streaming");

            assertThat(encoder.records(delete(encoder, T.oldRow(1, "a")))).hasSize(1);
            assertThat(encoder.records(update(encoder, T.oldRow(1, "a"), T.newRow(2, "a"))))
                    .singleElement()
                    .satisfies(record -> {
                        assertThat(keyText(record)).isEqualTo("{\"ID\":2}");
                        assertThat(valueText(record)).contains("\"op\":\"u\"");
                    });
        }

        @Test
        void transactionsHaveNumbersAsIds() {
            JsonEventEncoder encoder = encoder("profile", "fb-streaming", "transactionMetadata", "true");

            assertThat(value(insert(encoder, T.newRow(1, "a")), encoder))
                    .endsWith(",\"op\":\"c\",\"ts_ms\":1711288255056,"
                            + "\"transaction\":{\"id\":200,\"total_order\":1,\"data_collection_order\":1}}");
            EncodedRecord end = encoder.end(Samples.transaction(Map.of(ObjectName.of("CUSTOMERS"), 2L)))
                    .get(0);
            assertThat(end.topic()).isEqualTo("fb.transaction");
            assertThat(keyText(end)).isEqualTo("{\"id\":200}");
            assertThat(valueText(end))
                    .isEqualTo("{\"status\":\"END\",\"id\":200,\"ts_ms\":1711288254908,\"event_count\":2,"
                            + "\"data_collections\":[{\"data_collection\":\"fbstreaming.cdc.CUSTOMERS\","
                            + "\"event_count\":2}]}");
        }

        @Test
        void schemasCarryItsNamesAndNoVersions() {
            JsonEventEncoder encoder = encoder("profile", "fb-streaming", "keySchema", "true", "valueSchema", "true");
            String columns =
                    "{\"type\":\"struct\",\"fields\":[{\"type\":\"int32\",\"optional\":false,\"field\":\"ID\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"field\":\"NAME\"}],\"optional\":true,"
                            + "\"name\":\"fbstreaming.T.Value\",\"field\":";

            EncodedRecord record =
                    encoder.records(insert(encoder, T.newRow(1, "a"))).get(0);

            assertThat(keyText(record))
                    .isEqualTo("{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"int32\",\"optional\":false,"
                            + "\"field\":\"ID\"}],\"optional\":false,\"name\":\"fbstreaming.T.Key\"},"
                            + "\"payload\":{\"ID\":1}}");
            assertThat(valueText(record))
                    .startsWith("{\"schema\":{\"type\":\"struct\",\"fields\":[" + columns + "\"before\"}," + columns
                            + "\"after\"},{\"type\":\"struct\",\"fields\":["
                            + "{\"type\":\"string\",\"optional\":false,\"field\":\"dbguid\"},"
                            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"sequence\"},"
                            + "{\"type\":\"string\",\"optional\":false,\"field\":\"filename\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"field\":\"table\"},"
                            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"tnx\"},"
                            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"ts_ms\"}],\"optional\":false,"
                            + "\"name\":\"fbstreaming.Source\",\"field\":\"source\"},"
                            + "{\"type\":\"string\",\"optional\":false,\"field\":\"op\"},"
                            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"ts_ms\"}],\"optional\":false,"
                            + "\"name\":\"fbstreaming.T.Envelope\"},\"payload\":{\"before\":null,");
        }

        @Test
        void transactionSchemasGoWithTheBlock() {
            JsonEventEncoder encoder =
                    encoder("profile", "fb-streaming", "valueSchema", "true", "transactionMetadata", "true");

            assertThat(value(insert(encoder, T.newRow(1, "a")), encoder))
                    .contains(
                            "{\"type\":\"struct\",\"fields\":[{\"type\":\"int64\",\"optional\":false,\"field\":\"id\"},"
                                    + "{\"type\":\"int64\",\"optional\":false,\"field\":\"total_order\"},"
                                    + "{\"type\":\"int64\",\"optional\":false,\"field\":\"data_collection_order\"}],"
                                    + "\"optional\":true,\"name\":\"event.block\",\"field\":\"transaction\"}");
        }
    }

    @Nested
    class Schemas {

        @Test
        void eachTypeHasItsSchema() {
            SampleTable table = SampleTable.table("S")
                    .column("A", SampleTable.BOOLEAN)
                    .column("B", SampleTable.SMALLINT)
                    .column("C", SampleTable.FLOAT)
                    .column("D", SampleTable.DOUBLE)
                    .column("E", SampleTable.INT128)
                    .column("F", SampleTable.DECFLOAT16)
                    .column("G", SampleTable.DATE)
                    .column("H", SampleTable.TIME)
                    .column("I", SampleTable.TIME_TZ)
                    .column("J", SampleTable.TIMESTAMP_TZ)
                    .column("K", SampleTable.varbinary(3))
                    .column("L", SampleTable.BINARY_BLOB)
                    .notNull("M", SampleTable.TEXT_BLOB)
                    .array("N", SampleTable.INTEGER, 2);

            assertThat(columnSchemas(table))
                    .isEqualTo("{\"type\":\"boolean\",\"optional\":true,\"field\":\"A\"},"
                            + "{\"type\":\"int16\",\"optional\":true,\"field\":\"B\"},"
                            + "{\"type\":\"float\",\"optional\":true,\"field\":\"C\"},"
                            + "{\"type\":\"double\",\"optional\":true,\"field\":\"D\"},"
                            + "{\"type\":\"bytes\",\"optional\":true,"
                            + "\"name\":\"org.apache.kafka.connect.data.Decimal\",\"version\":1,"
                            + "\"parameters\":{\"scale\":\"0\",\"connect.decimal.precision\":\"38\"},\"field\":\"E\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"field\":\"F\"},"
                            + "{\"type\":\"int32\",\"optional\":true,\"name\":\"io.debezium.time.Date\",\"version\":1,"
                            + "\"field\":\"G\"},"
                            + "{\"type\":\"int64\",\"optional\":true,\"name\":\"io.debezium.time.MicroTime\","
                            + "\"version\":1,\"field\":\"H\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"name\":\"io.debezium.time.ZonedTime\","
                            + "\"version\":1,\"field\":\"I\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"name\":\"io.debezium.time.ZonedTimestamp\","
                            + "\"version\":1,\"field\":\"J\"},"
                            + "{\"type\":\"bytes\",\"optional\":true,\"field\":\"K\"},"
                            + "{\"type\":\"bytes\",\"optional\":true,\"field\":\"L\"},"
                            + "{\"type\":\"string\",\"optional\":false,\"field\":\"M\"},"
                            + "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"int32\","
                            + "\"optional\":true},\"optional\":true},\"optional\":true,\"field\":\"N\"}");
        }

        @ParameterizedTest
        @CsvSource({
            "adaptive,                   int32 io.debezium.time.Date, int64 io.debezium.time.MicroTime, int64 io.debezium.time.MicroTimestamp",
            "adaptive_time_microseconds, int32 io.debezium.time.Date, int64 io.debezium.time.MicroTime, int64 io.debezium.time.MicroTimestamp",
            "microseconds,               int32 io.debezium.time.Date, int64 io.debezium.time.MicroTime, int64 io.debezium.time.MicroTimestamp",
            "nanoseconds,                int32 io.debezium.time.Date, int64 io.debezium.time.NanoTime, int64 io.debezium.time.NanoTimestamp",
            "connect,                    int32 org.apache.kafka.connect.data.Date, int32 org.apache.kafka.connect.data.Time, int64 org.apache.kafka.connect.data.Timestamp",
            "isostring,                  string io.debezium.time.IsoDate, string io.debezium.time.IsoTime, string io.debezium.time.IsoTimestamp"
        })
        void timesHaveTheSchemasOfTheirMode(String mode, String date, String time, String timestamp) {
            SampleTable table = SampleTable.table("S")
                    .column("D", SampleTable.DATE)
                    .column("T", SampleTable.TIME)
                    .column("S", SampleTable.TIMESTAMP);

            assertThat(columnSchemas(table, "times", mode))
                    .isEqualTo(named(date, "D") + "," + named(time, "T") + "," + named(timestamp, "S"));
        }

        private String named(String typeAndName, String field) {
            String[] parts = typeAndName.split(" ");
            return "{\"type\":\"" + parts[0] + "\",\"optional\":true,\"name\":\"" + parts[1]
                    + "\",\"version\":1,\"field\":\"" + field + "\"}";
        }

        @Test
        void textAndNumberModesHaveTheirTypes() {
            SampleTable table = SampleTable.table("S")
                    .column("N", numeric(DataType.BIGINT, 8, -4, 18))
                    .column("F", SampleTable.DECFLOAT16)
                    .column("B", SampleTable.BINARY_BLOB)
                    .column("Z", SampleTable.TIMESTAMP_TZ);

            assertThat(columnSchemas(table, "decimals", "string", "binary", "hex", "times", "firebird"))
                    .isEqualTo("{\"type\":\"string\",\"optional\":true,\"field\":\"N\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"field\":\"F\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"field\":\"B\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"field\":\"Z\"}");
            assertThat(columnSchemas(table, "decimals", "double"))
                    .startsWith("{\"type\":\"double\",\"optional\":true,\"field\":\"N\"},"
                            + "{\"type\":\"double\",\"optional\":true,\"field\":\"F\"},");
        }

        @Test
        void whatMayBeMissingIsOptionalWhereItsPlaceIsTakenByNull() {
            SampleTable table = SampleTable.table("S").notNull("B", SampleTable.TEXT_BLOB);

            assertThat(columnSchemas(table, "unavailableValue", "null"))
                    .isEqualTo("{\"type\":\"string\",\"optional\":true,\"field\":\"B\"}");
        }

        @Test
        void anAlteredTableHasItsFormatAsVersionOfTheRowSchemaAndAsHeader() {
            SampleTable table =
                    SampleTable.table("T").column("ID", SampleTable.INTEGER).format(3);
            JsonEventEncoder encoder = encoder("valueSchema", "true");

            EncodedRecord record =
                    encoder.records(insert(encoder, table.newRow(1))).get(0);

            assertThat(valueText(record))
                    .contains("\"name\":\"fb.T.Value\",\"version\":3,\"field\":\"before\"}")
                    .contains("\"name\":\"fb.T.Value\",\"version\":3,\"field\":\"after\"}");
            assertThat(record.headers()).containsEntry("firebird.cdc.format", "3");
        }

        @Test
        void namesOfTablesInSchemasAreQualified() {
            SampleTable table = new SampleTable(new ObjectName("S", "T")).column("ID", SampleTable.INTEGER);
            JsonEventEncoder encoder = encoder("valueSchema", "true");

            EncodedRecord record =
                    encoder.records(insert(encoder, table.newRow(1))).get(0);

            assertThat(record.topic()).isEqualTo("fb.S.T");
            assertThat(valueText(record))
                    .contains("\"name\":\"fb.S.T.Envelope\",\"version\":2")
                    .contains("\"schema\":\"S\",\"table\":\"T\",");
        }

        private String columnSchemas(SampleTable table, String... namesAndValues) {
            List<String> options = new ArrayList<>(List.of(namesAndValues));
            options.addAll(List.of("valueSchema", "true"));
            JsonEventEncoder encoder = encoder(options.toArray(String[]::new));
            Object[] nulls = new Object[table.version().columns().size()];
            String value = value(insert(encoder, table.newRow(nulls)), encoder);
            String start = "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"struct\",\"fields\":[";
            assertThat(value).startsWith(start);
            return value.substring(start.length(), value.indexOf("],\"optional\":true,\"name\":\"fb.S.Value\""));
        }
    }

    @Nested
    class RawRecords {

        @Test
        void anUndecodableRecordIsGivenAsHexWithItsCause() {
            JsonEventEncoder encoder = encoder();
            RawEvent event = raw(encoder);

            EncodedRecord record = encoder.records(event).get(0);

            assertThat(record.topic()).isEqualTo("fb.raw");
            assertThat(record.key()).isEmpty();
            assertThat(record.id()).isEqualTo(Samples.ID);
            assertThat(valueText(record))
                    .startsWith(
                            "{\"raw\":{\"before\":null,\"after\":\"00ff10\"},\"error\":\"no format of \\\"T\\\" has 3 "
                                    + "bytes\",\"source\":{\"version\":\"1.0.0\",")
                    .endsWith("\"txId\":200},\"op\":\"c\",\"ts_ms\":1711288255056}")
                    .contains("\"schema\":null,\"table\":\"T\",");
        }

        @Test
        void itHasASchemaToo() {
            JsonEventEncoder encoder = encoder("valueSchema", "true");

            assertThat(value(raw(encoder), encoder))
                    .startsWith("{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"struct\",\"fields\":["
                            + "{\"type\":\"string\",\"optional\":true,\"field\":\"before\"},"
                            + "{\"type\":\"string\",\"optional\":true,\"field\":\"after\"}],\"optional\":false,"
                            + "\"name\":\"io.debezium.connector.firebird.RawImages\",\"version\":1,\"field\":\"raw\"},")
                    .contains(
                            "\"name\":\"io.debezium.connector.firebird.RawValue\",\"version\":1},\"payload\":{\"raw\":");
        }

        private RawEvent raw(JsonEventEncoder encoder) {
            return new RawEvent(
                    Samples.TRANSACTION,
                    Samples.POSITION,
                    1,
                    Operation.INSERT,
                    ObjectName.of("T"),
                    Optional.empty(),
                    Optional.of(new byte[] {0, (byte) 0xFF, 0x10}),
                    "no format of \"T\" has 3 bytes",
                    encoder);
        }
    }

    @Test
    void withoutANameOfTheDatabaseThatOfTheSegmentTellsIt() {
        JsonEventEncoder encoder = new JsonEventEncoder(
                EnvelopeOptions.of(Map.of("topicPrefix", "fb")), "", Samples.CLOCK, "1.0.0", DdlTables.NONE);

        assertThat(value(insert(encoder, T.newRow(1, "a")), encoder)).contains("\"db\":\"test\"");
        EncodedRecord ddl = encoder.records(
                        new DdlEvent(Samples.TRANSACTION, Samples.POSITION, 1, "SYSDBA", "", "DROP TABLE T", encoder))
                .get(0);
        assertThat(keyText(ddl)).isEqualTo("{\"databaseName\":\"test\"}");
        assertThat(valueText(ddl)).contains("\"db\":\"test\"", "\"databaseName\":\"test\"");
    }

    @Test
    void bytesDoNotDependOnTimeZoneAndLocale() {
        Row row = SampleTable.table("I_TABLE")
                .column("I", SampleTable.BIGINT)
                .column("N", numeric(DataType.BIGINT, 8, -4, 18))
                .column("D", SampleTable.DATE)
                .column("S", SampleTable.TIMESTAMP)
                .column("Z", SampleTable.TIMESTAMP_TZ)
                .column("B", SampleTable.varbinary(4))
                .newRow(
                        1234567,
                        -12_345_600,
                        LocalDate.of(2024, 2, 29),
                        LocalDateTime.of(2024, 2, 29, 1, 2),
                        SampleTable.timestampTz(LocalDateTime.of(2024, 2, 29, 1, 2), 1259),
                        new byte[] {1, 2});
        List<String> atHome = forms(row);
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Shanghai"));
            assertThat(forms(row)).isEqualTo(atHome);
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(forms(row)).isEqualTo(atHome);
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
    }

    private static List<String> forms(Row row) {
        List<String> forms = new ArrayList<>();
        for (TimeMode times : TimeMode.values()) {
            for (DecimalMode decimals : DecimalMode.values()) {
                JsonEventEncoder encoder = encoder(
                        "times", times.text(), "decimals", decimals.text(), "binary", "hex", "valueSchema", "true");
                forms.add(value(insert(encoder, row), encoder));
            }
        }
        return forms;
    }

    @Test
    void manyThreadsGetTheBytesOfOne() throws Exception {
        JsonEventEncoder encoder = encoder();
        List<ChangeEvent> events = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ChangeEvent event = insert(encoder, T.newRow(i, "n".repeat(i % 20)));
            events.add(event);
            expected.add(value(event, encoder));
        }
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<List<String>>> results = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                results.add(threads.submit(() ->
                        events.stream().map(event -> value(event, encoder)).toList()));
            }
            for (Future<List<String>> result : results) {
                assertThat(result.get()).isEqualTo(expected);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void moreVersionsOfTablesThanAreKeptComeOutRight() {
        JsonEventEncoder encoder = encoder();
        for (int i = 0; i < 2_500; i++) {
            SampleTable table = SampleTable.table("T").column("C" + i, SampleTable.INTEGER);

            assertThat(value(insert(encoder, table.newRow(i)), encoder))
                    .startsWith("{\"before\":null,\"after\":{\"C" + i + "\":" + i + "},");
        }
        assertThat(value(insert(encoder, T.newRow(1, "a")), encoder)).contains("\"after\":{\"ID\":1,\"NAME\":\"a\"}");
    }

    @Test
    void anEventThatFailsLeavesNothingBehindForTheNext() {
        SampleTable table =
                SampleTable.table("Z").column("ID", SampleTable.INTEGER).column("AT", SampleTable.TIMESTAMP);
        JsonEventEncoder encoder = encoder("times", "nanoseconds");

        assertThatExceptionOfType(EncodeException.class)
                .isThrownBy(() -> encoder.value(insert(encoder, table.newRow(1, LocalDateTime.of(1, 1, 1, 0, 0)))));

        assertThat(value(insert(encoder, table.newRow(2, null)), encoder))
                .startsWith("{\"before\":null,\"after\":{\"ID\":2,\"AT\":null},\"source\":");
    }

    @Test
    void theOldRowIsThatOfTheDelete() {
        assertThat(before(T.oldRow(1, "a"))).isEqualTo("{\"ID\":1,\"NAME\":\"a\"}");
    }

    private static int zoneId(String name) {
        return IntStream.rangeClosed(64_000, 65_535)
                .filter(id -> TimeZones.builtIn()
                        .zone(id)
                        .filter(zone -> zone.name().equals(name))
                        .isPresent())
                .findFirst()
                .orElseThrow();
    }
}
