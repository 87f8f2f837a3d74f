package org.firebirdcdc.testing;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.firebirdcdc.capture.CaptureSettings;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.capture.EventSettings;
import org.firebirdcdc.capture.JournalCapture;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.record.RecordDecoding;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.JournalTransaction;
import org.firebirdcdc.transaction.OnDecodeError;
import org.firebirdcdc.transaction.Operation;
import org.firebirdcdc.transaction.StatementReader;

/** Captures for tests, without Camel. */
public final class Captures {

    private Captures() {}

    /** All rows and DDL, no sequences. */
    public static EventSettings events() {
        return events(new EventSelection(t -> true, Set.of(Operation.values()), true, false));
    }

    public static EventSettings events(EventSelection selection) {
        return new EventSettings(
                selection,
                // recordings hold columns of character set NONE with bytes of no common set: each byte a character
                RecordDecoding.DEFAULT.withNoneCharset(StandardCharsets.ISO_8859_1),
                new StatementReader(id -> Optional.<Charset>of(StandardCharsets.UTF_8)),
                new NoEncoding(),
                OnDecodeError.FAIL);
    }

    public static JournalCapture open(Path directory, List<Catalog> catalogs, CheckpointStore store) {
        return open(CaptureSettings.of(directory), events(), catalogs, store);
    }

    public static JournalCapture open(
            CaptureSettings settings, EventSettings events, List<Catalog> catalogs, CheckpointStore store) {
        return new JournalCapture(settings, events, new SchemaHistory(catalogs, Optional.empty()), store);
    }

    /** Takes everything that can be delivered now, reporting each as done. */
    public static List<JournalTransaction> drain(JournalCapture capture) {
        return drain(capture, Function.identity());
    }

    /** What the events of everything that can be delivered now say, read before each is reported as done. */
    public static List<String> texts(JournalCapture capture) {
        return drain(capture, EventText::of);
    }

    private static <T> List<T> drain(JournalCapture capture, Function<JournalTransaction, T> look) {
        List<T> all = new ArrayList<>();
        for (Optional<Delivery> next = capture.next(); next.isPresent(); next = capture.next()) {
            next.get().transaction().map(look).ifPresent(all::add);
            capture.done(next.get());
        }
        return all;
    }
}
