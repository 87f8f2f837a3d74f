package org.firebirdcdc.camel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.spi.Configurer;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;
import org.firebirdcdc.capture.OnGap;
import org.firebirdcdc.capture.Processed;
import org.firebirdcdc.capture.UnknownTransaction;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.record.MalformedText;
import org.firebirdcdc.transaction.OnDecodeError;

/**
 * All options but the directory and those of the scheduled poll. Set on an endpoint, or on the component for all of its
 * endpoints. Bean properties as Camel binds them: null is what was not set.
 */
@Configurer
@UriParams
public class FirebirdCdcConfiguration implements Cloneable {

    @UriParam(
            label = "consumer",
            description = "Database that the metadata (column names, types, keys) is read from: "
                    + "`jdbc:firebird://host:3050/name` or short `host:port/name`, where name is an alias of "
                    + "the server or a path there. The journal itself holds no column names, so a database, "
                    + "a data source or catalog files are needed.")
    private String database;

    @UriParam(
            label = "consumer,security",
            description = "User who reads the metadata from the database. The right to read the system tables is "
                    + "enough.")
    private String username;

    @UriParam(label = "consumer,security", secret = true, description = "Password of that user.")
    private String password;

    @UriParam(
            label = "consumer,advanced",
            description = "Data source of the database, instead of database, username and password. Its "
                    + "connections should use the encoding UTF8.")
    private DataSource dataSource;

    @UriParam(
            label = "consumer",
            description = "Catalog files with the metadata, oldest first, with commas between them: instead of "
                    + "the database, or to be looked at before it is asked. The command `catalog` writes "
                    + "such files.")
    private String catalogFiles;

    @UriParam(
            label = "consumer",
            description = "GUID of the database whose history is captured. Without it the checkpoint tells, else "
                    + "the database, else the catalog files, else the only GUID that is present in the "
                    + "directory.")
    private String databaseGuid;

    @UriParam(
            label = "consumer,filter",
            description = "Which tables are captured: a Java regular expression that must match the whole name, "
                    + "in its case: `TABLE`, from Firebird 6 on `SCHEMA.TABLE`. All by default; system "
                    + "tables never are.")
    private String includeTables;

    @UriParam(
            label = "consumer,filter",
            description =
                    "Which of the included tables are left out: a Java regular expression as in " + "includeTables.")
    private String excludeTables;

    @UriParam(
            label = "consumer,filter",
            defaultValue = "c,u,d",
            description = "Which row changes are captured: c (insert), u (update), d (delete), with commas "
                    + "between them.")
    private String operations = "c,u,d";

    @UriParam(
            label = "consumer,filter",
            defaultValue = "true",
            description = "Whether the contents of blobs and arrays are part of the events.")
    private boolean includeBlobs = true;

    @UriParam(
            label = "consumer",
            defaultValue = "4MB",
            description = "Longest content of a blob that is part of an event, in stored bytes, such as `65536`, "
                    + "`64KB` or `4MB`. What happens with longer ones says blobOverflow.")
    private String blobInlineLimit;

    @UriParam(
            label = "consumer",
            defaultValue = "fail",
            enums = "fail,truncate,placeholder",
            description = "What happens with blobs longer than blobInlineLimit: the transaction fails, the "
                    + "content is cut, or unavailableValue stands for it.")
    private String blobOverflow;

    @UriParam(
            label = "consumer,filter",
            defaultValue = "false",
            description = "Whether DDL statements are events of their transaction.")
    private boolean includeDdl = false;

    @UriParam(
            label = "consumer,filter",
            defaultValue = "false",
            description = "Whether values of sequences are delivered, each in an exchange of its own.")
    private boolean includeSequences = false;

    @UriParam(
            label = "consumer,format",
            defaultValue = "false",
            description = "Whether there are BEGIN and END records of each transaction, and a transaction block "
                    + "in each event.")
    private boolean transactionMetadata = false;

    @UriParam(
            label = "consumer,format",
            defaultValue = "debezium",
            enums = "debezium,fb-streaming",
            description = "Form of the events: that of Debezium, or that of Firebird's kafka_cdc_plugin. A "
                    + "profile gives other options their defaults.")
    private String profile;

    @UriParam(
            label = "consumer,format",
            defaultValue = "firebird",
            description = "Beginning of topic names, and of the names of schemas in the debezium profile.")
    private String topicPrefix;

    @UriParam(
            label = "consumer,format",
            // the catalog drops square brackets
            description = "Topic of an event, made of ${prefix}, ${schema} and ${table}; in a URI, where Camel would "
                    + "resolve these, of topicPrefix and tableName in square brackets, each behind a dollar sign. "
                    + "Default ${prefix}.${table}, from Firebird 6 on ${prefix}.${schema}.${table}; in the "
                    + "fb-streaming profile ${prefix}.cdc.")
    private String topicPattern;

