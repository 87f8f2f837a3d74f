package org.firebirdcdc.envelope;

import java.util.List;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.schema.TableVersion;

/** All struct schemas around the columns, with their names and versions (formats.md 2.3, 2.4, 2.6). */
final class Schemas {

    private static final String COMMON = "io.debezium.connector.common.";
    private static final String CONNECTOR = "io.debezium.connector.firebird.";
    private static final String HISTORY = "io.debezium.connector.schema.";
    private static final int ENVELOPE_VERSION = 2;

    private final EnvelopeForm form;
    private final String logicalName;
    private final boolean transactionBlocks;
    private final ConnectSchema source;
    private final ConnectSchema transactionId;

    Schemas(EnvelopeOptions options, SourceBlock source) {
        this.form = options.envelope();
        this.logicalName = options.logicalName();
        this.transactionBlocks = form == EnvelopeForm.DEBEZIUM || options.transactionMetadata();
        this.source = source.schema();
        this.transactionId = switch (form) {
            case DEBEZIUM -> ConnectSchema.STRING;
            case FB_STREAMING -> ConnectSchema.INT64;
        };
    }

    ConnectSchema key(ObjectName table, List<ConnectSchema.Field> columns) {
        return ConnectSchema.struct(tableName(table) + ".Key", columns);
    }

    ConnectSchema envelope(TableVersion version, List<ConnectSchema.Field> columns) {
        String name = tableName(version.table());
        ConnectSchema row = ConnectSchema.struct(name + ".Value", columns).orNull();
        if (version.format() > 1) {
            // a table that was never altered has exactly Debezium's schema, which carries no version
            row = row.version(version.format());
        }
        ConnectSchema.Field before = row.field("before");
        ConnectSchema.Field after = row.field("after");
        ConnectSchema.Field op = ConnectSchema.STRING.field("op");
        ConnectSchema.Field millis = ConnectSchema.INT64.orNull().field("ts_ms");
        return switch (form) {
            case DEBEZIUM ->
                ConnectSchema.struct(
                                name + ".Envelope",
                                List.of(
                                        before,
                                        after,
                                        source.field("source"),
                                        op,
                                        millis,
                                        ConnectSchema.INT64.orNull().field("ts_us"),
                                        ConnectSchema.INT64.orNull().field("ts_ns"),
                                        transactionBlock().field("transaction")))
                        .version(ENVELOPE_VERSION);
            case FB_STREAMING ->
                ConnectSchema.struct(
                        name + ".Envelope",
                        transactionBlocks
                                ? List.of(
                                        before,
                                        after,
                                        source.field("source"),
                                        op,
                                        millis,
                                        transactionBlock().field("transaction"))
                                : List.of(before, after, source.field("source"), op, millis));
        };
    }

    private ConnectSchema transactionBlock() {
        return versioned(ConnectSchema.struct(
                        "event.block",
                        List.of(
                                transactionId.field("id"),
                                ConnectSchema.INT64.field("total_order"),
                                ConnectSchema.INT64.field("data_collection_order"))))
                .orNull();
    }

    ConnectSchema transactionKey() {
        return versioned(
                ConnectSchema.struct(named(COMMON, "TransactionMetadataKey"), List.of(transactionId.field("id"))));
    }

    ConnectSchema transactionValue() {
        ConnectSchema collection = versioned(ConnectSchema.struct(
                        "event.collection",
                        List.of(
                                ConnectSchema.STRING.field("data_collection"),
                                ConnectSchema.INT64.field("event_count"))))
                .orNull();
        ConnectSchema.Field status = ConnectSchema.STRING.field("status");
        ConnectSchema.Field count = ConnectSchema.INT64.orNull().field("event_count");
        ConnectSchema.Field collections =
                ConnectSchema.array(collection).orNull().field("data_collections");
        ConnectSchema.Field millis = ConnectSchema.INT64.field("ts_ms");
        ConnectSchema.Field id = transactionId.field("id");
        return versioned(ConnectSchema.struct(
                named(COMMON, "TransactionMetadataValue"),
                switch (form) {
                    case DEBEZIUM -> List.of(status, id, count, collections, millis);
                    case FB_STREAMING -> List.of(status, id, millis, count, collections);
                }));
    }

