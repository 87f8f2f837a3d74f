package org.firebirdcdc.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.firebirdcdc.envelope.SampleTable.numeric;
import static org.firebirdcdc.envelope.Samples.OUR_SOURCE_FIELDS;
import static org.firebirdcdc.envelope.Samples.delete;
import static org.firebirdcdc.envelope.Samples.encoder;
import static org.firebirdcdc.envelope.Samples.insert;
import static org.firebirdcdc.envelope.Samples.key;
import static org.firebirdcdc.envelope.Samples.keyText;
import static org.firebirdcdc.envelope.Samples.value;
import static org.firebirdcdc.envelope.Samples.valueText;

import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.ChangedTable;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.Table;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.DdlEvent;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.SequenceValue;
import org.junit.jupiter.api.Test;

/** Records byte for byte as Debezium's own classes and Kafka's converter write them (formats.md 2.1 to 2.4). */
class GoldenRecordsTest {

    private static final int PLUS_THREE_HOURS = 1439 + 180;

    private static final SampleTable ALL_TYPES = SampleTable.table("ALLTYPES")
            .notNull("ID", SampleTable.BIGINT)
            .column("F_BOOL", SampleTable.BOOLEAN)
            .column("F_SMALL", SampleTable.SMALLINT)
            .column("F_INT", SampleTable.INTEGER)
            .column("F_FLOAT", SampleTable.FLOAT)
            .column("F_DBL", SampleTable.DOUBLE)
            .column("F_NUM", numeric(DataType.BIGINT, 8, -4, 18))
            .column("F_I128", SampleTable.INT128)
            .column("F_DATE", SampleTable.DATE)
            .column("F_TIME", SampleTable.TIME)
            .column("F_TS", SampleTable.TIMESTAMP)
            .column("F_TTZ", SampleTable.TIME_TZ)
            .column("F_TSTZ", SampleTable.TIMESTAMP_TZ)
            .column("F_CHAR", SampleTable.character(5))
            .column("F_VC", SampleTable.varchar(20))
            .column("F_BIN", SampleTable.varbinary(10))
            .key("ID");

    private static final Row ROW = ALL_TYPES.newRow(
            1,
            true,
            7,
            42,
            1.5f,
            2.25,
            -12_345_600,
            BigInteger.TWO.pow(127).subtract(BigInteger.ONE),
            LocalDate.of(2024, 2, 29),
            LocalTime.of(12, 34, 56, 123_400_000),
            LocalDateTime.of(2024, 2, 29, 12, 34, 56, 123_400_000),
            SampleTable.timeTz(LocalTime.of(9, 34, 56, 123_400_000), PLUS_THREE_HOURS),
            SampleTable.timestampTz(LocalDateTime.of(2024, 2, 29, 9, 34, 56, 123_400_000), PLUS_THREE_HOURS),
            "ab",
            "Grüße",
            new byte[] {0, 1, (byte) 0xFF});

    private static final String COLUMNS_START =
            "{\"ID\":1,\"F_BOOL\":true,\"F_SMALL\":7,\"F_INT\":42,\"F_FLOAT\":1.5,\"F_DBL\":2.25,";
    private static final String PRECISE_ADAPTIVE_BYTES = COLUMNS_START
            + "\"F_NUM\":\"/0OfAA==\",\"F_I128\":\"f////////////////////w==\",\"F_DATE\":19782,\"F_TIME\":45296123400,"
            + "\"F_TS\":1709210096123400,\"F_TTZ\":\"12:34:56.1234+03:00\",\"F_TSTZ\":\"2024-02-29T12:34:56.1234+03:00\","
            + "\"F_CHAR\":\"ab   \",\"F_VC\":\"Grüße\",\"F_BIN\":\"AAH/\"}";

    private static final String SOURCE_START =
            "{\"version\":\"1.0.0\",\"connector\":\"firebird\",\"name\":\"fb\",\"ts_ms\":1711288254908,"
                    + "\"snapshot\":\"false\",\"db\":\"TEST\",\"sequence\":\"[\\\"1\\\",\\\"78\\\"]\","
                    + "\"ts_us\":1711288254908000,\"ts_ns\":1711288254908000000,\"schema\":null,";
    private static final String SOURCE = SOURCE_START + "\"table\":\"ALLTYPES\"," + OUR_SOURCE_FIELDS + "\"txId\":200}";
    private static final String OUTER_TIMES =
            "\"ts_ms\":1711288255056,\"ts_us\":1711288255056123,\"ts_ns\":1711288255056123456";