    @UriParam(
            label = "consumer,format",
            description = "Topic of BEGIN and END records. Default `${prefix}.transaction`.")
    private String transactionTopic;

    @UriParam(
            label = "consumer,format",
            enums = "precise,string,double",
            description = "Form of NUMERIC, DECIMAL and INT128: base64 of the unscaled value, text, or floating "
                    + "point. Default precise; in the fb-streaming profile string.")
    private String decimals;

    @UriParam(
            label = "consumer,format",
            enums = "adaptive,adaptive_time_microseconds,connect,isostring,microseconds,nanoseconds,firebird",
            description = "Form of dates and times. Default adaptive; in the fb-streaming profile firebird.")
    private String times;

    @UriParam(
            label = "consumer,format",
            enums = "bytes,base64,base64-url-safe,hex",
            description = "Form of binary columns and blobs. Default bytes (base64 text in JSON); in the "
                    + "fb-streaming profile hex.")
    private String binary;

    @UriParam(label = "consumer,format", defaultValue = "true", description = "Whether records have keys.")
    private boolean keyEnabled = true;

    @UriParam(label = "consumer,format", defaultValue = "false", description = "Whether keys go out with their schema.")
    private boolean keySchema = false;

    @UriParam(
            label = "consumer,format",
            defaultValue = "false",
            description = "Whether values go out with their schema.")
    private boolean valueSchema = false;

    @UriParam(
            label = "consumer,format",
            description = "Key columns of tables, `TABLE:COL,COL;TABLE2:COL`. Without it the key is the primary "
                    + "key, else the first UNIQUE constraint whose columns are all NOT NULL, else such a "
                    + "unique index, else there is none.")
    private String keyColumns;

    @UriParam(
            label = "consumer,format",
            // otherwise the catalog says false, as of every boolean
            defaultValue = "true",
            description = "Whether a record without value follows a delete. Default true; in the fb-streaming "
                    + "profile false.")
    private Boolean tombstones;

    @UriParam(
            label = "consumer,format",
            description = "Stands for contents that the journal does not hold or that are not captured; `null` "
                    + "for JSON null. Default `__debezium_unavailable_value`; in the fb-streaming profile "
                    + "null.")
    private String unavailableValue;

    @UriParam(
            label = "consumer,format",
            description = "Whether the blanks at the end of CHAR values are cut. Default false; in the "
                    + "fb-streaming profile true.")
    private Boolean trimChar;

    @UriParam(
            label = "consumer",
            defaultValue = "UTF-8",
            description = "How text of CHARACTER SET NONE is read: a name of Firebird such as WIN1251, or of "
                    + "Java such as windows-1251.")
    private String noneCharset = "UTF-8";

    @UriParam(
            label = "consumer",
            defaultValue = "fail",
            enums = "fail,replace",
            description = "What happens with text whose bytes are malformed in its character set: the "
                    + "transaction fails, or the replacement character stands for each malformed part.")
    private MalformedText malformedText = MalformedText.FAIL;

    @UriParam(
            label = "consumer",
            defaultValue = "earliest",
            description = "Where capture begins when there is no checkpoint: earliest (lowest segment present), "
                    + "latest (behind the newest), or the number of a segment. Transactions whose beginning "
                    + "is not in view are dropped then.")
    private String startFrom = "earliest";

    @UriParam(
            label = "consumer",
            description = "Directory of the checkpoint file `firebird-cdc-{GUID}.json` and of the lock beside "
                    + "it. Default is the segment directory.")
    private String checkpointDirectory;

    @UriParam(
            label = "consumer,advanced",
            description = "Keeps the checkpoint, instead of files in checkpointDirectory.")
    private CheckpointStore checkpointStore;

    @UriParam(
            label = "consumer",
            defaultValue = "1s",
            javaType = "java.time.Duration",
            description = "At most so much is repeated after a crash, beside what is in flight. At the end of a "
                    + "segment and at stop the checkpoint is always written.")
    private long checkpointInterval = 1000;

    @UriParam(
            label = "consumer",
            defaultValue = "keep",
            enums = "keep,delete,move",
            description = "What happens with a segment when no open transaction and no unfinished exchange needs "
                    + "it any more.")
    private Processed processed = Processed.KEEP;

    @UriParam(
            label = "consumer",
            description = "Where processed=move moves segments to; a relative path starts from the segment "
                    + "directory. Default is the folder done there.")
    private String moveTo;

    @UriParam(
            label = "consumer",
            defaultValue = "1",
            description = "How many exchanges may be handed over before the first of them is acknowledged. They "
                    + "are submitted in commit order, and the checkpoint follows the oldest unfinished one. "
                    + "After a failure what was in flight is delivered again.")
    private int maxInFlight = 1;

