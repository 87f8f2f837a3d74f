package org.firebirdcdc.capture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.firebirdcdc.checkpoint.Checkpoint;
import org.firebirdcdc.checkpoint.CheckpointStore;
import org.firebirdcdc.checkpoint.OpenTransactionMark;
import org.firebirdcdc.checkpoint.SegmentMark;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalFormatException;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.SegmentDirectory;
import org.firebirdcdc.journal.SegmentFile;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.journal.SegmentReaders;
import org.firebirdcdc.journal.SegmentStatus;
import org.firebirdcdc.journal.SegmentSummary;
import org.firebirdcdc.record.RecordDecodeException;
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.schema.TransactionOutcomeSource;
import org.firebirdcdc.transaction.JournalItem;
import org.firebirdcdc.transaction.OpenTransactionState;
import org.firebirdcdc.transaction.TransactionAssembler;
import org.firebirdcdc.transaction.TransactionSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Captures one database from its archive directory: gives committed transactions in commit order, remembers what is done,
 * and removes segments that nothing needs. At least once: what is not reported {@link #done} comes again, after a restart
 * too.
 *
 * <p>{@link #next()} is called by one thread; {@link #done}, {@link #retry} and {@link #status} by any.
 */
public final class JournalCapture implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JournalCapture.class);

    private static final String SCHEMA_DOCUMENT = "schema";

    private final CaptureSettings settings;
    private final EventSettings events;
    private final SchemaHistory history;
    private final CheckpointStore store;
    private final SegmentDirectory directory;
    private final SegmentFiles files;
    private final SegmentReaders readers = new SegmentReaders();
    private final EndlessTransactions endless;
    private final SegmentDisposal disposal;
    private final SegmentLedger ledger = new SegmentLedger();
    private final Counting counting = new Counting();
    private final Telling telling;
    private final SegmentLooks looks;
    private final Set<String> reported = new HashSet<>();
    /** Segments of which a record could not be decoded: not remembered until it can. */
    private final Set<Long> doubted = new HashSet<>();

    /** Held while capture reads, which may take long; {@link #status()} does not wait for it. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile CaptureStatus status = CaptureStatus.NEW;

    private Optional<DatabaseGuid> guid = Optional.empty();
    private Optional<StoreLock> storeLock = Optional.empty();
    private Optional<TransactionAssembler> assembler = Optional.empty();
    private Optional<SegmentReader> reader = Optional.empty();
    private Optional<AheadScan> ahead = Optional.empty();

    /** Number of the segment that is read now, or next. */
    private long current;
    /** No checkpoint: the first segment is chosen when one is there. */
    private boolean startPending;
    /** Nothing was in the directory when a start behind the newest was asked for. */
    private boolean startedEmpty;
    /** Transactions may still end whose beginning was before the start or in a gap. */
    private boolean incompleteWindowOpen;
    /** A transaction was seen from its begin to its commit since the window was opened. */
    private boolean wholeTransactionSeen;

    private long incompleteUpTo;

    /** Everything that the server has archived, as far as anybody can tell, is read. */
    private boolean caughtUp;

    /** The segment that is read is one that the server still writes to. */
    private boolean readingInUse;
    /** Where such a segment ended when it was read; present until there is more of it. */
    private Optional<JournalPosition> endInUse = Optional.empty();

    /** Handed over and not done, in order; then what waits to be handed over again. */
    private final Deque<Delivery> window = new ArrayDeque<>();

    private final Deque<Delivery> again = new ArrayDeque<>();

    /** Everything before it is done. */
    private Standing done = Standing.START;
    /** Where the assembler was taken up: what stands before is read only to rebuild the transactions open there. */
    private Standing resume = Standing.START;

    private boolean dirty;
    private long lastSaveMillis;
    /** As it was loaded, until the segments that a killed process had no time to remove are removed. */
    private Optional<Checkpoint> restored = Optional.empty();

    private Optional<String> problem = Optional.empty();
    private Optional<String> note = Optional.empty();
    private long segmentsWaiting;
    private long newestSegmentMillis;

    /** Without a database to ask: transactions without an end stay open until they are abandoned. */
    public JournalCapture(
            CaptureSettings settings, EventSettings events, SchemaHistory history, CheckpointStore store) {
        this(settings, events, history, store, Optional.empty());
    }

    /**
     * @param outcomes the database, asked what became of transactions that stay open; empty to wait for ever
     */
    public JournalCapture(
            CaptureSettings settings,
            EventSettings events,
            SchemaHistory history,
            CheckpointStore store,
            Optional<TransactionOutcomeSource> outcomes) {
        this.settings = settings;
        this.events = events;
        this.history = history;
        this.store = store;
        this.telling = new Telling(counting, settings.unknownTransaction());
        this.looks = new SegmentLooks(ledger, settings.clock());
        this.directory = new SegmentDirectory(settings.directory());
        this.files = new SegmentFiles(settings.directory());
        this.endless = new EndlessTransactions(outcomes, settings.clock());
        this.disposal = new SegmentDisposal(settings.processed(), settings.moveTo(), settings.clock());
    }

    // ------------------------------------------------------------------------------------------------ reading

    /**
     * The next thing to deliver.
     *
     * @return empty if nothing more can be delivered now: {@link #status()} says whether something is missing
     * @throws org.firebirdcdc.journal.JournalException if the journal is damaged or cannot be read, or a record cannot be
     *                                                  decoded; the same call is tried anew next time
     * @throws CaptureException                          if segments are missing, gone or overwritten
     * @throws org.firebirdcdc.checkpoint.CheckpointException if the checkpoint cannot be read or written
     */
    public Optional<Delivery> next() {
        lock.lock();
        try {
            return nextLocked();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Delivery> nextLocked() {
        Optional<Delivery> waiting = handOverAgain();
        if (waiting.isPresent()) {
            return waiting;
        }
        if (guid.isEmpty() && !open()) {
            return Optional.empty();
        }
        while (true) {
            if (reader.isEmpty() && !openSegment()) {
                dropEndlessTransactions();
                if (caughtUp) {
                    abandonOldTransactions();
                }
                flushLocked();
                readers.close();
                status = statusLocked();
                return Optional.empty();
            }
            Optional<JournalItem> item = nextItem();
            if (item.isEmpty()) {
                endSegment();
            } else {
                Optional<Delivery> delivery = delivery(item.get());
                if (delivery.isPresent()) {
                    again.addLast(delivery.get());
                    verify(delivery.get());
                    again.pollFirst();
                    window.addLast(delivery.get());
                    return delivery;
                }
            }
        }
    }

    private Optional<Delivery> handOverAgain() {
        while (!again.isEmpty()) {
            Delivery delivery = again.peekFirst();
            verify(delivery);
            again.pollFirst();
            window.addLast(delivery);
            if (!delivery.isMilestone()) {
                return Optional.of(delivery);
            }
            advance();
            save(true);
        }
        return Optional.empty();
    }

    private Optional<JournalItem> nextItem() {
        try {
            Optional<JournalItem> item = assembler.orElseThrow().next(reader.orElseThrow());
            item.ifPresent(this::tellHistory);
            return item;
        } catch (RuntimeException e) {
            // the assembler stands in the middle of something that makes no sense: go back to what is known to be
            // sound;
            // a segment that is damaged was not read, and may be replaced by a sound copy
            ledger.remove(current);
            dirty = true;
            returnToDone();
            throw e;
        }
    }

    private void tellHistory(JournalItem item) {
        item.transaction().ifPresent(t -> {
            if (!item.statements().isEmpty()) {
                history.committed(
                        t.info().number(),
                        t.info().commit(),
                        assembler.orElseThrow().highestTransaction(),
                        item.statements());
            }
            wholeTransactionSeen = true;
        });
    }

    private Optional<Delivery> delivery(JournalItem item) {
        boolean empty = item.transaction().map(t -> t.eventCount() == 0).orElse(false);
        if (empty) {
            return Optional.empty();
        }
        return Optional.of(Delivery.of(item.transaction(), item.sequence(), item.position(), standing(item.next())));
    }

    /** Here, as the assembler sees it. */
    private Standing standing(JournalPosition position) {
        TransactionAssembler here = assembler.orElseThrow();
        return new Standing(position, here.open(), here.dead());
    }

    /** A fault anywhere in a transaction is known before its first event goes out. */
    private void verify(Delivery delivery) {
        if (!delivery.isVerified()) {
            try {
                delivery.transaction().ifPresent(t -> counting.skippedRecords += t.verify());
            } catch (RecordDecodeException e) {
                doubted.add(e.position().segment());
                ledger.remove(e.position().segment());
                dirty = true;
                throw e;
            }
            delivery.markVerified();
            rememberDoubted();
        }
    }

    /** Segments with a record that could not be decoded and now can: they may be other copies than those that were read. */
    private void rememberDoubted() {
        for (long sequence : doubted) {
            SegmentDirectory.inspect(files.segment(sequence).path()).segment().ifPresent(file -> {
                files.put(file);
                ledger.put(mark(file, looks.summary(file)));
            });
        }
        doubted.clear();
    }

    /**
     * After a segment in which a whole transaction was in view, one with a higher number than any met so far was most
     * likely begun in view too. Not before: a transaction may have its number long before its first change.
     */
    private void closeIncompleteWindow() {
        if (incompleteWindowOpen && wholeTransactionSeen && settings.unknownTransaction() == UnknownTransaction.FAIL) {
            incompleteWindowOpen = false;
            incompleteUpTo = assembler.orElseThrow().highestTransaction();
            assembler.orElseThrow().allowIncompleteUpTo(incompleteUpTo);
            LOG.debug("Transactions up to {} may have begun before reading did", incompleteUpTo);
        }
    }

    private void openIncompleteWindow() {
        incompleteWindowOpen = true;
        wholeTransactionSeen = false;
        incompleteUpTo = Long.MAX_VALUE;
    }

    // ------------------------------------------------------------------------------------------------ opening

    /** Finds out which database this is and where to go on; false as long as nothing says so. */
    private boolean open() {
        List<SegmentStatus> found = directory.scan();
        Optional<DatabaseGuid> database = new DatabaseChoice(settings, store, history).among(found);
        if (database.isEmpty()) {
            startedEmpty |= found.isEmpty();
            nothingToBeginWith(new ArchiveView(found, Optional.empty()));
            return false;
        }
        DatabaseGuid its = database.get();
        if (isUntouched(its, found)) {
            startedEmpty = true;
            return false;
        }
        lockStore(its);
        Optional<Checkpoint> checkpoint = store.load(its);
        history.open(its, store.loadDocument(its, SCHEMA_DOCUMENT));
        AheadScan scan = new AheadScan(settings, events, its);
        history.lookAheadWith(scan);
        ahead = Optional.of(scan);
        guid = database;
        if (checkpoint.isPresent()) {
            ledger.restore(checkpoint.get().segments());
            restored = checkpoint;
            goOnFrom(checkpoint.get());
        } else {
            startPending = true;
            takeUp(Standing.START);
        }
        return true;
    }

    /**
     * Neither a checkpoint nor a segment of the database is there. Then nothing is decided yet: the directories may not be
     * mounted, and a checkpoint be in them.
     */
    private boolean isUntouched(DatabaseGuid its, List<SegmentStatus> found) {
        ArchiveView view = new ArchiveView(found, Optional.of(its));
        boolean untouched = view.lowest().isEmpty() && !store.databases().contains(its);
        if (untouched) {
            reportForeign(view);
            nothingToBeginWith(view);
        }
        return untouched;
    }

    private record StoreLock(DatabaseGuid guid, CheckpointStore.Lock lock) {}

    /** What fails behind it is tried again, by then perhaps with another database. */
    private void lockStore(DatabaseGuid its) {
        if (storeLock.filter(held -> held.guid().equals(its)).isEmpty()) {
            unlockStore();
            storeLock = Optional.of(new StoreLock(its, store.lock(its)));
        }
    }

    private void unlockStore() {
        storeLock.ifPresent(held -> held.lock().close());
        storeLock = Optional.empty();
    }

    private void nothingToBeginWith(ArchiveView view) {
        problem = Optional.empty();
        if (view.looksLikeJournalDirectory()) {
            report(journalDirectory());
        } else if (reported.add("empty")) {
            LOG.info("{} holds no segment to begin with; capture waits for the first", settings.directory());
        }
    }

    /** Nothing can be read although something should be there: told in the status, and in the log when it begins. */
    private void report(String what) {
        problem = Optional.of(what);
        if (reported.add("problem " + what)) {
            LOG.warn("{}", what);
        }
    }

    private TransactionAssembler newAssembler(DatabaseGuid its) {
        TransactionSettings transactionSettings = new TransactionSettings(
                its,
                files,
                readers,
                events.selection(),
                history,
                events.decoding(),
                events.statements(),
                events.encoder(),
                events.onDecodeError());
        return new TransactionAssembler(transactionSettings, telling);
    }

    private void goOnFrom(Checkpoint checkpoint) {
        done = Standing.of(checkpoint);
        incompleteUpTo = checkpoint.incompleteUpTo();
        if (incompleteUpTo == Long.MAX_VALUE) {
            openIncompleteWindow();
        }
        takeUp(done);
        LOG.info(
                "Database {}: going on at {}, reading from segment {} for {} open transaction(s)",
                checkpoint.guid(),
                done.position(),
                current,
                done.open().size());
    }

    /** Goes on reading from a place: forgets everything that was read behind it. */
    private void takeUp(Standing place) {
        TransactionAssembler fresh = newAssembler(guid.orElseThrow());
        fresh.allowIncompleteUpTo(allowedIncomplete());
        fresh.restoreDead(place.dead());
        fresh.restore(place.position(), place.open());
        assembler = Optional.of(fresh);
        resume = place;
        readingInUse = false;
        endInUse = Optional.empty();
        current = place.neededFrom();
        tellAhead(place);
    }

    private void tellAhead(Standing place) {
        ahead.ifPresent(scan -> scan.capturedUpTo(place, assembler.orElseThrow().highestTransaction()));
    }

    private long allowedIncomplete() {
        return settings.unknownTransaction() == UnknownTransaction.WARN || incompleteWindowOpen
                ? Long.MAX_VALUE
                : incompleteUpTo;
    }

    /** What is in flight stays so; reading goes on behind it. */
    private void returnToDone() {
        closeReader();
        telling.readAgain();
        if (!startPending) {
            takeUp(window.isEmpty() ? done : window.peekLast().next());
        }
    }

    // ------------------------------------------------------------------------------------------------ segments

    /** Opens the current segment if it is there; else says why not and gives false. */
    private boolean openSegment() {
        problem = Optional.empty();
        note = Optional.empty();
        caughtUp = false;
        List<SegmentStatus> found = directory.scan();
        ArchiveView view = new ArchiveView(found, guid);
        reportForeign(view);
        if (startPending && !chooseStart(view)) {
            return false;
        }
        checkKnownSegments(view);
        restored.ifPresent(this::removeFinished);
        restored = Optional.empty();
        if (endInUse.isPresent()) {
            Optional<ArchiveView.Lookup> unchanged = unchanged(endInUse.get(), view);
            if (unchanged.isPresent()) {
                return notReady(view, unchanged.get());
            }
            returnToDone();
        }
        segmentsWaiting = view.complete().tailMap(current, true).size();
        ArchiveView.Lookup lookup = lookup(view);
        return lookup.kind() == ArchiveView.Kind.READY ? take(view, lookup.files()) : notReady(view, lookup);
    }

    /** True if the gap is passed over and a segment behind it is open. */
    private boolean notReady(ArchiveView view, ArchiveView.Lookup lookup) {
        return switch (lookup.kind()) {
            case READY -> throw new IllegalStateException("segment " + current + " can be read");
            case WAITING -> {
                waiting(view, lookup);
                yield false;
            }
            case GAP -> gap(view, lookup);
        };
    }

    private ArchiveView.Lookup lookup(ArchiveView view) {
        passOverWhatIsNotNeeded();
        ArchiveView.Lookup lookup = view.find(current);
        while (lookup.kind() != ArchiveView.Kind.READY
                && current < resume.position().segment()) {
            segmentGone(lookup);
            passOverWhatIsNotNeeded();
            lookup = view.find(current);
        }
        return lookup;
    }

    /** Transactions for which segments were to be read again may have been dropped by decision. */
    private void passOverWhatIsNotNeeded() {
        if (current < resume.position().segment()) {
            current = Math.max(current, resume.neededFrom());
        }
    }

    /** The checkpoint needs a segment for an open transaction, and it is not there: the transaction goes, or an error comes. */
    private void segmentGone(ArchiveView.Lookup lookup) {
        List<OpenTransactionState> lost = resume.open().stream()
                .filter(t -> t.firstNeeded().filter(p -> p.segment() <= current).isPresent())
                .toList();
        String numbers = lost.stream().map(t -> Long.toString(t.number())).collect(Collectors.joining(", "));
        if (settings.unknownTransaction() == UnknownTransaction.FAIL) {
            throw new CaptureException(
                    CaptureException.Reason.SEGMENT_GONE,
                    "segment " + current + " is gone from " + settings.directory() + ", but the checkpoint needs it for"
                            + " transaction(s) " + numbers + " that began there"
                            + (lookup.reason().isEmpty() ? "" : " (" + lookup.reason() + ")")
                            + ". Bring it back, or set unknownTransaction=warn to go on without them");
        }
        LOG.warn(
                "Segment {} is gone: transaction(s) {} that began there are dropped (unknownTransaction=warn)",
                current,
                numbers);
        lost.forEach(t -> forgetOpen(t.number()));
        counting.incomplete += lost.size();
    }

    /** Drops an open transaction, here and wherever capture may go back to. */
    private Optional<Long> forgetOpen(long transaction) {
        done = done.without(transaction);
        resume = resume.without(transaction);
        window.forEach(d -> d.forget(transaction));
        again.forEach(d -> d.forget(transaction));
        Optional<Long> changes = assembler.orElseThrow().drop(transaction);
        dirty |= changes.isPresent();
        return changes;
    }

    private boolean chooseStart(ArchiveView view) {
        Optional<Long> first =
                switch (settings.startFrom().kind()) {
                    case EARLIEST -> view.lowest();
                    case LATEST ->
                        startedEmpty
                                ? view.lowest()
                                : view.highestComplete().map(n -> n + 1).or(view::lowest);
                    case NUMBER -> Optional.of(settings.startFrom().sequence());
                };
        if (first.isEmpty()) {
            startedEmpty = true;
            nothingToBeginWith(view);
            return false;
        }
        current = first.get();
        startPending = false;
        if (current > 1) {
            openIncompleteWindow();
        }
        done = new Standing(new JournalPosition(current, 0), List.of(), List.of());
        takeUp(done);
        dirty = true;
        LOG.info("Database {}: capture begins with segment {}", guid.orElseThrow(), current);
        return true;
    }

    private void waiting(ArchiveView view, ArchiveView.Lookup lookup) {
        if (view.looksLikeJournalDirectory()) {
            report(journalDirectory());
        } else if (!lookup.reason().isEmpty()) {
            note = Optional.of(lookup.reason());
            caughtUp = endInUse.isPresent() && view.inUse(current).isPresent();
        } else {
            JournalPosition reached = endInUse.orElse(resume.position());
            boolean halfRead = current == reached.segment() && reached.offset() > 0;
            if (halfRead) {
                report("segment " + current + " was read up to offset " + reached.offset() + " and is gone from "
                        + settings.directory() + "; bring it back, capture waits for it");
            }
            caughtUp = !halfRead;
        }
    }

    private String journalDirectory() {
        return settings.directory()
                + " holds only files that wait to be used again: this looks like the journal_directory"
                + " of replication.conf. Give the journal_archive_directory";
    }

    /** Later segments are there, the current one is not. */
    private boolean gap(ArchiveView view, ArchiveView.Lookup lookup) {
        String what = lookup.reason() + ", later ones are there (next: "
                + view.nextComplete(current).orElseThrow() + ")";
        return switch (settings.onGap()) {
            case WAIT -> {
                problem = Optional.of(what + ". Copy it to " + settings.directory() + "; capture waits for it");
                if (reported.add("gap " + what)) {
                    LOG.warn(
                            "Database {}: {}. Nothing behind it is delivered until it arrives",
                            guid.orElseThrow(),
                            what);
                }
                yield false;
            }
            case FAIL ->
                throw new CaptureException(
                        CaptureException.Reason.GAP,
                        what + ". Copy it to " + settings.directory() + ", or set onGap=wait to wait for it");
            case SKIP -> {
                skipGap(view, what);
                yield openSegment();
            }
        };
    }

    private void skipGap(ArchiveView view, String what) {
        long target = view.nextComplete(current).orElseThrow();
        int dropped = assembler.orElseThrow().dropOpen();
        LOG.warn(
                "Database {}: {}. onGap=skip: reading goes on with segment {}; everything in between is lost, {} open"
                        + " transaction(s) are dropped",
                guid.orElseThrow(),
                what,
                target,
                dropped);
        counting.incomplete += dropped;
        // left-overs that nobody waits for any more
        ledger.from(current).stream()
                .filter(mark -> mark.sequence() < target)
                .forEach(mark -> ledger.remove(mark.sequence()));
        openIncompleteWindow();
        assembler.orElseThrow().allowIncompleteUpTo(allowedIncomplete());
        current = target;
        endInUse = Optional.empty();
        addMilestone(standing(new JournalPosition(target, 0)));
    }

    /** Validates one of the candidates as a whole and opens it. */
    private boolean take(ArchiveView view, List<SegmentFile> candidates) {
        SegmentFile file = candidates.get(0);
        Optional<SegmentMark> known = ledger.get(current);
        boolean replay = current < resume.position().segment();
        SegmentSummary summary = looks.summary(file);
        if (candidates.size() > 1) {
            looks.checkCopies(candidates, summary);
        }
        if (known.isPresent() && known.get().leftOver() && known.get().digest().equals(summary.digest())) {
            return leftOver(file, view);
        }
        if (!replay && isLeftOver(summary)) {
            ledger.put(mark(file, summary).asLeftOver());
            dirty = true;
            return leftOver(file, view);
        }
        if (!SegmentLooks.isUnchanged(file)) {
            note = Optional.of(file.fileName() + " changed while it was read; it is read again at the next poll");
            return false;
        }
        looks.forgetCommits();
        files.put(file);
        ledger.put(mark(file, summary));
        readingInUse = view.inUse(current).isPresent();
        reader = Optional.of(SegmentReader.open(file));
        newestSegmentMillis = file.modifiedMillis();
        reported.removeIf(text -> text.startsWith("gap ") || text.startsWith("problem "));
        return true;
    }

    private static SegmentMark mark(SegmentFile file, SegmentSummary summary) {
        return new SegmentMark(
                file.sequence(),
                file.header().length(),
                file.modifiedMillis(),
                summary.digest(),
                summary.holdsCommit(),
                false);
    }

    /** Blocks of dead transactions, and no commit: written before a crash, to be overwritten (segment-format.md 1.5). */
    private boolean isLeftOver(SegmentSummary summary) {
        return !summary.holdsCommit() && summary.continued().stream().anyMatch(assembler.orElseThrow()::isDead);
    }

    /** True if the gap is passed over and a segment behind it is open. */
    private boolean leftOver(SegmentFile file, ArchiveView view) {
        boolean laterOnes = view.complete().tailMap(file.sequence(), false).values().stream()
                .anyMatch(copies -> looks.holdsCommit(copies.get(0)));
        if (laterOnes) {
            // before the crash nothing behind it was committed: the server has gone on since
            return gap(
                    view,
                    new ArchiveView.Lookup(
                            ArchiveView.Kind.GAP,
                            List.of(),
                            "segment " + file.sequence() + " (" + file.fileName()
                                    + ") is left over from before a crash of the server, and the one that the server wrote"
                                    + " in its place is missing"));
        }
        note = Optional.of(
                "segment " + file.sequence() + " (" + file.fileName()
                        + ") is left over from before a crash of the server; capture goes on when the server has overwritten it");
        if (reported.add("left-over " + file.sequence())) {
            LOG.warn(
                    "Segment {} ({}) does not continue the journal: it is left over from before a crash of the server and"
                            + " counts as not yet arrived",
                    file.sequence(),
                    file.fileName());
        }
        return false;
    }

    /** The whole segment is indexed. */
    private void endSegment() {
        long length = reader.orElseThrow().file().header().length();
        closeReader();
        if (readingInUse) {
            endInUse = Optional.of(new JournalPosition(current, length));
            addMilestone(standing(endInUse.get()));
            return;
        }
        boolean replay = current < resume.position().segment();
        current++;
        if (!replay) {
            closeIncompleteWindow();
            counting.segments++;
            addMilestone(standing(new JournalPosition(current, 0)));
        }
    }

    /**
     * How it is with a segment that was read to its end while the server wrote to it; empty if there is more of it or it is
     * finished: then it is read again.
     */
    private Optional<ArchiveView.Lookup> unchanged(JournalPosition end, ArchiveView view) {
        Optional<SegmentFile> now = view.inUse(end.segment())
                .or(() -> view.complete().getOrDefault(end.segment(), List.of()).stream()
                        .findFirst());
        if (now.isEmpty()) {
            return Optional.of(view.find(end.segment()));
        }
        SegmentFile file = now.get();
        if (file.header().state().isComplete() || file.header().length() > end.offset()) {
            return Optional.empty();
        }
        return Optional.of(new ArchiveView.Lookup(
                view.nextComplete(end.segment()).isPresent() ? ArchiveView.Kind.GAP : ArchiveView.Kind.WAITING,
                List.of(),
                "segment " + end.segment() + " (" + file.fileName() + ") is read up to offset " + end.offset()
                        + "; it is still in use by the server"));
    }

    /** Everything up to a position is done as soon as all deliveries before it are. */
    private void addMilestone(Standing place) {
        window.addLast(Delivery.milestone(place));
        advance();
        save(true);
    }

    private void closeReader() {
        reader.ifPresent(SegmentReader::close);
        reader = Optional.empty();
    }

    // ------------------------------------------------------------------------------------------------ known segments

    /**
     * Looks whether segments that were read have other content now. Without a commit in them the journal was rewound by a
     * crash of the server; with one, data was overwritten (segment-format.md 1.5).
     */
    private void checkKnownSegments(ArchiveView view) {
        view.misnamed().removeIf(file -> looks.isCopy(file, view));
        for (SegmentMark mark : ledger.all()) {
            List<SegmentFile> present = new ArrayList<>(view.complete().getOrDefault(mark.sequence(), List.of()));
            view.inUse(mark.sequence()).ifPresent(present::add);
            for (SegmentFile file : present) {
                if (file.header().length() != mark.length() || file.modifiedMillis() != mark.modifiedMillis()) {
                    if (compareAgain(mark, file)) {
                        rewind(mark.sequence(), view);
                        return;
                    }
                } else {
                    files.put(file);
                }
            }
        }
    }

    /** Whether the journal must be read again from this segment on. */
    private boolean compareAgain(SegmentMark mark, SegmentFile file) {
        SegmentSummary summary = looks.summary(file);
        if (summary.digest().equals(mark.digest())) {
            ledger.put(new SegmentMark(
                    mark.sequence(),
                    mark.length(),
                    file.modifiedMillis(),
                    mark.digest(),
                    mark.holdsCommit(),
                    mark.leftOver()));
            files.put(file);
            return false;
        }
        if (mark.leftOver()) {
            // what everybody waits for: the server has overwritten it
            ledger.remove(mark.sequence());
            return false;
        }
        if (hasOnlyGrown(mark, file)) {
            // as long as it was in use it was read to its end; the rest is new
            ledger.remove(mark.sequence());
            return false;
        }
        if (mark.holdsCommit()) {
            throw overwritten(mark, file, summary);
        }
        return true;
    }

    /** Whether a segment that is not finished still begins with what was read of it. */
    private boolean hasOnlyGrown(SegmentMark mark, SegmentFile file) {
        boolean unfinished =
                mark.sequence() >= Math.max(current, resume.position().segment());
        if (!unfinished || file.header().length() < mark.length()) {
            return false;
        }
        try {
            return SegmentSummary.of(file.upTo(mark.length())).digest().equals(mark.digest());
        } catch (JournalFormatException e) {
            // a block no longer ends where it did
            return false;
        }
    }

    private static CaptureException overwritten(SegmentMark mark, SegmentFile file, SegmentSummary now) {
        return new CaptureException(
                CaptureException.Reason.OVERWRITTEN,
                "segment " + mark.sequence() + " (" + file.fileName() + ") was read with " + mark.length()
                        + " bytes and digest " + abbreviate(mark.digest()) + ", now it has "
                        + file.header().length() + " bytes and digest " + abbreviate(now.digest())
                        + ". It held committed transactions, so two servers write the same numbers, or a defect of the"
                        + " server has overwritten data. Find the original file; to go on with the new history, move"
                        + " the checkpoint away and set startFrom");
    }

    private static String abbreviate(String digest) {
        return digest.substring(0, 12);
    }

    /** The server crashed and writes numbers again that were read already; no commit can be in them. */
    private void rewind(long sequence, ArchiveView view) {
        LOG.warn(
                "Database {}: segment {} has other content than when it was read, and held no commit: the server crashed and"
                        + " writes it again. Reading goes back to it; what was open there is dropped",
                guid.orElseThrow(),
                sequence);
        // what may fail comes first: nothing is changed before it is known
        List<SegmentMark> marks = ledger.from(sequence);
        Set<Long> leftOvers = marks.stream()
                .filter(mark -> !mark.holdsCommit() && isUnchanged(mark, view))
                .map(SegmentMark::sequence)
                .collect(Collectors.toSet());
        closeReader();
        for (SegmentMark mark : marks) {
            if (leftOvers.contains(mark.sequence())) {
                ledger.put(mark.asLeftOver());
            } else {
                // one that holds a commit is of the second life, and has arrived before this one: it is read again
                ledger.remove(mark.sequence());
            }
            files.remove(mark.sequence());
        }
        List<OpenTransactionState> open = assembler.orElseThrow().open().stream()
                .filter(t -> t.begin().segment() < sequence)
                .map(t -> before(t, sequence, view))
                .toList();
        List<Long> dead = new ArrayList<>(assembler.orElseThrow().dead());
        open.forEach(t -> dead.remove(t.number()));
        Standing place = new Standing(new JournalPosition(sequence, 0), open, List.copyOf(dead));
        window.removeIf(d -> d.position().segment() >= sequence);
        // what was finished for the checkpoint that was loaded may be needed again
        restored = Optional.empty();
        telling.forgetFrom(place.position());
        takeUp(place);
        addMilestone(place);
    }

    private boolean isUnchanged(SegmentMark mark, ArchiveView view) {
        return view.complete().getOrDefault(mark.sequence(), List.of()).stream()
                .anyMatch(f -> f.header().length() == mark.length()
                        && looks.summary(f).digest().equals(mark.digest()));
    }

    /**
     * State of a transaction before a segment: where that is not known, it is read again from its begin. If that is gone,
     * the transaction did nothing wanted there, and it died with the server anyway.
     */
    private static OpenTransactionState before(OpenTransactionState state, long sequence, ArchiveView view) {
        boolean certain =
                state.firstNeeded().filter(p -> p.segment() < sequence).isPresent();
        if (certain) {
            return state;
        }
        boolean readable = view.complete().containsKey(state.begin().segment());
        return new OpenTransactionState(
                state.number(),
                state.begin(),
                state.sinceMillis(),
                readable ? Optional.of(state.begin()) : Optional.empty(),
                readable ? 0 : state.savepoints(),
                state.changes());
    }

    private void reportForeign(ArchiveView view) {
        Set<DatabaseGuid> fresh = new TreeSet<>((a, b) -> a.value().compareTo(b.value()));
        for (DatabaseGuid other : view.foreign()) {
            if (reported.add("foreign " + other)) {
                fresh.add(other);
            }
        }
        if (!fresh.isEmpty()) {
            LOG.warn(
                    "{} holds segments of other databases ({}); they are left alone. After a restore the database has a new"
                            + " GUID: finish the old history, then set databaseGuid to the new one",
                    settings.directory(),
                    fresh);
        }
    }

    // ------------------------------------------------------------------------------------------------ done

    /** The delivery has arrived where it should. May be called in any order; the checkpoint follows the oldest not done. */
    public void done(Delivery delivery) {
        lock.lock();
        try {
            doneLocked(delivery);
        } finally {
            lock.unlock();
        }
    }

    private void doneLocked(Delivery delivery) {
        if (delivery.isDone()) {
            return;
        }
        delivery.markDone();
        advance();
        save(false);
    }

    /** Everything handed over and not done is handed over again, in order, starting with the oldest. */
    public void retry() {
        lock.lock();
        try {
            retryLocked();
        } finally {
            lock.unlock();
        }
    }

    private void retryLocked() {
        while (!window.isEmpty()) {
            again.addFirst(window.pollLast().anew());
        }
    }

    private void advance() {
        while (!window.isEmpty() && window.peekFirst().isDone()) {
            Delivery first = window.pollFirst();
            done = first.next();
            dirty = true;
            tellAhead(done);
            first.transaction().ifPresent(t -> {
                counting.transactions++;
                counting.events += t.eventCount();
            });
        }
    }

    /** Writes the checkpoint if something has changed. */
    public void flush() {
        lock.lock();
        try {
            flushLocked();
        } finally {
            lock.unlock();
        }
    }

    private void flushLocked() {
        if (guid.isPresent() && !startPending) {
            save(true);
        }
    }

    private void save(boolean now) {
        long time = settings.clock().millis();
        boolean due =
                Math.abs(time - lastSaveMillis) >= settings.checkpointInterval().toMillis();
        if (dirty && (now || due)) {
            Checkpoint checkpoint = new Checkpoint(
                    guid.orElseThrow(), done.position(), done.marks(), ledger.all(), done.dead(), incompleteUpTo);
            history.toSave().ifPresent(document -> {
                store.saveDocument(guid.orElseThrow(), SCHEMA_DOCUMENT, document);
                history.saved();
            });
            store.save(checkpoint);
            dirty = false;
            lastSaveMillis = time;
            history.forget(new JournalPosition(checkpoint.neededFrom(), 0));
            removeFinished(checkpoint);
        }
    }

    private void removeFinished(Checkpoint checkpoint) {
        if (disposal.keepsAll()) {
            return;
        }
        long neededFrom = checkpoint.neededFrom();
        for (SegmentMark mark : ledger.all()) {
            if (mark.sequence() >= checkpoint.position().segment() || mark.leftOver()) {
                break;
            }
            if (mark.sequence() < neededFrom) {
                remove(mark);
            } else if (reported.add("kept " + mark.sequence())) {
                OpenTransactionMark oldest = checkpoint.open().stream()
                        .filter(t -> t.firstNeeded().isPresent())
                        .min((a, b) ->
                                a.firstNeeded().get().compareTo(b.firstNeeded().get()))
                        .orElseThrow();
                LOG.info(
                        "Segment {} ({} bytes) is replicated, preserving the file due to {} active transaction(s) (oldest: {}"
                                + " in segment {})",
                        mark.sequence(),
                        mark.length(),
                        checkpoint.open().size(),
                        oldest.number(),
                        oldest.firstNeeded().orElseThrow().segment());
            }
        }
    }

    private void remove(SegmentMark mark) {
        try {
            SegmentFile file = files.segment(mark.sequence());
            if (disposal.dispose(file)) {
                forget(mark.sequence());
            }
        } catch (org.firebirdcdc.journal.JournalReadException e) {
            // somebody else removed it
            forget(mark.sequence());
        }
    }

    private void forget(long sequence) {
        files.remove(sequence);
        reported.remove("kept " + sequence);
        // a segment without a commit may come again with other content: remember it as long as none with a commit is
        // behind
        boolean commitBehind = ledger.from(sequence + 1).stream().anyMatch(SegmentMark::holdsCommit);
        if (commitBehind) {
            ledger.remove(sequence);
        } else {
            ledger.get(sequence).map(SegmentMark::withoutFile).ifPresent(ledger::put);
        }
    }

    // ------------------------------------------------------------------------------------------------ open
    // transactions

    /**
     * Drops an open transaction by decision of the operator, so that it holds no segment back any more.
     *
     * @return its row changes so far; empty if it is not open
     */
    public Optional<Long> abandon(long transaction) {
        lock.lock();
        try {
            return abandonLocked(transaction);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Long> abandonLocked(long transaction) {
        if (assembler.isEmpty()) {
            return Optional.empty();
        }
        Optional<Long> changes = forgetOpen(transaction);
        changes.ifPresent(count -> {
            LOG.warn("Transaction {} with {} row changes is abandoned: they are not delivered", transaction, count);
            counting.abandoned++;
            counting.abandonedChanges += count;
            // its end may come yet
            incompleteUpTo = Math.max(incompleteUpTo, transaction);
            assembler.get().allowIncompleteUpTo(allowedIncomplete());
        });
        return changes;
    }

    private void dropEndlessTransactions() {
        for (OpenTransactionState transaction :
                endless.find(assembler.orElseThrow().open(), current)) {
            forgetOpen(transaction.number());
            counting.abandoned++;
            counting.abandonedChanges += transaction.changes();
        }
    }

    private void abandonOldTransactions() {
        settings.abandonAfter().ifPresent(limit -> {
            long before = settings.clock().millis() - limit.toMillis();
            assembler.orElseThrow().open().stream()
                    .filter(t -> t.sinceMillis() < before)
                    .forEach(t -> abandonLocked(t.number()));
        });
    }

    // ------------------------------------------------------------------------------------------------ telling

    /** How capture stands; while a long read is under way, how it stood before. Never waits. */
    public CaptureStatus status() {
        if (lock.tryLock()) {
            try {
                status = statusLocked();
            } finally {
                lock.unlock();
            }
        }
        return status;
    }

    private CaptureStatus statusLocked() {
        return new CaptureStatus(
                guid,
                done.position(),
                reader.map(r -> new JournalPosition(r.sequence(), Math.max(0, r.blockOffset())))
                        .orElse(new JournalPosition(current, 0)),
                problem,
                note,
                assembler.map(TransactionAssembler::open).orElse(List.of()),
                (int) window.stream().filter(d -> !d.isDone()).count(),
                segmentsWaiting,
                newestSegmentMillis,
                counting.snapshot());
    }

    /** Writes the checkpoint, gives the lock back and closes files. What is in flight comes again after a restart. */
    @Override
    public void close() {
        lock.lock();
        try {
            closeLocked();
        } finally {
            lock.unlock();
        }
    }

    private void closeLocked() {
        closeReader();
        readers.close();
        try {
            flushLocked();
        } finally {
            unlockStore();
        }
    }
}
