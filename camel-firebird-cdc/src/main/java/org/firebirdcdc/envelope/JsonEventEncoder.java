package org.firebirdcdc.envelope;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.schema.ChangedTable;
import org.firebirdcdc.schema.DdlTables;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.DdlEvent;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.EventEncoder;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.RawEvent;
import org.firebirdcdc.transaction.SequenceValue;
import org.firebirdcdc.transaction.TransactionInfo;

/**
 * Events as JSON (formats.md). The same event gives the same bytes whatever the time zone, locale and charset of the JVM,
 * but for the time of encoding. Safe for use by several threads.
 *
 * <p>All methods throw {@link EncodeException} where an event has no form under the options, and pass on what decoding
 * its row throws.
 */
public final class JsonEventEncoder implements EventEncoder {

    /** Header of every record: its identity, {@link EncodedRecord#id()}. */
    public static final String ID_HEADER = "firebird.cdc.id";

    /** Header of row changes: number of the record format, which rises when the table is altered. */
    public static final String FORMAT_HEADER = "firebird.cdc.format";

    /** Header of the delete that a key update begins with: JSON text of the new key. */
    public static final String NEW_KEY_HEADER = "__debezium.newkey";

    /** Header of the create that a key update ends with: JSON text of the old key. */
    public static final String OLD_KEY_HEADER = "__debezium.oldkey";

    private static final String TOMBSTONE = "/1";
    private static final String NEW_KEY = "/2";

    private static final int MAX_PLANS = 1_000;
    private static final int MAX_IDLE_OUTPUTS = 16;
    private static final int MAX_KEPT_BYTES = 1 << 20;
    private static final byte[] NO_PREFIX = {};
    private static final byte[] SCHEMA_START = ascii("{\"schema\":");
    private static final byte[] PAYLOAD_START = ascii(",\"payload\":");
    private static final byte[] END = ascii("}");

    private final EnvelopeOptions options;
    private final String database;
    private final DatabaseName databaseName;
    private final Clock clock;
    private final String version;
    private final TopicNames topics;
    private final SourceBlock source;
    private final Schemas schemas;
    private final JsonFactory factory;
    private final BlockingQueue<JsonOutput> outputs = new ArrayBlockingQueue<>(MAX_IDLE_OUTPUTS);
    private final Map<TableVersion, EncodedPlan> plans = new ConcurrentHashMap<>();
    private final byte[] transactionKeyPrefix;
    private final byte[] transactionValuePrefix;
    private final DdlTables tables;
    private final byte[] schemaChangeKeyPrefix;
    private final byte[] schemaChangeValuePrefix;
    private final byte[] sequenceKeyPrefix;
    private final byte[] sequenceValuePrefix;
    private final byte[] rawPrefix;

    /** A plan and the bytes that stand before each key and value. */
    private record EncodedPlan(TablePlan plan, byte[] keyPrefix, byte[] valuePrefix) {}

    @FunctionalInterface
    private interface Body {
        void write(JsonOutput out) throws IOException;
    }

    /**
     * @param database name of the database in {@code source.db}; empty for the one that segment names tell
     * @param clock    gives the time of encoding, the outer {@code ts_ms}, {@code ts_us}, {@code ts_ns}
     * @param version  of this connector, {@code source.version}
     * @param tables   tells the tables of schema changes
     */
    public JsonEventEncoder(EnvelopeOptions options, String database, Clock clock, String version, DdlTables tables) {
        this.options = options;
        this.tables = tables;
        this.database = database;
        this.databaseName = new DatabaseName(database);
        this.clock = clock;
        this.version = version;
        this.topics = new TopicNames(options);
        this.source = new SourceBlock(options, databaseName, version);
        this.schemas = new Schemas(options, source);
        // The JDK's own text of a double differs between Java versions, Jackson's does not. Text is the same whether it
        // was copied as UTF-8 or decoded, beyond the basic plane too.
        this.factory = new JsonFactoryBuilder()
                .rootValueSeparator("")
                .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .build();
        this.transactionKeyPrefix = prefix(options.keySchema(), schemas::transactionKey);
        this.transactionValuePrefix = prefix(options.valueSchema(), schemas::transactionValue);
        this.schemaChangeKeyPrefix = prefix(options.keySchema(), schemas::schemaChangeKey);
        this.schemaChangeValuePrefix = prefix(options.valueSchema(), schemas::schemaChangeValue);
        this.sequenceKeyPrefix = prefix(options.keySchema(), schemas::sequenceKey);
        this.sequenceValuePrefix = prefix(options.valueSchema(), schemas::sequenceValue);
        this.rawPrefix = prefix(options.valueSchema(), schemas::raw);
    }

