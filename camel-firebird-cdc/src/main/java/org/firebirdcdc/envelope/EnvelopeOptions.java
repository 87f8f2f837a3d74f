package org.firebirdcdc.envelope;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All knobs of the outer form (formats.md 1). Immutable. Each has the name under which users know it; a profile gives
 * defaults and nothing else.
 */
public final class EnvelopeOptions {

    private static final List<String> NAMES = List.of(
            "profile",
            "envelope",
            "logicalName",
            "topicPrefix",
            "topicPattern",
            "transactionTopic",
            "decimals",
            "times",
            "binary",
            "keyEnabled",
            "keySchema",
            "valueSchema",
            "keyColumns",
            "keyUpdates",
            "tombstones",
            "unavailableValue",
            "trimChar",
            "transactionMetadata",
            "includeBlobs",
            "blobInlineLimit",
            "blobOverflow");

    /** Written for {@code unavailableValue} where JSON null is wanted. */
    private static final String NULL = "null";

    /** Twice as many hexadecimal digits, and what is around them, still fit an array. */
    private static final long MAX_INLINE = 512L << 20;

    private static final Pattern SIZE = Pattern.compile("(\\d{1,18}) ?(B|KB|MB|GB|)", Pattern.CASE_INSENSITIVE);

    private final Map<String, String> given;
    private final Profile profile;
    private final EnvelopeForm envelope;
    private final String topicPrefix;
    private final String logicalName;
    private final TopicPattern topicPattern;
    private final TopicPattern transactionTopic;
    private final DecimalMode decimals;
    private final TimeMode times;
    private final BinaryMode binary;
    private final boolean keyEnabled;
    private final boolean keySchema;
    private final boolean valueSchema;
    private final KeyColumns keyColumns;
    private final KeyUpdate keyUpdates;
    private final boolean tombstones;
    private final Optional<String> unavailableValue;
    private final boolean trimChar;
    private final boolean transactionMetadata;
    private final boolean includeBlobs;
    private final long blobInlineLimit;
    private final BlobOverflow blobOverflow;

    private EnvelopeOptions(Map<String, String> given) {
        this.given = given;
        profile = choice("profile", Profile.values(), Profile.DEBEZIUM);
        boolean debezium = profile == Profile.DEBEZIUM;
        envelope =
                choice("envelope", EnvelopeForm.values(), debezium ? EnvelopeForm.DEBEZIUM : EnvelopeForm.FB_STREAMING);
        topicPrefix = text("topicPrefix", "firebird");
        if (topicPrefix.isBlank()) {
            throw new IllegalArgumentException("topicPrefix is empty");
        }
        logicalName = text("logicalName", debezium ? topicPrefix : "fbstreaming");
        topicPattern = TopicPattern.ofTable(
                "topicPattern", text("topicPattern", debezium ? "${prefix}.${schema}.${table}" : "${prefix}.cdc"));
        transactionTopic = TopicPattern.ofPrefix("transactionTopic", text("transactionTopic", "${prefix}.transaction"));
        decimals = choice("decimals", DecimalMode.values(), debezium ? DecimalMode.PRECISE : DecimalMode.STRING);
        times = choice("times", TimeMode.values(), debezium ? TimeMode.ADAPTIVE : TimeMode.FIREBIRD);
        binary = choice("binary", BinaryMode.values(), debezium ? BinaryMode.BYTES : BinaryMode.HEX);
        keyEnabled = flag("keyEnabled", true);
        keySchema = flag("keySchema", false);
        valueSchema = flag("valueSchema", false);
        keyColumns = value("keyColumns", KeyColumns::parse, KeyColumns.NONE);
        keyUpdates = choice("keyUpdates", KeyUpdate.values(), debezium ? KeyUpdate.SPLIT : KeyUpdate.SINGLE);
        tombstones = flag("tombstones", debezium);
        unavailableValue = Optional.of(text("unavailableValue", debezium ? "__debezium_unavailable_value" : NULL))
                .filter(text -> !text.equals(NULL));
        trimChar = flag("trimChar", !debezium);
        transactionMetadata = flag("transactionMetadata", false);
        includeBlobs = flag("includeBlobs", true);
        blobInlineLimit = value("blobInlineLimit", EnvelopeOptions::size, 4L << 20);
        blobOverflow = choice("blobOverflow", BlobOverflow.values(), BlobOverflow.FAIL);
    }