    private static final String DECIMAL_SCHEMA = "{\"type\":\"bytes\",\"optional\":true,"
            + "\"name\":\"org.apache.kafka.connect.data.Decimal\",\"version\":1,"
            + "\"parameters\":{\"scale\":\"4\",\"connect.decimal.precision\":\"18\"},\"field\":\"F_NUM\"}";
    private static final String SOURCE_SCHEMA = "{\"type\":\"struct\",\"fields\":["
            + "{\"type\":\"string\",\"optional\":false,\"field\":\"version\"},"
            + "{\"type\":\"string\",\"optional\":false,\"field\":\"connector\"},"
            + "{\"type\":\"string\",\"optional\":false,\"field\":\"name\"},"
            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"ts_ms\"},"
            + "{\"type\":\"string\",\"optional\":true,\"name\":\"io.debezium.data.Enum\",\"version\":1,"
            + "\"parameters\":{\"allowed\":\"true,first,first_in_data_collection,last_in_data_collection,last,false,"
            + "incremental\"},\"default\":\"false\",\"field\":\"snapshot\"},"
            + "{\"type\":\"string\",\"optional\":false,\"field\":\"db\"},"
            + "{\"type\":\"string\",\"optional\":true,\"field\":\"sequence\"},"
            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"ts_us\"},"
            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"ts_ns\"},"
            + "{\"type\":\"string\",\"optional\":true,\"field\":\"schema\"},"
            + "{\"type\":\"string\",\"optional\":true,\"field\":\"table\"},"
            + "{\"type\":\"string\",\"optional\":false,\"field\":\"dbguid\"},"
            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"segment\"},"
            + "{\"type\":\"string\",\"optional\":false,\"field\":\"file\"},"
            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"pos\"},"
            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"txId\"}],"
            + "\"optional\":false,\"name\":\"io.debezium.connector.firebird.Source\",\"version\":1,"
            + "\"field\":\"source\"}";
    private static final String AFTER_ROW_SCHEMAS = SOURCE_SCHEMA
            + ",{\"type\":\"string\",\"optional\":false,\"field\":\"op\"},"
            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"ts_ms\"},"
            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"ts_us\"},"
            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"ts_ns\"},"
            + "{\"type\":\"struct\",\"fields\":[{\"type\":\"string\",\"optional\":false,\"field\":\"id\"},"
            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"total_order\"},"
            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"data_collection_order\"}],"
            + "\"optional\":true,\"name\":\"event.block\",\"version\":1,\"field\":\"transaction\"}],"
            + "\"optional\":false,";

    @Test
    void keyWithoutSchema() {
        JsonEventEncoder encoder = encoder();

        assertThat(key(insert(encoder, ROW), encoder)).isEqualTo("{\"ID\":1}");
    }

    @Test
    void keyWithSchema() {
        JsonEventEncoder encoder = encoder("keySchema", "true");

        assertThat(key(insert(encoder, ROW), encoder))
                .isEqualTo(
                        "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"int64\",\"optional\":false,"
                                + "\"field\":\"ID\"}],\"optional\":false,\"name\":\"fb.ALLTYPES.Key\"},\"payload\":{\"ID\":1}}");
    }

    @Test
    void valueWithDefaultModes() {
        JsonEventEncoder encoder = encoder("transactionMetadata", "true");

        assertThat(value(insert(encoder, ROW), encoder))
                .isEqualTo("{\"before\":null,\"after\":" + PRECISE_ADAPTIVE_BYTES + ",\"source\":" + SOURCE
                        + ",\"op\":\"c\"," + OUTER_TIMES
                        + ",\"transaction\":{\"id\":\"200\",\"total_order\":1,\"data_collection_order\":1}}");
    }

    @Test
    void valueWithTextModes() {
        assertThat(Samples.after(ROW, "decimals", "string", "times", "isostring", "binary", "hex"))
                .isEqualTo(COLUMNS_START
                        + "\"F_NUM\":\"-1234.5600\",\"F_I128\":\"170141183460469231731687303715884105727\","
                        + "\"F_DATE\":\"2024-02-29Z\",\"F_TIME\":\"12:34:56.1234Z\","
                        + "\"F_TS\":\"2024-02-29T12:34:56.1234Z\",\"F_TTZ\":\"12:34:56.1234+03:00\","
                        + "\"F_TSTZ\":\"2024-02-29T12:34:56.1234+03:00\",\"F_CHAR\":\"ab   \",\"F_VC\":\"Grüße\","
                        + "\"F_BIN\":\"0001ff\"}");
    }

