package org.firebirdcdc.capture;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentFile;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.journal.SegmentReaders;
import org.firebirdcdc.schema.DdlLookahead;
import org.firebirdcdc.schema.DdlStatement;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.transaction.AssemblerListener;
import org.firebirdcdc.transaction.EventSelection;
import org.firebirdcdc.transaction.JournalItem;
import org.firebirdcdc.transaction.TransactionAssembler;
import org.firebirdcdc.transaction.TransactionSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for committed DDL in complete segments that capture has not come to yet: an index pass that keeps no rows. Goes on
 * where it stopped the last time. Never waits for the capture: may be called from any thread that holds the history.
 */
final class AheadScan implements DdlLookahead {

    private static final Logger LOG = LoggerFactory.getLogger(AheadScan.class);

    private final CaptureSettings settings;
    private final EventSettings events;
    private final DatabaseGuid guid;
    private final SegmentFiles files;
    private final SegmentDirectory directory;

    private volatile Optional<Standing> captured = Optional.empty();
    private volatile long highestCaptured;

    private Standing begun = Standing.START;
    private Optional<TransactionAssembler> assembler = Optional.empty();
    private long next;

    AheadScan(CaptureSettings settings, EventSettings events, DatabaseGuid guid) {
        this.settings = settings;
        this.events = events;
        this.guid = guid;
        this.files = new SegmentFiles(settings.directory());
        this.directory = new SegmentDirectory(settings.directory());
    }

    /**
     * Capture has come to a place.
     *
     * @param highest highest transaction number that it met
     */
    void capturedUpTo(Standing place, long highest) {
        captured = Optional.of(place);
        highestCaptured = Math.max(highestCaptured, highest);
    }

    @Override
    public boolean scan(SchemaHistory history) {
        Optional<Standing> from = captured;
        if (from.isEmpty()) {
            return false;
        }
        if (assembler.isEmpty()
                || from.get().position().isBefore(begun.position())
                || from.get().position().segment() >= next) {
            begin(from.get());
        }
        try {
            TreeMap<Long, List<SegmentFile>> complete = new ArchiveView(directory.scan(), Optional.of(guid)).complete();
            for (List<SegmentFile> there = complete.get(next); there != null; there = complete.get(next)) {
                scan(there.get(0), history);
                next++;
            }
        } catch (JournalException e) {
            // capture comes to the same place and reports it as what it is
            LOG.debug("Looking for DDL ahead ends: {}", e.getMessage());
            assembler = Optional.empty();
        }
        history.met(Math.max(
                highestCaptured,
                assembler.map(TransactionAssembler::highestTransaction).orElse(0L)));
        return true;
    }

    private void begin(Standing from) {
        TransactionAssembler fresh = new TransactionAssembler(
                new TransactionSettings(
                        guid,
                        files,
                        new SegmentReaders(),
                        new EventSelection(table -> false, Set.of(), false, false),
                        image -> {
                            throw new IllegalStateException("no row is looked at");
                        },
                        events.decoding(),
                        events.statements(),
                        events.encoder(),
                        events.onDecodeError()),
                new Silent());
        fresh.allowIncompleteUpTo(Long.MAX_VALUE);
        fresh.restore(from.position(), from.open());
        assembler = Optional.of(fresh);
        begun = from;
        next = from.neededFrom();
        LOG.debug("Looking for DDL in complete segments from {} on", next);
    }

    private void scan(SegmentFile file, SchemaHistory history) {
        TransactionAssembler its = assembler.orElseThrow();
        files.put(file);
        try (SegmentReader reader = SegmentReader.open(file)) {
            for (Optional<JournalItem> item = its.next(reader); item.isPresent(); item = its.next(reader)) {
                List<DdlStatement> statements = item.get().statements();
                item.get()
                        .transaction()
                        .filter(t -> !statements.isEmpty())
                        .ifPresent(t -> history.committed(
                                t.info().number(), t.info().commit(), its.highestTransaction(), statements));
            }
        }
    }

    /** Capture itself tells what is odd. */
    private static final class Silent implements AssemblerListener {

        @Override
        public void openSavepointsAtCommit(long transaction, JournalPosition position, int savepoints) {}

        @Override
        public void savepointUnderflow(long transaction, JournalPosition position) {}

        @Override
        public void unknownFlags(long transaction, JournalPosition position, int flags) {}

        @Override
        public void numberReused(long transaction, JournalPosition position, long droppedChanges) {}

        @Override
        public void incompleteTransaction(long transaction, JournalPosition position, boolean committed) {}

        @Override
        public void cleanedUp(long transaction, JournalPosition position, long droppedChanges) {}
    }
}