    @UriParam(
            label = "consumer",
            defaultValue = "wait",
            enums = "wait,fail,skip",
            description = "What happens when a segment is missing while later ones are there: capture waits and "
                    + "its health goes down, the poll fails, or reading goes on behind the gap: then what "
                    + "the missing segment holds is lost.")
    private OnGap onGap = OnGap.WAIT;

    @UriParam(
            label = "consumer",
            defaultValue = "fail",
            enums = "fail,skip,raw",
            description = "What happens with a record that cannot be decoded: the transaction fails, the record "
                    + "is left out (logged and counted), or an event with its bytes and the cause takes its "
                    + "place.")
    private OnDecodeError onDecodeError = OnDecodeError.FAIL;

    @UriParam(
            label = "consumer",
            defaultValue = "fail",
            enums = "fail,warn",
            description = "What happens with a commit whose beginning was never read although there is a "
                    + "checkpoint: the poll fails, or a warning is logged and the transaction is dropped.")
    private UnknownTransaction unknownTransaction = UnknownTransaction.FAIL;

    @UriParam(
            label = "consumer,advanced",
            javaType = "java.time.Duration",
            description = "Transactions that stay open for longer than this are dropped; their changes are "
                    + "counted and logged. Off by default.")
    private long abandonAfter = 0;

    /** An independent copy. */
    public FirebirdCdcConfiguration copy() {
        try {
            return (FirebirdCdcConfiguration) clone();
        } catch (CloneNotSupportedException e) {
            throw new RuntimeCamelException(e);
        }
    }

    /** The options of the event form by name, as far as they are set. */
    Map<String, String> form() {
        Map<String, String> form = new LinkedHashMap<>();
        put(form, "profile", profile);
        put(form, "topicPrefix", topicPrefix);
        put(form, "topicPattern", topicPattern);
        put(form, "transactionTopic", transactionTopic);
        put(form, "decimals", decimals);
        put(form, "times", times);
        put(form, "binary", binary);
        put(form, "keyEnabled", keyEnabled);
        put(form, "keySchema", keySchema);
        put(form, "valueSchema", valueSchema);
        put(form, "keyColumns", keyColumns);
        put(form, "tombstones", tombstones);
        put(form, "unavailableValue", unavailableValue);
        put(form, "trimChar", trimChar);
        put(form, "transactionMetadata", transactionMetadata);
        put(form, "includeBlobs", includeBlobs);
        put(form, "blobInlineLimit", blobInlineLimit);
        put(form, "blobOverflow", blobOverflow);
        return form;
    }

    private static void put(Map<String, String> form, String name, Object value) {
        Optional.ofNullable(value).ifPresent(v -> form.put(name, v.toString()));
    }

    public String getDatabase() {
        return database;
    }

    public void setDatabase(String database) {
        this.database = database;
    }

    public String getUsername() {
        return username;
    }

    public void setUsername(String username) {
        this.username = username;
    }

    public String getPassword() {
        return password;
    }

    public void setPassword(String password) {
        this.password = password;
    }

    public DataSource getDataSource() {
        return dataSource;
    }

