package org.firebirdcdc.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.CharArrayWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.DdlEvent;
import org.firebirdcdc.transaction.EventEncoder;
import org.firebirdcdc.transaction.EventIterator;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.RawEvent;
import org.firebirdcdc.transaction.SequenceValue;

/**
 * Prints events as JSON, one line each. A line is printed only when all lines of its transaction could be made.
 *
 * <pre>
 *   {"position":"3:1045","tx":12,"order":1,"table":"T","op":"u","topic":"firebird.T","key":{…},"value":{…}}
 *   {"position":"3:1045","tx":12,"order":2,"op":"ddl","owner":"SYSDBA","sql":"…"}
 *   {"position":"3:1045","op":"seq","sequence":"G","value":42}
 * </pre>
 */
final class EventLines {

    /** Characters that are kept before a transaction is looked through once before it is printed. */
    static final int KEPT = 4 * 1024 * 1024;

    /** Printed characters after which it is asked whether anybody still reads. */
    private static final int CHECK_INTERVAL = 64 * 1024;

    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder().rootValueSeparator("").build();

    private final EventEncoder encoder;
    private final PrintWriter out;
    private final int kept;
    private final CharArrayWriter lines = new CharArrayWriter();
    private final JsonGenerator json;
    private long unchecked;

    EventLines(EventEncoder encoder, PrintWriter out, int kept) {
        this.encoder = encoder;
        this.out = out;
        this.kept = kept;
        try {
            this.json = FACTORY.createGenerator(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Prints all events of a transaction, or none: throws what decoding and encoding throw.
     *
     * @return false if output cannot be written any more
     */
    boolean print(JournalTransaction transaction) {
        try {
            long made = 0;
            boolean all = true;
            try (EventIterator events = transaction.iterator()) {
                while (events.hasNext()) {
                    JournalEvent event = events.next();
                    if (lines.size() < kept) {
                        write(event);
                        made++;
                    } else {
                        tryOut(event);
                        all = false;
                    }
                }
            }
            return printLines() && (all || printFrom(transaction, made));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #print(JournalTransaction)}. */
    boolean print(SequenceValue value) {
        try {
            json.writeStartObject();
            json.writeStringField("position", value.position().toString());
            json.writeStringField("op", "seq");
            json.writeStringField("sequence", value.sequence().toString());
            json.writeNumberField("value", value.value());
            endLine();
            return printLines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The events from an index on; all are known to have a line. */
    private boolean printFrom(JournalTransaction transaction, long first) throws IOException {
        try (EventIterator events = transaction.iterator()) {
            for (long index = 0; events.hasNext(); index++) {
                JournalEvent event = events.next();
                if (index >= first) {
                    write(event);
                    if (lines.size() >= kept && !printLines()) {
                        return false;
                    }
                }
            }
        }
        return printLines();
    }

    /** Does what can fail. */
    private void tryOut(JournalEvent event) {
        encoder.key(event);
        encoder.value(event);
    }

    private boolean printLines() throws IOException {
        json.flush();
        unchecked += lines.size();
        lines.writeTo(out);
        lines.reset();
        if (unchecked < CHECK_INTERVAL) {
            return true;
        }
        unchecked = 0;
        return !out.checkError();
    }

    private void write(JournalEvent event) throws IOException {
        json.writeStartObject();
        json.writeStringField("position", event.position().toString());
        json.writeNumberField("tx", event.transaction().number());
        json.writeNumberField("order", event.order());
        switch (event.kind()) {
            case CHANGE -> {
                ChangeEvent change = (ChangeEvent) event;
                writeRecord(event, change.table(), change.operation());
            }
            case RAW -> {
                RawEvent raw = (RawEvent) event;
                writeRecord(event, raw.table(), raw.operation());
            }
            case DDL -> {
                DdlEvent statement = (DdlEvent) event;
                json.writeStringField("op", "ddl");
                json.writeStringField("owner", statement.owner());
                json.writeStringField("sql", statement.sql());
            }
        }
        endLine();
    }

    private void writeRecord(JournalEvent event, ObjectName table, Operation operation) throws IOException {
        json.writeStringField("table", table.toString());
        json.writeStringField("op", operation.code());
        json.writeStringField("topic", encoder.topic(event));
        json.writeFieldName("key");
        Optional<byte[]> key = encoder.key(event);
        if (key.isPresent()) {
            writeJson(key.get());
        } else {
            json.writeNull();
        }
        json.writeFieldName("value");
        writeJson(encoder.value(event));
    }

    private void writeJson(byte[] text) throws IOException {
        json.writeRawValue(new String(text, StandardCharsets.UTF_8));
    }

    private void endLine() throws IOException {
        json.writeEndObject();
        json.writeRaw('\n');
    }
}
