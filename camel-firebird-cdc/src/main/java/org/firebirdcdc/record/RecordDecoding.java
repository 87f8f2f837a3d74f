package org.firebirdcdc.record;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Settings of decoding that the journal cannot tell. Immutable; each {@code with…} gives a changed copy. */
public final class RecordDecoding {

    /** NONE as UTF-8, malformed text fails, built-in time zones. */
    public static final RecordDecoding DEFAULT = new RecordDecoding(
            StandardCharsets.UTF_8, MalformedText.FAIL, ReplacementCounter.NONE, TimeZones.builtIn(), 0);

    private final Charset noneCharset;
    private final TextCodec noneCodec;
    private final MalformedText malformedText;
    private final ReplacementCounter replacements;
    private final TimeZones timeZones;
    private final long checkedBlobs;

    private RecordDecoding(
            Charset noneCharset,
            MalformedText malformedText,
            ReplacementCounter replacements,
            TimeZones timeZones,
            long checkedBlobs) {
        this.noneCharset = Objects.requireNonNull(noneCharset, "noneCharset");
        this.noneCodec = TextCodec.of(noneCharset);
        this.malformedText = Objects.requireNonNull(malformedText, "malformedText");
        this.replacements = Objects.requireNonNull(replacements, "replacements");
        this.timeZones = Objects.requireNonNull(timeZones, "timeZones");
        this.checkedBlobs = checkedBlobs;
    }

    /** How text of CHARACTER SET NONE is read. */
    public RecordDecoding withNoneCharset(Charset charset) {
        return new RecordDecoding(charset, malformedText, replacements, timeZones, checkedBlobs);
    }

    /**
     * @param counter told of replaced values; not used with {@link MalformedText#FAIL}
     */
    public RecordDecoding withMalformedText(MalformedText handling, ReplacementCounter counter) {
        return new RecordDecoding(noneCharset, handling, counter, timeZones, checkedBlobs);
    }

    public RecordDecoding withTimeZones(TimeZones zones) {
        return new RecordDecoding(noneCharset, malformedText, replacements, zones, checkedBlobs);
    }

    /**
     * @param bytes up to which length {@link Row#verify()} reads text blobs that are not in memory, to check them: those
     *              that go into events; 0 for none
     */
    public RecordDecoding withCheckedBlobs(long bytes) {
        return new RecordDecoding(noneCharset, malformedText, replacements, timeZones, bytes);
    }

    public Charset noneCharset() {
        return noneCharset;
    }

    public MalformedText malformedText() {
        return malformedText;
    }

    public TimeZones timeZones() {
        return timeZones;
    }

    long checkedBlobs() {
        return checkedBlobs;
    }

    ReplacementCounter replacements() {
        return replacements;
    }

    /**
     * @throws BadValueException if text of this character set cannot be decoded
     */
    TextCodec codec(int charsetId) {
        return charsetId == 0 ? noneCodec : Charsets.codec(charsetId);
    }

    /**
     * Decodes text as {@link #malformedText()} says.
     *
     * @throws BadValueException if the bytes are malformed and that is an error
     */
    String text(TextCodec codec, int charsetId, byte[] bytes, int offset, int length) {
        if (codec.isValid(bytes, offset, length)) {
            return codec.decode(bytes, offset, length);
        }
        return switch (malformedText) {
            case FAIL -> throw malformed(charsetId);
            case REPLACE -> {
                replacements.increment();
                yield codec.decodeReplacing(bytes, offset, length);
            }
        };
    }

    BadValueException malformed(int charsetId) {
        if (charsetId == 0) {
            return new BadValueException(
                    "text of character set NONE is not valid " + noneCharset.name(),
                    "Set noneCharset to the character set in which clients write such columns, "
                            + "or malformedText=replace to deliver it with U+FFFD in place of the wrong bytes");
        }
        return new BadValueException(
                "text is not valid in its character set " + Charsets.name(charsetId),
                "Correct the row in the database, or set malformedText=replace to deliver it with U+FFFD in place of "
                        + "the wrong bytes");
    }
}