    public void setDataSource(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public String getCatalogFiles() {
        return catalogFiles;
    }

    public void setCatalogFiles(String catalogFiles) {
        this.catalogFiles = catalogFiles;
    }

    public String getDatabaseGuid() {
        return databaseGuid;
    }

    public void setDatabaseGuid(String databaseGuid) {
        this.databaseGuid = databaseGuid;
    }

    public String getIncludeTables() {
        return includeTables;
    }

    public void setIncludeTables(String includeTables) {
        this.includeTables = includeTables;
    }

    public String getExcludeTables() {
        return excludeTables;
    }

    public void setExcludeTables(String excludeTables) {
        this.excludeTables = excludeTables;
    }

    public String getOperations() {
        return operations;
    }

    public void setOperations(String operations) {
        this.operations = operations;
    }

    public boolean isIncludeBlobs() {
        return includeBlobs;
    }

    public void setIncludeBlobs(boolean includeBlobs) {
        this.includeBlobs = includeBlobs;
    }

    public String getBlobInlineLimit() {
        return blobInlineLimit;
    }

    public void setBlobInlineLimit(String blobInlineLimit) {
        this.blobInlineLimit = blobInlineLimit;
    }

    public String getBlobOverflow() {
        return blobOverflow;
    }

    public void setBlobOverflow(String blobOverflow) {
        this.blobOverflow = blobOverflow;
    }

    public boolean isIncludeDdl() {
        return includeDdl;
    }

    public void setIncludeDdl(boolean includeDdl) {
        this.includeDdl = includeDdl;
    }

    public boolean isIncludeSequences() {
        return includeSequences;
    }

    public void setIncludeSequences(boolean includeSequences) {
        this.includeSequences = includeSequences;
    }

    public boolean isTransactionMetadata() {
        return transactionMetadata;
    }

    public void setTransactionMetadata(boolean transactionMetadata) {
        this.transactionMetadata = transactionMetadata;
    }

    public String getProfile() {
        return profile;
    }

    public void setProfile(String profile) {
        this.profile = profile;
    }

    public String getTopicPrefix() {
        return topicPrefix;
    }

    public void setTopicPrefix(String topicPrefix) {
        this.topicPrefix = topicPrefix;
    }

    public String getTopicPattern() {
        return topicPattern;
    }

    public void setTopicPattern(String topicPattern) {
        this.topicPattern = topicPattern;
    }

    public String getTransactionTopic() {
        return transactionTopic;
    }

    public void setTransactionTopic(String transactionTopic) {
        this.transactionTopic = transactionTopic;
    }

    public String getDecimals() {
        return decimals;
    }

    public void setDecimals(String decimals) {
        this.decimals = decimals;
    }

    public String getTimes() {
        return times;
    }

    public void setTimes(String times) {
        this.times = times;
    }

    public String getBinary() {
        return binary;
    }

    public void setBinary(String binary) {
        this.binary = binary;
    }

    public boolean isKeyEnabled() {
        return keyEnabled;
    }

    public void setKeyEnabled(boolean keyEnabled) {
        this.keyEnabled = keyEnabled;
    }

    public boolean isKeySchema() {
        return keySchema;
    }

    public void setKeySchema(boolean keySchema) {
        this.keySchema = keySchema;
    }

    public boolean isValueSchema() {
        return valueSchema;
    }

    public void setValueSchema(boolean valueSchema) {
        this.valueSchema = valueSchema;
    }

    public String getKeyColumns() {
        return keyColumns;
    }

    public void setKeyColumns(String keyColumns) {
        this.keyColumns = keyColumns;
    }

    public Boolean getTombstones() {
        return tombstones;
    }

    public void setTombstones(Boolean tombstones) {
        this.tombstones = tombstones;
    }

    public String getUnavailableValue() {
        return unavailableValue;
    }

    public void setUnavailableValue(String unavailableValue) {
        this.unavailableValue = unavailableValue;
    }

    public Boolean getTrimChar() {
        return trimChar;
    }

    public void setTrimChar(Boolean trimChar) {
        this.trimChar = trimChar;
    }

    public String getNoneCharset() {
        return noneCharset;
    }

    public void setNoneCharset(String noneCharset) {
        this.noneCharset = noneCharset;
    }

    public MalformedText getMalformedText() {
        return malformedText;
    }

    public void setMalformedText(MalformedText malformedText) {
        this.malformedText = malformedText;
    }

    public String getStartFrom() {
        return startFrom;
    }

    public void setStartFrom(String startFrom) {
        this.startFrom = startFrom;
    }

    public String getCheckpointDirectory() {
        return checkpointDirectory;
    }

    public void setCheckpointDirectory(String checkpointDirectory) {
        this.checkpointDirectory = checkpointDirectory;
    }

    public CheckpointStore getCheckpointStore() {
        return checkpointStore;
    }

    public void setCheckpointStore(CheckpointStore checkpointStore) {
        this.checkpointStore = checkpointStore;
    }

    public long getCheckpointInterval() {
        return checkpointInterval;
    }

    public void setCheckpointInterval(long checkpointInterval) {
        this.checkpointInterval = checkpointInterval;
    }

    public Processed getProcessed() {
        return processed;
    }

    public void setProcessed(Processed processed) {
        this.processed = processed;
    }

    public String getMoveTo() {
        return moveTo;
    }

    public void setMoveTo(String moveTo) {
        this.moveTo = moveTo;
    }

    public int getMaxInFlight() {
        return maxInFlight;
    }

    public void setMaxInFlight(int maxInFlight) {
        this.maxInFlight = maxInFlight;
    }

    public OnGap getOnGap() {
        return onGap;
    }

    public void setOnGap(OnGap onGap) {
        this.onGap = onGap;
    }

    public OnDecodeError getOnDecodeError() {
        return onDecodeError;
    }

    public void setOnDecodeError(OnDecodeError onDecodeError) {
        this.onDecodeError = onDecodeError;
    }

    public UnknownTransaction getUnknownTransaction() {
        return unknownTransaction;
    }

    public void setUnknownTransaction(UnknownTransaction unknownTransaction) {
        this.unknownTransaction = unknownTransaction;
    }

    public long getAbandonAfter() {
        return abandonAfter;
    }

    public void setAbandonAfter(long abandonAfter) {
        this.abandonAfter = abandonAfter;
    }
}