    /**
     * An encoder of the same database with some options set otherwise.
     *
     * @throws IllegalArgumentException as {@link EnvelopeOptions#of} does
     */
    public JsonEventEncoder with(Map<String, String> changes) {
        EnvelopeOptions changed = options;
        for (Map.Entry<String, String> change : changes.entrySet()) {
            changed = changed.with(change.getKey(), change.getValue());
        }
        return new JsonEventEncoder(changed, database, clock, version, tables);
    }

    @Override
    public String topic(JournalEvent event) {
        return switch (event.kind()) {
            case CHANGE -> plan((ChangeEvent) event).plan().topic();
            case DDL -> topics.schemaChanges();
            case RAW -> topics.raw();
        };
    }

    @Override
    public Optional<byte[]> key(JournalEvent event) {
        return switch (event.kind()) {
            case CHANGE -> key((ChangeEvent) event);
            case DDL -> schemaChangeKey((DdlEvent) event);
            case RAW -> Optional.empty();
        };
    }

    @Override
    public byte[] value(JournalEvent event) {
        return switch (event.kind()) {
            case CHANGE -> {
                ChangeEvent change = (ChangeEvent) event;
                yield value(plan(change), change, change.operation(), change.before(), change.after());
            }
            case DDL -> schemaChange((DdlEvent) event);
            case RAW -> raw((RawEvent) event);
        };
    }

    @Override
    public List<EncodedRecord> records(JournalEvent event) {
        return switch (event.kind()) {
            case CHANGE -> records((ChangeEvent) event);
            case DDL, RAW ->
                List.of(new EncodedRecord(
                        topic(event), key(event), Optional.of(value(event)), event.id(), headers(event.id())));
        };
    }

    @Override
    public EncodedRecord record(SequenceValue value) {
        String sequence = value.sequence().toString();
        Optional<byte[]> key = ifKeys(sequenceKeyPrefix, out -> {
            out.json().writeStartObject();
            out.json().writeStringField("sequence", sequence);
            out.json().writeEndObject();
        });
        byte[] bytes = encoded(sequenceValuePrefix, out -> {
            JsonGenerator json = out.json();
            json.writeStartObject();
            json.writeStringField("sequence", sequence);
            json.writeNumberField("value", value.value());
            source.write(
                    out,
                    value.guid(),
                    value.position(),
                    value.file(),
                    value.timestampMillis(),
                    Optional.empty(),
                    OptionalLong.empty());
            json.writeEndObject();
        });
        return new EncodedRecord(topics.sequences(), key, Optional.of(bytes), value.id(), headers(value.id()));
    }

    @Override
    public List<EncodedRecord> begin(CommittedTransaction transaction) {
        TransactionInfo info = transaction.info();
        return transactionRecord(
                info, info.guid() + "/" + info.begin(), "BEGIN", OptionalLong.empty(), Optional.empty());
    }

    @Override
    public List<EncodedRecord> end(CommittedTransaction transaction) {
        TransactionInfo info = transaction.info();
        return transactionRecord(
                info,
                info.guid() + "/" + info.commit(),
                "END",
                OptionalLong.of(transaction.eventCount()),
                Optional.of(transaction.eventCounts()));
    }

    private List<EncodedRecord> records(ChangeEvent event) {
        EncodedPlan plan = plan(event);
        String id = event.id();
        return switch (event.operation()) {
            case INSERT -> List.of(whole(plan, event, id, key(event)));
            case DELETE -> withTombstone(plan, id, whole(plan, event, id, key(event)));
            case UPDATE -> {
                Optional<byte[]> newKey = key(event);
                Optional<byte[]> oldKey = options.keyUpdates() == KeyUpdate.SPLIT
                        ? newKey.flatMap(key -> changedOldKey(plan, event, key))
                        : Optional.empty();
                yield oldKey.isPresent()
                        ? keyUpdate(plan, event, id, oldKey.get(), newKey.get())
                        : List.of(whole(plan, event, id, newKey));
            }
        };
    }