    ConnectSchema schemaChangeKey() {
        return versioned(ConnectSchema.struct(
                named(CONNECTOR, "SchemaChangeKey"), List.of(ConnectSchema.STRING.field("databaseName"))));
    }

    ConnectSchema schemaChangeValue() {
        ConnectSchema column = versioned(ConnectSchema.struct(
                named(HISTORY, "Column"),
                List.of(
                        ConnectSchema.STRING.field("name"),
                        ConnectSchema.INT32.field("jdbcType"),
                        ConnectSchema.INT32.orNull().field("nativeType"),
                        ConnectSchema.STRING.field("typeName"),
                        ConnectSchema.STRING.orNull().field("typeExpression"),
                        ConnectSchema.STRING.orNull().field("charsetName"),
                        ConnectSchema.INT32.orNull().field("length"),
                        ConnectSchema.INT32.orNull().field("scale"),
                        ConnectSchema.INT32.field("position"),
                        ConnectSchema.BOOLEAN.orNull().field("optional"),
                        ConnectSchema.BOOLEAN.orNull().field("autoIncremented"),
                        ConnectSchema.BOOLEAN.orNull().field("generated"),
                        ConnectSchema.STRING.orNull().field("comment"),
                        ConnectSchema.STRING.orNull().field("defaultValueExpression"),
                        ConnectSchema.array(ConnectSchema.STRING).orNull().field("enumValues"))));
        ConnectSchema table = versioned(ConnectSchema.struct(
                        named(HISTORY, "Table"),
                        List.of(
                                ConnectSchema.STRING.orNull().field("defaultCharsetName"),
                                ConnectSchema.array(ConnectSchema.STRING)
                                        .orNull()
                                        .field("primaryKeyColumnNames"),
                                ConnectSchema.array(column).field("columns"),
                                ConnectSchema.STRING.orNull().field("comment"))))
                .orNull();
        ConnectSchema change = versioned(ConnectSchema.struct(
                named(HISTORY, "Change"),
                List.of(ConnectSchema.STRING.field("type"), ConnectSchema.STRING.field("id"), table.field("table"))));
        return versioned(ConnectSchema.struct(
                named(CONNECTOR, "SchemaChangeValue"),
                List.of(
                        source.field("source"),
                        ConnectSchema.INT64.field("ts_ms"),
                        ConnectSchema.STRING.orNull().field("databaseName"),
                        ConnectSchema.STRING.orNull().field("schemaName"),
                        ConnectSchema.STRING.orNull().field("ddl"),
                        ConnectSchema.array(change).field("tableChanges"))));
    }

    ConnectSchema sequenceKey() {
        return versioned(
                ConnectSchema.struct(named(CONNECTOR, "SequenceKey"), List.of(ConnectSchema.STRING.field("sequence"))));
    }

    ConnectSchema sequenceValue() {
        return versioned(ConnectSchema.struct(
                named(CONNECTOR, "SequenceValue"),
                List.of(
                        ConnectSchema.STRING.field("sequence"),
                        ConnectSchema.INT64.field("value"),
                        source.field("source"))));
    }

    ConnectSchema raw() {
        ConnectSchema images = ConnectSchema.struct(
                named(CONNECTOR, "RawImages"),
                List.of(
                        ConnectSchema.STRING.orNull().field("before"),
                        ConnectSchema.STRING.orNull().field("after")));
        return versioned(ConnectSchema.struct(
                named(CONNECTOR, "RawValue"),
                List.of(
                        versioned(images).field("raw"),
                        ConnectSchema.STRING.field("error"),
                        source.field("source"),
                        ConnectSchema.STRING.field("op"),
                        ConnectSchema.INT64.field("ts_ms"))));
    }

    private String tableName(ObjectName table) {
        return logicalName + "." + table;
    }

    private String named(String prefix, String name) {
        return switch (form) {
            case DEBEZIUM -> prefix + name;
            case FB_STREAMING -> logicalName + "." + name;
        };
    }

    private ConnectSchema versioned(ConnectSchema schema) {
        return switch (form) {
            case DEBEZIUM -> schema.version(1);
            case FB_STREAMING -> schema;
        };
    }
}
