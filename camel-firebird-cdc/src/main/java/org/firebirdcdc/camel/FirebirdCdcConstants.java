package org.firebirdcdc.camel;

import org.apache.camel.spi.Metadata;

/**
 * Headers of the exchanges, and of the elements when the body is split. Names that begin with {@code Camel} do not leave
 * Camel: Kafka, HTTP and JMS endpoints filter them.
 */
public final class FirebirdCdcConstants {

    @Metadata(
            description =
                    "What the body is: transaction; of an element of a split: change, ddl or raw; of a sequence value: sequence",
            javaType = "String",
            important = true)
    public static final String KIND = "CamelFirebirdCdcKind";

    @Metadata(
            description = "Identity of the event, the same each time the same journal is read: {GUID}/segment:offset of"
                    + " its operation; of a transaction that of its commit",
            javaType = "String",
            important = true)
    public static final String EVENT_ID = "CamelFirebirdCdcEventId";

    @Metadata(description = "GUID of the database, as {GUID}", javaType = "String")
    public static final String DATABASE_GUID = "CamelFirebirdCdcDatabaseGuid";

    @Metadata(
            description =
                    "Position of the operation in the journal, segment:offset; of a transaction that of its commit",
            javaType = "String",
            important = true)
    public static final String POSITION = "CamelFirebirdCdcPosition";

    @Metadata(description = "Number of the segment in which the operation stands", javaType = "Long")
    public static final String SEGMENT = "CamelFirebirdCdcSegment";

    @Metadata(
            description =
                    "Last-modified time of the segment file that holds the commit, milliseconds since 1970 UTC: the"
                            + " journal has no commit time",
            javaType = "Long")
    public static final String TIMESTAMP_MILLIS = "CamelFirebirdCdcTimestampMillis";

    @Metadata(description = "Firebird's number of the transaction", javaType = "Long", important = true)
    public static final String TRANSACTION = "CamelFirebirdCdcTransaction";

    @Metadata(description = "Position of the commit in the journal, segment:offset", javaType = "String")
    public static final String COMMIT_POSITION = "CamelFirebirdCdcCommitPosition";

    @Metadata(description = "Number of events of the transaction", javaType = "Long")
    public static final String EVENT_COUNT = "CamelFirebirdCdcEventCount";

    @Metadata(
            description = "Place of the event among those of its transaction, from 1",
            javaType = "Long",
            important = true)
    public static final String ORDER = "CamelFirebirdCdcOrder";

    @Metadata(
            description = "Name of the table of a row change, without its schema",
            javaType = "String",
            important = true)
    public static final String TABLE = "CamelFirebirdCdcTable";

    @Metadata(description = "Schema of the table or sequence (Firebird 6); no header before", javaType = "String")
    public static final String SCHEMA = "CamelFirebirdCdcSchema";

    @Metadata(
            description = "What happened to the row: c (insert), u (update), d (delete)",
            javaType = "String",
            important = true)
    public static final String OPERATION = "CamelFirebirdCdcOperation";

    @Metadata(
            description = "Key of the event's record as JSON text; no header where it has no key",
            javaType = "String",
            important = true)
    public static final String KEY = "CamelFirebirdCdcKey";

    @Metadata(description = "Topic of the event's record", javaType = "String", important = true)
    public static final String TOPIC = "CamelFirebirdCdcTopic";

    @Metadata(
            description = "Number of the record format of a row change; it rises when the table is altered",
            javaType = "Integer")
    public static final String FORMAT = "CamelFirebirdCdcFormat";

    @Metadata(
            description = "Why the record of a raw event (onDecodeError=raw) could not be decoded",
            javaType = "String")
    public static final String CAUSE = "CamelFirebirdCdcCause";

    @Metadata(description = "Name of a sequence, without its schema", javaType = "String")
    public static final String SEQUENCE = "CamelFirebirdCdcSequence";

    private FirebirdCdcConstants() {}
}