    private EncodedRecord whole(EncodedPlan plan, ChangeEvent event, String id, Optional<byte[]> key) {
        return changeRecord(
                plan, key, value(plan, event, event.operation(), event.before(), event.after()), id, Map.of());
    }

    private List<EncodedRecord> keyUpdate(
            EncodedPlan plan, ChangeEvent event, String id, byte[] oldKey, byte[] newKey) {
        List<EncodedRecord> records = new ArrayList<>(withTombstone(
                plan,
                id,
                changeRecord(
                        plan,
                        Optional.of(oldKey),
                        value(plan, event, Operation.DELETE, event.before(), Optional.empty()),
                        id,
                        Map.of(NEW_KEY_HEADER, utf8(newKey)))));
        records.add(changeRecord(
                plan,
                Optional.of(newKey),
                value(plan, event, Operation.INSERT, Optional.empty(), event.after()),
                id + NEW_KEY,
                Map.of(OLD_KEY_HEADER, utf8(oldKey))));
        return List.copyOf(records);
    }

    /** A tombstone without a key would say nothing (and a compacted topic refuses it). */
    private List<EncodedRecord> withTombstone(EncodedPlan plan, String id, EncodedRecord delete) {
        if (!options.tombstones() || delete.key().isEmpty()) {
            return List.of(delete);
        }
        return List.of(
                delete,
                new EncodedRecord(
                        plan.plan().topic(), delete.key(), Optional.empty(), id + TOMBSTONE, headers(id + TOMBSTONE)));
    }

    private EncodedRecord changeRecord(
            EncodedPlan plan, Optional<byte[]> key, byte[] value, String id, Map<String, String> further) {
        // in a fixed order, so that records are the same from run to run
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(ID_HEADER, id);
        headers.put(FORMAT_HEADER, plan.plan().format());
        headers.putAll(further);
        return new EncodedRecord(
                plan.plan().topic(), key, Optional.of(value), id, Collections.unmodifiableMap(headers));
    }

    private static Map<String, String> headers(String id) {
        return Map.of(ID_HEADER, id);
    }

    private Optional<byte[]> key(ChangeEvent event) {
        return key(plan(event), event, event.row());
    }

    private Optional<byte[]> key(EncodedPlan plan, ChangeEvent event, Row row) {
        TablePlan.Column[] columns = plan.plan().key();
        return columns.length == 0
                ? Optional.empty()
                : Optional.of(encoded(plan.keyPrefix(), out -> writeColumns(out, event, columns, row)));
    }

    /** The old key of an update if it is another than the new one. */
    private Optional<byte[]> changedOldKey(EncodedPlan plan, ChangeEvent event, byte[] newKey) {
        Row before = event.before().orElseThrow();
        Row after = event.after().orElseThrow();
        for (TablePlan.Column column : plan.plan().key()) {
            if (!after.sameValue(column.definition().ordinal(), before)) {
                // different values may still look alike: blanks at the end, say, are cut by trimChar
                return key(plan, event, before).filter(oldKey -> !Arrays.equals(oldKey, newKey));
            }
        }
        return Optional.empty();
    }

    private byte[] value(
            EncodedPlan plan, ChangeEvent event, Operation operation, Optional<Row> before, Optional<Row> after) {
        return encoded(plan.valuePrefix(), out -> {
            JsonGenerator json = out.json();
            json.writeStartObject();
            writeRow(out, event, plan.plan(), FieldNames.BEFORE, before);
            writeRow(out, event, plan.plan(), FieldNames.AFTER, after);
            writeSource(out, event, Optional.of(event.table()));
            json.writeFieldName(FieldNames.OP);
            json.writeString(operation.code());
            Instant now = clock.instant();
            json.writeFieldName(FieldNames.TS_MS);
            json.writeNumber(now.toEpochMilli());
            switch (options.envelope()) {
                case DEBEZIUM -> {
                    json.writeFieldName(FieldNames.TS_US);
                    json.writeNumber(now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000);
                    json.writeFieldName(FieldNames.TS_NS);
                    json.writeNumber(now.getEpochSecond() * 1_000_000_000 + now.getNano());
                    if (options.transactionMetadata()) {
                        writeTransactionBlock(json, event);
                    } else {
                        json.writeFieldName(FieldNames.TRANSACTION);
                        json.writeNull();
                    }
                }
                case FB_STREAMING -> {
                    if (options.transactionMetadata()) {
                        writeTransactionBlock(json, event);
                    }
                }
            }
            json.writeEndObject();
        });
    }

