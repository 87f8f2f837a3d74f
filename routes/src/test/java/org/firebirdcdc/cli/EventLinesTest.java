package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.EventSettings;
import org.firebirdcdc.capture.JournalCapture;
import org.firebirdcdc.envelope.EnvelopeOptions;
import org.firebirdcdc.envelope.JsonEventEncoder;
import org.firebirdcdc.schema.DdlTables;
import org.firebirdcdc.testing.Captures;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLinesTest {

    private static final JsonEventEncoder ENCODER = new JsonEventEncoder(
            EnvelopeOptions.defaults(), "TEST", Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), "1.0.0", DdlTables.NONE);

    @TempDir
    private Path scratch;

    @Test
    void transactionThatIsTooLargeToKeepGivesTheSameLines() {
        String whole = print("fb40/05-savepoints", Integer.MAX_VALUE);

        assertThat(whole.lines()).hasSizeGreaterThan(10);
        assertThat(print("fb40/05-savepoints", 1)).isEqualTo(whole);
        assertThat(print("fb40/05-savepoints", 2_000)).isEqualTo(whole);
    }

    private String print(String name, int kept) {
        Recording recording = Corpus.recording(name);
        EventSettings settings =
                Captures.events(new EventSelection(table -> true, Set.of(Operation.values()), true, false));
        StringWriter out = new StringWriter();
        try (JournalCapture capture = Captures.open(
                CaptureSettings.of(recording.segments(scratch)),
                settings,
                recording.catalogs(),
                new NoCheckpointStore())) {
            PrintWriter writer = new PrintWriter(out);
            EventLines lines = new EventLines(ENCODER, writer, kept);
            for (JournalTransaction transaction : Captures.drain(capture)) {
                assertThat(lines.print(transaction)).isTrue();
            }
            writer.flush();
        }
        return out.toString();
    }
}