    /** The profile {@code debezium} as it is. */
    public static EnvelopeOptions defaults() {
        return of(Map.of());
    }

    /**
     * @param texts option names and their values as users write them; what is left out has the profile's default
     * @throws IllegalArgumentException on an unknown name or value; lists those that are known
     */
    public static EnvelopeOptions of(Map<String, String> texts) {
        for (String name : texts.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        name + " is not an option of the event form; there are: " + String.join(", ", NAMES));
            }
        }
        return new EnvelopeOptions(new LinkedHashMap<>(texts));
    }

    /** Names of all options, to tell them from those of others. */
    public static List<String> names() {
        return NAMES;
    }

    /** The same options with one set; throws as {@link #of}. */
    public EnvelopeOptions with(String name, String text) {
        Map<String, String> texts = new HashMap<>(given);
        texts.put(name, text);
        return of(texts);
    }

    public Profile profile() {
        return profile;
    }

    /** Fields and schemas around the row; default as the profile is called. */
    public EnvelopeForm envelope() {
        return envelope;
    }

    /** Beginning of topic names. */
    public String topicPrefix() {
        return topicPrefix;
    }

    /** Beginning of schema names, {@code source.name}: the topic prefix, or {@code fbstreaming}. */
    public String logicalName() {
        return logicalName;
    }

    TopicPattern topicPattern() {
        return topicPattern;
    }

    TopicPattern transactionTopic() {
        return transactionTopic;
    }

    public DecimalMode decimals() {
        return decimals;
    }

    public TimeMode times() {
        return times;
    }

    public BinaryMode binary() {
        return binary;
    }

    /** Whether records have keys at all. */
    public boolean keyEnabled() {
        return keyEnabled;
    }

    /** Whether keys go out with their schema. */
    public boolean keySchema() {
        return keySchema;
    }

    /** Whether values go out with their schema. */
    public boolean valueSchema() {
        return valueSchema;
    }

    public KeyColumns keyColumns() {
        return keyColumns;
    }

    public KeyUpdate keyUpdates() {
        return keyUpdates;
    }

    /** Whether a record without value follows a delete. */
    public boolean tombstones() {
        return tombstones;
    }

    /** Stands for contents that the journal does not hold or that are not captured; empty for JSON null. */
    public Optional<String> unavailableValue() {
        return unavailableValue;
    }

    /** Whether the blanks at the end of CHAR values are cut. */
    public boolean trimChar() {
        return trimChar;
    }

    /** Whether there are BEGIN and END records and transaction blocks. */
    public boolean transactionMetadata() {
        return transactionMetadata;
    }

    /** Whether contents of blobs and arrays go out. */
    public boolean includeBlobs() {
        return includeBlobs;
    }

    /** Longest content of a blob or array that goes out whole, stored bytes. */
    public long blobInlineLimit() {
        return blobInlineLimit;
    }

    /** Longest content of a blob or array that is in events, stored bytes; 0 if none is. */
    public long longestContent() {
        return includeBlobs ? blobInlineLimit : 0;
    }

    public BlobOverflow blobOverflow() {
        return blobOverflow;
    }

    private String text(String name, String otherwise) {
        return given.getOrDefault(name, otherwise);
    }

    private <T> T value(String name, Function<String, T> parser, T otherwise) {
        String text = given.get(name);
        return text == null ? otherwise : parser.apply(text);
    }

    private <C extends Choice> C choice(String name, C[] allowed, C otherwise) {
        return value(name, text -> Choice.parse(name, text, allowed), otherwise);
    }

    private boolean flag(String name, boolean otherwise) {
        String text = text(name, String.valueOf(otherwise));
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + "=" + text + " is not known; use one of: true, false");
        };
    }

    private static long size(String text) {
        Matcher size = SIZE.matcher(text);
        if (size.matches()) {
            int shift =
                    switch (size.group(2).toUpperCase(Locale.ROOT)) {
                        case "KB" -> 10;
                        case "MB" -> 20;
                        case "GB" -> 30;
                        default -> 0;
                    };
            long number = Long.parseLong(size.group(1));
            if (number <= MAX_INLINE >> shift) {
                return number << shift;
            }
        }
        throw new IllegalArgumentException(
                "blobInlineLimit=" + text + " is not a size up to 512MB; write for example 65536, 64KB or 4MB");
    }

    /** What was set, by name; the rest is as the profile says. */
    @Override
    public String toString() {
        return given.toString();
    }
}