    private void writeTransactionBlock(JsonGenerator json, ChangeEvent event) throws IOException {
        json.writeFieldName(FieldNames.TRANSACTION);
        json.writeStartObject();
        writeTransactionId(json, event.transaction().number());
        json.writeFieldName(FieldNames.TOTAL_ORDER);
        json.writeNumber(event.order());
        json.writeFieldName(FieldNames.DATA_COLLECTION_ORDER);
        json.writeNumber(event.tableOrder());
        json.writeEndObject();
    }

    private void writeTransactionId(JsonGenerator json, long number) throws IOException {
        switch (options.envelope()) {
            case DEBEZIUM -> json.writeStringField("id", Long.toString(number));
            case FB_STREAMING -> json.writeNumberField("id", number);
        }
    }

    private void writeSource(JsonOutput out, JournalEvent event, Optional<ObjectName> table) throws IOException {
        TransactionInfo transaction = event.transaction();
        source.write(
                out,
                transaction.guid(),
                event.position(),
                transaction.file(),
                transaction.timestampMillis(),
                table,
                OptionalLong.of(transaction.number()));
    }

    private static void writeRow(
            JsonOutput out, ChangeEvent event, TablePlan plan, SerializableString field, Optional<Row> row)
            throws IOException {
        out.json().writeFieldName(field);
        if (row.isPresent()) {
            writeColumns(out, event, plan.columns(), row.get());
        } else {
            out.json().writeNull();
        }
    }

    private static void writeColumns(JsonOutput out, ChangeEvent event, TablePlan.Column[] columns, Row row)
            throws IOException {
        JsonGenerator json = out.json();
        json.writeStartObject();
        for (TablePlan.Column column : columns) {
            json.writeFieldName(column.name());
            try {
                if (row.isNull(column.definition().ordinal())) {
                    json.writeNull();
                } else {
                    column.writer().write(out, row);
                }
            } catch (UnencodableException e) {
                throw new EncodeException(
                        event.position(),
                        event.table(),
                        "column " + column.definition().name() + ": " + e.getMessage(),
                        e);
            }
        }
        json.writeEndObject();
    }

    private Optional<byte[]> schemaChangeKey(DdlEvent event) {
        return ifKeys(schemaChangeKeyPrefix, out -> {
            out.json().writeStartObject();
            writeDatabaseName(out.json(), event);
            out.json().writeEndObject();
        });
    }

