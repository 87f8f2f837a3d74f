package org.firebirdcdc.checkpoint;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;

/** The written form of a checkpoint: JSON that a person can read, with a version. */
final class CheckpointCodec {

    /** Version of the form; a reader refuses newer ones. */
    static final int VERSION = 1;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private CheckpointCodec() {}

    static byte[] write(Checkpoint checkpoint) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n"));
        printer.indentObjectsWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n"));
        try (JsonGenerator json = new JsonFactory().createGenerator(out, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(printer);
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeStringField("guid", checkpoint.guid().toString());
            json.writeStringField("position", checkpoint.position().toString());
            json.writeNumberField("incompleteUpTo", checkpoint.incompleteUpTo());
            json.writeArrayFieldStart("open");
            for (OpenTransactionMark mark : checkpoint.open()) {
                json.writeStartObject();
                json.writeNumberField("transaction", mark.number());
                json.writeStringField("begin", mark.begin().toString());
                json.writeStringField(
                        "since", Instant.ofEpochMilli(mark.sinceMillis()).toString());
                if (mark.firstNeeded().isPresent()) {
                    json.writeStringField(
                            "firstNeeded", mark.firstNeeded().get().toString());
                }
                json.writeNumberField("savepoints", mark.savepoints());
                json.writeNumberField("changes", mark.changes());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("dead");
            for (long number : checkpoint.dead()) {
                json.writeNumber(number);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("segments");
            for (SegmentMark segment : checkpoint.segments()) {
                json.writeStartObject();
                json.writeNumberField("sequence", segment.sequence());
                json.writeNumberField("length", segment.length());
                json.writeStringField(
                        "modified",
                        Instant.ofEpochMilli(segment.modifiedMillis()).toString());
                json.writeStringField("digest", segment.digest());
                json.writeBooleanField("holdsCommit", segment.holdsCommit());
                if (segment.leftOver()) {
                    json.writeBooleanField("leftOver", true);
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        out.write('\n');
        return out.toByteArray();
    }

    /**
     * @param where names the store's place, for errors
     * @throws CheckpointException if the bytes are not a checkpoint of this database that this version can read
     */
    static Checkpoint read(byte[] bytes, DatabaseGuid expected, String where) {
        try {
            JsonNode root = MAPPER.readTree(bytes);
            int version = required(root, "version").asInt();
            if (version > VERSION) {
                throw new CheckpointException(where + ": the checkpoint was written in version " + version
                        + " of its form, this program knows versions up to " + VERSION
                        + ". Run the newer program, or give checkpointDirectory another value to start anew");
            }
            DatabaseGuid guid = DatabaseGuid.parse(required(root, "guid").asText());
            if (!guid.equals(expected)) {
                throw new CheckpointException(where + ": the checkpoint is of database " + guid + ", not of " + expected
                        + ". Put the right file there, or move this one away to start anew");
            }
            List<OpenTransactionMark> open = new ArrayList<>();
            for (JsonNode mark : required(root, "open")) {
                open.add(new OpenTransactionMark(
                        number(mark, "transaction"),
                        position(required(mark, "begin")),
                        time(mark, "since"),
                        Optional.ofNullable(mark.get("firstNeeded")).map(CheckpointCodec::position),
                        Math.toIntExact(number(mark, "savepoints")),
                        number(mark, "changes")));
            }
            List<SegmentMark> segments = new ArrayList<>();
            for (JsonNode segment : required(root, "segments")) {
                segments.add(new SegmentMark(
                        number(segment, "sequence"),
                        number(segment, "length"),
                        time(segment, "modified"),
                        required(segment, "digest").asText(),
                        required(segment, "holdsCommit").asBoolean(),
                        segment.path("leftOver").asBoolean(false)));
            }
            List<Long> dead = new ArrayList<>();
            required(root, "dead").forEach(number -> dead.add(number.asLong()));
            return new Checkpoint(
                    guid, position(required(root, "position")), open, segments, dead, number(root, "incompleteUpTo"));
        } catch (IOException | IllegalArgumentException | ArithmeticException e) {
            throw new CheckpointException(
                    where + ": this is no checkpoint (" + e.getMessage()
                            + "), it was cut off or edited. Bring back a copy of"
                            + " it; or, knowing that changes may be delivered again or missed, move the file away and say"
                            + " with startFrom where to begin",
                    e);
        }
    }

    private static JsonNode required(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            throw new IllegalArgumentException("the field '" + field + "' is missing");
        }
        return value;
    }

    private static long number(JsonNode node, String field) {
        JsonNode value = required(node, field);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 0) {
            throw new IllegalArgumentException("the field '" + field + "' is not a whole number of 0 or more");
        }
        return value.asLong();
    }

    private static long time(JsonNode node, String field) {
        try {
            return Instant.parse(required(node, field).asText()).toEpochMilli();
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException("the field '" + field + "' is not a time", e);
        }
    }

    private static JournalPosition position(JsonNode node) {
        return JournalPosition.parse(node.asText());
    }
}