    @Test
    void valueWithNumberModes() {
        assertThat(Samples.after(ROW, "decimals", "double", "times", "connect", "binary", "base64"))
                .isEqualTo(COLUMNS_START
                        + "\"F_NUM\":-1234.56,\"F_I128\":1.7014118346046923E38,\"F_DATE\":19782,\"F_TIME\":45296123,"
                        + "\"F_TS\":1709210096123,\"F_TTZ\":\"12:34:56.1234+03:00\","
                        + "\"F_TSTZ\":\"2024-02-29T12:34:56.1234+03:00\",\"F_CHAR\":\"ab   \",\"F_VC\":\"Grüße\","
                        + "\"F_BIN\":\"AAH/\"}");
    }

    @Test
    void deleteHasTheWholeOldRowAndATombstone() {
        JsonEventEncoder encoder = encoder();

        List<EncodedRecord> records = encoder.records(delete(encoder, ROW));

        assertThat(records).hasSize(2);
        assertThat(valueText(records.get(0)))
                .isEqualTo("{\"before\":" + PRECISE_ADAPTIVE_BYTES + ",\"after\":null,\"source\":" + SOURCE
                        + ",\"op\":\"d\"," + OUTER_TIMES + ",\"transaction\":null}");
        assertThat(keyText(records.get(1))).isEqualTo("{\"ID\":1}");
        assertThat(records.get(1).value()).isEmpty();
    }

    @Test
    void valueWithSchema() {
        JsonEventEncoder encoder = encoder("valueSchema", "true");
        String columns = "{\"type\":\"struct\",\"fields\":[{\"type\":\"int64\",\"optional\":false,\"field\":\"ID\"},"
                + DECIMAL_SCHEMA
                + ",{\"type\":\"int64\",\"optional\":true,\"name\":\"io.debezium.time.MicroTimestamp\",\"version\":1,"
                + "\"field\":\"F_TS\"}],\"optional\":true,\"name\":\"fb.ALLTYPES.Value\",";
        Row row = SampleTable.table("ALLTYPES")
                .notNull("ID", SampleTable.BIGINT)
                .column("F_NUM", numeric(DataType.BIGINT, 8, -4, 18))
                .column("F_TS", SampleTable.TIMESTAMP)
                .newRow(1, null, null);

        assertThat(value(insert(encoder, row), encoder))
                .isEqualTo("{\"schema\":{\"type\":\"struct\",\"fields\":[" + columns + "\"field\":\"before\"},"
                        + columns
                        + "\"field\":\"after\"}," + AFTER_ROW_SCHEMAS
                        + "\"name\":\"fb.ALLTYPES.Envelope\",\"version\":2},\"payload\":"
                        + "{\"before\":null,\"after\":{\"ID\":1,\"F_NUM\":null,\"F_TS\":null},\"source\":" + SOURCE
                        + ",\"op\":\"c\"," + OUTER_TIMES + ",\"transaction\":null}}");
    }

    @Test
    void transactionBoundaries() {
        JsonEventEncoder encoder = encoder("transactionMetadata", "true");
        CommittedTransaction transaction = Samples.transaction(Map.of(ObjectName.of("CUSTOMERS"), 2L));

        EncodedRecord begin = encoder.begin(transaction).get(0);
        EncodedRecord end = encoder.end(transaction).get(0);

        assertThat(begin.topic()).isEqualTo("fb.transaction");
        assertThat(keyText(begin)).isEqualTo("{\"id\":\"200\"}");
        assertThat(valueText(begin))
                .isEqualTo("{\"status\":\"BEGIN\",\"id\":\"200\",\"event_count\":null,\"data_collections\":null,"
                        + "\"ts_ms\":1711288254908}");
        assertThat(begin.id()).isEqualTo(Samples.GUID + "/1:48");
        assertThat(end.topic()).isEqualTo("fb.transaction");
        assertThat(keyText(end)).isEqualTo("{\"id\":\"200\"}");
        assertThat(valueText(end))
                .isEqualTo("{\"status\":\"END\",\"id\":\"200\",\"event_count\":2,\"data_collections\":"
                        + "[{\"data_collection\":\"CUSTOMERS\",\"event_count\":2}],\"ts_ms\":1711288254908}");
        assertThat(end.id()).isEqualTo(Samples.GUID + "/1:900");
    }