    private byte[] schemaChange(DdlEvent event) {
        Optional<ChangedTable> changed =
                tables.changedTable(event.position(), event.transaction().commit());
        return encoded(schemaChangeValuePrefix, out -> {
            JsonGenerator json = out.json();
            json.writeStartObject();
            writeSource(out, event, changed.map(ChangedTable::name));
            json.writeNumberField("ts_ms", clock.millis());
            writeDatabaseName(json, event);
            json.writeStringField(
                    "schemaName",
                    changed.map(ChangedTable::name)
                            .filter(ObjectName::hasSchema)
                            .map(ObjectName::schema)
                            .orElse(null));
            json.writeStringField("ddl", event.sql());
            json.writeArrayFieldStart("tableChanges");
            if (changed.isPresent()) {
                TableChange.write(json, changed.get());
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private void writeDatabaseName(JsonGenerator json, DdlEvent event) throws IOException {
        json.writeFieldName("databaseName");
        json.writeString(databaseName.of(event.transaction().file()));
    }

    private byte[] raw(RawEvent event) {
        return encoded(rawPrefix, out -> {
            JsonGenerator json = out.json();
            json.writeStartObject();
            json.writeObjectFieldStart("raw");
            writeImage(json, "before", event.beforeImage());
            writeImage(json, "after", event.afterImage());
            json.writeEndObject();
            json.writeStringField("error", event.cause());
            writeSource(out, event, Optional.of(event.table()));
            json.writeStringField("op", event.operation().code());
            json.writeNumberField("ts_ms", clock.millis());
            json.writeEndObject();
        });
    }

    private static void writeImage(JsonGenerator json, String field, Optional<byte[]> image) throws IOException {
        json.writeStringField(field, image.map(HexFormat.of()::formatHex).orElse(null));
    }

    private List<EncodedRecord> transactionRecord(
            TransactionInfo info,
            String id,
            String status,
            OptionalLong eventCount,
            Optional<Map<ObjectName, Long>> eventCounts) {
        if (!options.transactionMetadata()) {
            return List.of();
        }
        Optional<byte[]> key = ifKeys(transactionKeyPrefix, out -> {
            out.json().writeStartObject();
            writeTransactionId(out.json(), info.number());
            out.json().writeEndObject();
        });
        byte[] value = encoded(transactionValuePrefix, out -> {
            JsonGenerator json = out.json();
            json.writeStartObject();
            json.writeStringField("status", status);
            writeTransactionId(json, info.number());
            switch (options.envelope()) {
                case DEBEZIUM -> {
                    writeCounts(json, eventCount, eventCounts);
                    json.writeNumberField("ts_ms", info.timestampMillis());
                }
                case FB_STREAMING -> {
                    json.writeNumberField("ts_ms", info.timestampMillis());
                    writeCounts(json, eventCount, eventCounts);
                }
            }
            json.writeEndObject();
        });
        return List.of(new EncodedRecord(topics.transactions(), key, Optional.of(value), id, headers(id)));
    }

    private void writeCounts(JsonGenerator json, OptionalLong eventCount, Optional<Map<ObjectName, Long>> eventCounts)
            throws IOException {
        if (eventCount.isPresent()) {
            json.writeNumberField("event_count", eventCount.getAsLong());
        } else {
            json.writeNullField("event_count");
        }
        json.writeFieldName("data_collections");
        if (eventCounts.isEmpty()) {
            json.writeNull();
            return;
        }
        json.writeStartArray();
        for (Map.Entry<ObjectName, Long> count : eventCounts.get().entrySet()) {
            json.writeStartObject();
            json.writeStringField("data_collection", collection(count.getKey()));
            json.writeNumberField("event_count", count.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private String collection(ObjectName table) {
        return switch (options.envelope()) {
            case DEBEZIUM -> table.toString();
            case FB_STREAMING -> options.logicalName() + ".cdc." + table;
        };
    }

    private EncodedPlan plan(ChangeEvent event) {
        EncodedPlan known = plans.get(event.version());
        if (known != null) {
            return known;
        }
        if (plans.size() >= MAX_PLANS) {
            // versions that are still in use come back at the price of one plan each
            plans.clear();
        }
        return plans.computeIfAbsent(event.version(), version -> {
            try {
                TablePlan plan = new TablePlan(version, options, topics);
                return new EncodedPlan(
                        plan,
                        prefix(options.keySchema(), () -> schemas.key(version.table(), plan.fields(plan.key()))),
                        prefix(options.valueSchema(), () -> schemas.envelope(version, plan.fields(plan.columns()))));
            } catch (UnencodableException e) {
                throw new EncodeException(event.position(), version.table(), e.getMessage(), e);
            }
        });
    }

    /** What stands before the payload: nothing, or the schema. */
    private byte[] prefix(boolean withSchema, Supplier<ConnectSchema> schema) {
        if (!withSchema) {
            return NO_PREFIX;
        }
        return withOutput(out -> {
            out.raw(SCHEMA_START);
            schema.get().write(out.json());
            out.raw(PAYLOAD_START);
        });
    }

    private Optional<byte[]> ifKeys(byte[] prefix, Body payload) {
        return options.keyEnabled() ? Optional.of(encoded(prefix, payload)) : Optional.empty();
    }

    private byte[] encoded(byte[] prefix, Body payload) {
        return withOutput(out -> {
            if (prefix.length == 0) {
                payload.write(out);
            } else {
                out.raw(prefix);
                payload.write(out);
                out.raw(END);
            }
        });
    }

    private byte[] withOutput(Body body) {
        try {
            JsonOutput idle = outputs.poll();
            JsonOutput out = idle == null ? new JsonOutput(factory) : idle;
            body.write(out);
            byte[] bytes = out.take();
            if (bytes.length <= MAX_KEPT_BYTES) {
                outputs.offer(out);
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
