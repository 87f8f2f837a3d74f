package org.firebirdcdc.envelope;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/** The {@code source} field: where in which journal an event stands (formats.md 1, 2.3, 2.6). */
final class SourceBlock {

    private static final String CONNECTOR = "firebird";

    /** Allowed values as Debezium lists them; the journal has no snapshots, so it is always {@code false}. */
    private static final ConnectSchema SNAPSHOT = ConnectSchema.STRING
            .named("io.debezium.data.Enum")
            .orNull()
            .parameters(List.of(Map.entry(
                    "allowed", "true,first,first_in_data_collection,last_in_data_collection,last,false,incremental")))
            .byDefault("false");

    private final EnvelopeForm form;
    private final ConnectSchema schema;
    private final SerializableString version;
    private final SerializableString connector = new SerializedString(CONNECTOR);
    private final SerializableString name;
    private final DatabaseName database;

    SourceBlock(EnvelopeOptions options, DatabaseName database, String version) {
        this.form = options.envelope();
        this.version = new SerializedString(version);
        this.name = new SerializedString(options.logicalName());
        this.database = database;
        this.schema = switch (form) {
            case DEBEZIUM ->
                ConnectSchema.struct(
                                "io.debezium.connector." + CONNECTOR + ".Source",
                                List.of(
                                        ConnectSchema.STRING.field("version"),
                                        ConnectSchema.STRING.field("connector"),
                                        ConnectSchema.STRING.field("name"),
                                        ConnectSchema.INT64.field("ts_ms"),
                                        SNAPSHOT.field("snapshot"),
                                        ConnectSchema.STRING.field("db"),
                                        ConnectSchema.STRING.orNull().field("sequence"),
                                        ConnectSchema.INT64.orNull().field("ts_us"),
                                        ConnectSchema.INT64.orNull().field("ts_ns"),
                                        ConnectSchema.STRING.orNull().field("schema"),
                                        ConnectSchema.STRING.orNull().field("table"),
                                        ConnectSchema.STRING.field("dbguid"),
                                        ConnectSchema.INT64.field("segment"),
                                        ConnectSchema.STRING.field("file"),
                                        ConnectSchema.INT64.field("pos"),
                                        ConnectSchema.INT64.orNull().field("txId")))
                        .version(1);
            case FB_STREAMING ->
                ConnectSchema.struct(
                        options.logicalName() + ".Source",
                        List.of(
                                ConnectSchema.STRING.field("dbguid"),
                                ConnectSchema.INT64.field("sequence"),
                                ConnectSchema.STRING.field("filename"),
                                ConnectSchema.STRING.orNull().field("table"),
                                ConnectSchema.INT64.orNull().field("tnx"),
                                ConnectSchema.INT64.field("ts_ms")));
        };
    }

    ConnectSchema schema() {
        return schema;
    }

    /**
     * Writes the field with its name.
     *
     * @param file            name of the segment file that gave the time
     * @param timestampMillis last-modified time of that file
     * @param transaction     empty outside transactions
     */
    void write(
            JsonOutput out,
            DatabaseGuid guid,
            JournalPosition position,
            String file,
            long timestampMillis,
            Optional<ObjectName> table,
            OptionalLong transaction)
            throws IOException {
        JsonGenerator json = out.json();
        json.writeFieldName(FieldNames.SOURCE);
        json.writeStartObject();
        switch (form) {
            case DEBEZIUM -> {
                json.writeFieldName(FieldNames.VERSION);
                json.writeString(version);
                json.writeFieldName(FieldNames.CONNECTOR);
                json.writeString(connector);
                json.writeFieldName(FieldNames.NAME);
                json.writeString(name);
                number(json, FieldNames.TS_MS, timestampMillis);
                json.writeFieldName(FieldNames.SNAPSHOT);
                json.writeString(FieldNames.FALSE);
                json.writeFieldName(FieldNames.DB);
                json.writeString(database.of(file));
                json.writeFieldName(FieldNames.SEQUENCE);
                out.sequence(position.segment(), position.offset());
                number(json, FieldNames.TS_US, timestampMillis * 1_000);
                number(json, FieldNames.TS_NS, timestampMillis * 1_000_000);
                text(
                        json,
                        FieldNames.SCHEMA,
                        table.filter(ObjectName::hasSchema)
                                .map(ObjectName::schema)
                                .orElse(null));
                text(json, FieldNames.TABLE, table.map(ObjectName::name).orElse(null));
                text(json, FieldNames.DBGUID, guid.toString());
                number(json, FieldNames.SEGMENT, position.segment());
                text(json, FieldNames.FILE, file);
                number(json, FieldNames.POS, position.offset());
                transaction(json, FieldNames.TX_ID, transaction);
            }
            case FB_STREAMING -> {
                text(json, FieldNames.DBGUID, guid.toString());
                number(json, FieldNames.SEQUENCE, position.segment());
                text(json, FieldNames.FILENAME, file);
                text(json, FieldNames.TABLE, table.map(ObjectName::toString).orElse(null));
                transaction(json, FieldNames.TNX, transaction);
                number(json, FieldNames.TS_MS, timestampMillis);
            }
        }
        json.writeEndObject();
    }

    private static void number(JsonGenerator json, SerializableString field, long value) throws IOException {
        json.writeFieldName(field);
        json.writeNumber(value);
    }

    /** @param value null for JSON null */
    private static void text(JsonGenerator json, SerializableString field, String value) throws IOException {
        json.writeFieldName(field);
        json.writeString(value);
    }

    private static void transaction(JsonGenerator json, SerializableString field, OptionalLong transaction)
            throws IOException {
        json.writeFieldName(field);
        if (transaction.isPresent()) {
            json.writeNumber(transaction.getAsLong());
        } else {
            json.writeNull();
        }
    }
}