    @Test
    void transactionBoundariesWithSchema() {
        JsonEventEncoder encoder = encoder("transactionMetadata", "true", "keySchema", "true", "valueSchema", "true");
        EncodedRecord begin = encoder.begin(Samples.transaction(Map.of())).get(0);

        assertThat(keyText(begin))
                .isEqualTo("{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"string\",\"optional\":false,"
                        + "\"field\":\"id\"}],\"optional\":false,"
                        + "\"name\":\"io.debezium.connector.common.TransactionMetadataKey\",\"version\":1},"
                        + "\"payload\":{\"id\":\"200\"}}");
        assertThat(valueText(begin))
                .startsWith("{\"schema\":{\"type\":\"struct\",\"fields\":["
                        + "{\"type\":\"string\",\"optional\":false,\"field\":\"status\"},"
                        + "{\"type\":\"string\",\"optional\":false,\"field\":\"id\"},"
                        + "{\"type\":\"int64\",\"optional\":true,\"field\":\"event_count\"},"
                        + "{\"type\":\"array\",\"items\":{\"type\":\"struct\",\"fields\":["
                        + "{\"type\":\"string\",\"optional\":false,\"field\":\"data_collection\"},"
                        + "{\"type\":\"int64\",\"optional\":false,\"field\":\"event_count\"}],\"optional\":true,"
                        + "\"name\":\"event.collection\",\"version\":1},\"optional\":true,"
                        + "\"field\":\"data_collections\"},"
                        + "{\"type\":\"int64\",\"optional\":false,\"field\":\"ts_ms\"}],\"optional\":false,"
                        + "\"name\":\"io.debezium.connector.common.TransactionMetadataValue\",\"version\":1},"
                        + "\"payload\":{\"status\":\"BEGIN\",");
    }

    @Test
    void withoutTransactionMetadataThereAreNoBoundaries() {
        CommittedTransaction transaction = Samples.transaction(Map.of(ObjectName.of("T"), 1L));

        assertThat(encoder().begin(transaction)).isEmpty();
        assertThat(encoder().end(transaction)).isEmpty();
    }

    @Test
    void tablesOfATransactionStandInTheOrderOfTheirAppearance() {
        Map<ObjectName, Long> counts = new LinkedHashMap<>();
        counts.put(new ObjectName("S", "Z"), 1L);
        counts.put(new ObjectName("S", "A"), 3L);

        EncodedRecord end = encoder("transactionMetadata", "true")
                .end(Samples.transaction(counts))
                .get(0);

        assertThat(valueText(end))
                .contains("\"event_count\":4,\"data_collections\":[{\"data_collection\":\"S.Z\",\"event_count\":1},"
                        + "{\"data_collection\":\"S.A\",\"event_count\":3}]");
    }

    @Test
    void schemaChange() {
        JsonEventEncoder encoder = encoder();
        DdlEvent event = new DdlEvent(
                Samples.TRANSACTION, Samples.POSITION, 1, "SYSDBA", "", "CREATE TABLE T (\"ä\" INT)", encoder);

        EncodedRecord record = encoder.records(event).get(0);

        assertThat(record.topic()).isEqualTo("fb");
        assertThat(record.id()).isEqualTo(Samples.ID);
        assertThat(keyText(record)).isEqualTo("{\"databaseName\":\"TEST\"}");
        assertThat(valueText(record))
                .isEqualTo("{\"source\":" + SOURCE_START + "\"table\":null," + OUR_SOURCE_FIELDS + "\"txId\":200},"
                        + "\"ts_ms\":1711288255056,\"databaseName\":\"TEST\",\"schemaName\":null,"
                        + "\"ddl\":\"CREATE TABLE T (\\\"ä\\\" INT)\",\"tableChanges\":[]}");
    }

    @Test
    void schemaChangeOfATable() {
        Catalog catalog = Corpus.recording("fb60/01-schemas").catalogs().get(1);
        Table table = catalog.table(new ObjectName("SALES", "LINES")).orElseThrow();
        JsonEventEncoder encoder = new JsonEventEncoder(
                EnvelopeOptions.of(Map.of("topicPrefix", "fb")),
                "TEST",
                Samples.CLOCK,
                "1.0.0",
                (statement, commit) ->
                        Optional.of(new ChangedTable(table.name(), ChangedTable.Kind.ALTER, Optional.of(table))));
        DdlEvent event = new DdlEvent(
                Samples.TRANSACTION, Samples.POSITION, 1, "SYSDBA", "", "ALTER TABLE LINES ADD CODE D_CODE", encoder);

        assertThat(valueText(encoder.records(event).get(0)))
                .contains("\"schema\":\"SALES\",\"table\":\"LINES\"")
                .endsWith(
                        "\"databaseName\":\"TEST\",\"schemaName\":\"SALES\",\"ddl\":\"ALTER TABLE LINES ADD CODE D_CODE\","
                                + "\"tableChanges\":[{\"type\":\"ALTER\",\"id\":\"\\\"SALES\\\".\\\"LINES\\\"\",\"table\":{"
                                + "\"defaultCharsetName\":null,\"primaryKeyColumnNames\":[\"ORDER_ID\",\"N\"],\"columns\":["
                                + column("ORDER_ID", -5, "BIGINT", "null", "null", 1, false)
                                + "," + column("N", 5, "SMALLINT", "null", "null", 2, false)
                                + "," + column("CODE", 1, "CHAR", "\"ASCII\"", "3", 3, true)
                                + "],\"comment\":null}}]}");
    }

    private static String column(
            String name, int jdbcType, String type, String charset, String length, int position, boolean optional) {
        return "{\"name\":\"" + name + "\",\"jdbcType\":" + jdbcType + ",\"nativeType\":null,\"typeName\":\"" + type
                + "\",\"typeExpression\":\"" + type + "\",\"charsetName\":" + charset + ",\"length\":" + length
                + ",\"scale\":null,\"position\":" + position + ",\"optional\":" + optional
                + ",\"autoIncremented\":false,\"generated\":false,\"comment\":null,\"defaultValueExpression\":null,"
                + "\"enumValues\":[]}";
    }

    @Test
    void schemaChangeWithSchema() {
        JsonEventEncoder encoder = encoder("keySchema", "true", "valueSchema", "true");
        DdlEvent event = new DdlEvent(Samples.TRANSACTION, Samples.POSITION, 1, "SYSDBA", "", "DROP TABLE T", encoder);

        EncodedRecord record = encoder.records(event).get(0);

        assertThat(keyText(record))
                .isEqualTo("{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"string\",\"optional\":false,"
                        + "\"field\":\"databaseName\"}],\"optional\":false,"
                        + "\"name\":\"io.debezium.connector.firebird.SchemaChangeKey\",\"version\":1},"
                        + "\"payload\":{\"databaseName\":\"TEST\"}}");
        assertThat(valueText(record))
                .startsWith("{\"schema\":{\"type\":\"struct\",\"fields\":[" + SOURCE_SCHEMA)
                .contains("\"optional\":false,\"name\":\"io.debezium.connector.schema.Change\",\"version\":1},"
                        + "\"optional\":false,\"field\":\"tableChanges\"}],\"optional\":false,"
                        + "\"name\":\"io.debezium.connector.firebird.SchemaChangeValue\",\"version\":1},\"payload\":");
    }

    @Test
    void sequenceValue() {
        JsonEventEncoder encoder = encoder();

        EncodedRecord record = encoder.record(new SequenceValue(
                Samples.GUID,
                new JournalPosition(1, 78),
                Samples.FILE,
                1_711_288_254_908L,
                ObjectName.of("GEN"),
                42,
                encoder));

        assertThat(record.topic()).isEqualTo("fb.sequences");
        assertThat(record.id()).isEqualTo(Samples.ID);
        assertThat(record.headers()).containsOnly(Map.entry("firebird.cdc.id", Samples.ID));
        assertThat(keyText(record)).isEqualTo("{\"sequence\":\"GEN\"}");
        assertThat(valueText(record))
                .isEqualTo("{\"sequence\":\"GEN\",\"value\":42,\"source\":" + SOURCE_START + "\"table\":null,"
                        + OUR_SOURCE_FIELDS + "\"txId\":null}}");
    }
}
