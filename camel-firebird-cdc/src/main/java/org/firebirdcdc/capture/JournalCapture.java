package org.firebirdcdc.capture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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
import org.firebirdcdc.schema.SchemaHistory;
import org.firebirdcdc.schema.TransactionOutcomeSource;
import org.firebirdcdc.transaction.AssemblerListener;
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
    private final Map<String, FailedLook> failedLooks = new HashMap<>();
    private final Map<String, MisnamedLook> misnamedLooks = new HashMap<>();
    private final Set<String> reported = new HashSet<>();

    /** Held while capture reads, which may take long; {@link #status()} does not wait for it. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile CaptureStatus status = CaptureStatus.NEW;

    private Optional<DatabaseGuid> guid = Optional.empty();
    private Optional<TransactionAssembler> assembler = Optional.empty();
    private Optional<SegmentReader> reader = Optional.empty();

    /** Number of the segment that is read now, or next. */
    private long current;
    /** No checkpoint: the first segment is chosen when one is there. */
    private boolean startPending;
    /** The first complete transaction after the start or a gap has not been seen yet. */
    private boolean incompleteWindowOpen;

    private long incompleteUpTo;

    /** Handed over and not done, in order; then what waits to be handed over again. */
    private final Deque<Delivery> window = new ArrayDeque<>();

    private final Deque<Delivery> again = new ArrayDeque<>();

    private JournalPosition donePosition = JournalPosition.START;
    private List<OpenTransactionState> doneOpen = List.of();
    private boolean dirty;
    private long lastSaveMillis;

    private Optional<String> problem = Optional.empty();
    private Optional<String> note = Optional.empty();
    private long segmentsWaiting;
    private long newestSegmentMillis;

    /** A file that was found damaged; looked at again only when it has changed. */
    private record FailedLook(long size, long modifiedMillis, JournalFormatException error) {}

    /** Content of a file whose name and header differ; read again only when it has changed. */
    private record MisnamedLook(long size, long modifiedMillis, Optional<String> digest) {}

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
        while (!again.isEmpty()) {
            Delivery delivery = again.peekFirst();
            verify(delivery);
            window.addLast(again.pollFirst());
            if (!delivery.isMilestone()) {
                return Optional.of(delivery);
            }
            advance();
        }
        if (guid.isEmpty() && !open()) {
            return Optional.empty();
        }
        while (true) {
            if (reader.isEmpty() && !openSegment()) {
                dropEndlessTransactions();
                abandonOldTransactions();
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

    private Optional<JournalItem> nextItem() {
        try {
            return assembler.orElseThrow().next(reader.orElseThrow());
        } catch (RuntimeException e) {
            // the assembler stands in the middle of something that makes no sense: go back to what is known to be sound
            returnToDone();
            throw e;
        }
    }

    private Optional<Delivery> delivery(JournalItem item) {
        item.transaction().ifPresent(t -> {
            if (!item.statements().isEmpty()) {
                history.committed(t.info().number(), t.info().commit(), item.statements());
            }
            closeIncompleteWindow(t.info().begin());
        });
        boolean empty = item.transaction().map(t -> t.eventCount() == 0).orElse(false);
        if (empty) {
            return Optional.empty();
        }
        return Optional.of(new Delivery(
                item.transaction(),
                item.sequence(),
                item.position(),
                item.next(),
                assembler.orElseThrow().open(),
                false));
    }

    /** A fault anywhere in a transaction is known before its first event goes out. */
    private void verify(Delivery delivery) {
        if (!delivery.isVerified()) {
            delivery.transaction().ifPresent(t -> counting.skippedRecords += t.verify());
            delivery.markVerified();
        }
    }

    /**
     * Once a whole transaction was in view, one with a higher number cannot have begun before the view: its number was
     * given later.
     */
    private void closeIncompleteWindow(JournalPosition begin) {
        if (incompleteWindowOpen && settings.unknownTransaction() == UnknownTransaction.FAIL) {
            incompleteWindowOpen = false;
            incompleteUpTo = assembler.orElseThrow().highestTransaction();
            assembler.orElseThrow().allowIncompleteUpTo(incompleteUpTo);
            LOG.debug("Transactions up to {} may have begun before reading did ({})", incompleteUpTo, begin);
        }
    }

    // ------------------------------------------------------------------------------------------------ opening

    /** Finds out which database this is and where to go on; false as long as nothing says so. */
    private boolean open() {
        List<SegmentStatus> found = directory.scan();
        Optional<DatabaseGuid> database =
                settings.guid().or(this::onlyCheckpoint).or(history::guid).or(() -> onlyInDirectory(found));
        if (database.isEmpty()) {
            ArchiveView view = new ArchiveView(found, Optional.empty(), settings.readInUse());
            problem = view.looksLikeJournalDirectory() ? Optional.of(journalDirectory()) : Optional.empty();
            return false;
        }
        DatabaseGuid its = database.get();
        store.lock(its);
        Optional<Checkpoint> checkpoint = store.load(its);
        history.open(its, store.loadDocument(its, SCHEMA_DOCUMENT));
        guid = database;
        if (checkpoint.isPresent()) {
            ledger.restore(checkpoint.get().segments());
            goOnFrom(checkpoint.get());
        } else {
            startPending = true;
            assembler = Optional.of(newAssembler(its));
        }
        return true;
    }

    private Optional<DatabaseGuid> onlyCheckpoint() {
        List<DatabaseGuid> known = store.databases();
        return known.size() == 1 ? Optional.of(known.get(0)) : Optional.empty();
    }

    private Optional<DatabaseGuid> onlyInDirectory(List<SegmentStatus> found) {
        Set<DatabaseGuid> present = found.stream()
                .filter(f -> f.kind() != SegmentStatus.Kind.FREE)
                .flatMap(f -> f.header().stream())
                .map(h -> h.guid())
                .collect(Collectors.toSet());
        if (present.size() > 1) {
            throw new CaptureException(
                    CaptureException.Reason.AMBIGUOUS_DATABASE,
                    settings.directory() + " holds segments of " + present.size() + " databases: "
                            + present.stream()
                                    .map(DatabaseGuid::toString)
                                    .sorted()
                                    .collect(Collectors.joining(", "))
                            + ". Say with databaseGuid which one is meant, or give each database a directory of its own");
        }
        return present.stream().findFirst();
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
        return new TransactionAssembler(transactionSettings, new Telling());
    }

    private void goOnFrom(Checkpoint checkpoint) {
        donePosition = checkpoint.position();
        doneOpen = checkpoint.open().stream().map(JournalCapture::state).toList();
        incompleteUpTo = checkpoint.incompleteUpTo();
        TransactionAssembler fresh = newAssembler(checkpoint.guid());
        fresh.restoreDead(checkpoint.dead());
        assembler = Optional.of(fresh);
        restart();
        LOG.info(
                "Database {}: going on at {}, reading from segment {} for {} open transaction(s)",
                checkpoint.guid(),
                donePosition,
                current,
                doneOpen.size());
    }

    /** Puts the assembler to the state of the done position. */
    private void restart() {
        TransactionAssembler target = assembler.orElseThrow();
        target.allowIncompleteUpTo(
                settings.unknownTransaction() == UnknownTransaction.WARN || incompleteWindowOpen
                        ? Long.MAX_VALUE
                        : incompleteUpTo);
        target.restore(donePosition, doneOpen);
        current = neededFrom(donePosition, doneOpen);
    }

    /** Forgets everything that was read behind the done position. */
    private void returnToDone() {
        closeReader();
        if (startPending) {
            return;
        }
        List<Long> dead = assembler.orElseThrow().dead();
        TransactionAssembler fresh = newAssembler(guid.orElseThrow());
        fresh.restoreDead(dead);
        assembler = Optional.of(fresh);
        Delivery last = window.isEmpty() ? again.peekLast() : window.peekLast();
        if (last == null) {
            restart();
        } else {
            // what is in flight stays so; reading goes on behind it
            JournalPosition done = donePosition;
            List<OpenTransactionState> open = doneOpen;
            donePosition = last.next();
            doneOpen = last.open();
            restart();
            donePosition = done;
            doneOpen = open;
        }
    }

    private static long neededFrom(JournalPosition position, List<OpenTransactionState> open) {
        return open.stream()
                .map(OpenTransactionState::firstNeeded)
                .flatMap(Optional::stream)
                .mapToLong(JournalPosition::segment)
                .reduce(position.segment(), Math::min);
    }

    private static OpenTransactionState state(OpenTransactionMark mark) {
        return new OpenTransactionState(
                mark.number(), mark.begin(), mark.sinceMillis(), mark.firstNeeded(), mark.savepoints(), mark.changes());
    }

    private static OpenTransactionMark mark(OpenTransactionState state) {
        return new OpenTransactionMark(
                state.number(),
                state.begin(),
                state.sinceMillis(),
                state.firstNeeded(),
                state.savepoints(),
                state.changes());
    }

    // ------------------------------------------------------------------------------------------------ segments

    /** Opens the current segment if it is there; else says why not and gives false. */
    private boolean openSegment() {
        problem = Optional.empty();
        note = Optional.empty();
        List<SegmentStatus> found = directory.scan();
        ArchiveView view = new ArchiveView(found, guid, settings.readInUse());
        reportForeign(view);
        if (startPending && !chooseStart(view)) {
            return false;
        }
        checkKnownSegments(view);
        segmentsWaiting = view.complete().tailMap(current, true).size();
        ArchiveView.Lookup lookup = lookup(view);
        return switch (lookup.kind()) {
            case READY -> take(view, lookup.files());
            case WAITING -> {
                waiting(view, lookup);
                yield false;
            }
            case GAP -> gap(view, lookup);
        };
    }

    private ArchiveView.Lookup lookup(ArchiveView view) {
        ArchiveView.Lookup lookup = view.find(current);
        if (lookup.kind() != ArchiveView.Kind.READY && current < donePosition.segment()) {
            return segmentGone(view, lookup);
        }
        return lookup;
    }

    /** The checkpoint needs a segment for an open transaction, and it is not there. */
    private ArchiveView.Lookup segmentGone(ArchiveView view, ArchiveView.Lookup lookup) {
        List<OpenTransactionState> lost = doneOpen.stream()
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
        lost.forEach(t -> assembler.orElseThrow().drop(t.number()));
        counting.incomplete += lost.size();
        doneOpen = doneOpen.stream().filter(t -> !lost.contains(t)).toList();
        dirty = true;
        current = neededFrom(donePosition, doneOpen);
        return view.find(current);
    }

    private boolean chooseStart(ArchiveView view) {
        Optional<Long> first =
                switch (settings.startFrom().kind()) {
                    case EARLIEST -> view.lowest();
                    case LATEST -> view.highestComplete().map(n -> n + 1);
                    case NUMBER -> Optional.of(settings.startFrom().sequence());
                };
        if (first.isEmpty()) {
            problem = view.looksLikeJournalDirectory() ? Optional.of(journalDirectory()) : Optional.empty();
            return false;
        }
        current = first.get();
        startPending = false;
        donePosition = new JournalPosition(current, 0);
        incompleteWindowOpen = current > 1;
        incompleteUpTo = incompleteWindowOpen ? Long.MAX_VALUE : 0;
        restart();
        dirty = true;
        LOG.info("Database {}: capture begins with segment {}", guid.orElseThrow(), current);
        return true;
    }

    private void waiting(ArchiveView view, ArchiveView.Lookup lookup) {
        if (!lookup.reason().isEmpty()) {
            note = Optional.of(lookup.reason());
        } else if (view.looksLikeJournalDirectory()) {
            problem = Optional.of(journalDirectory());
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
        incompleteWindowOpen = true;
        incompleteUpTo = Long.MAX_VALUE;
        assembler.orElseThrow().allowIncompleteUpTo(Long.MAX_VALUE);
        current = target;
        addMilestone(new JournalPosition(target, 0));
    }

    /** Validates one of the candidates as a whole and opens it. */
    private boolean take(ArchiveView view, List<SegmentFile> candidates) {
        SegmentFile file = candidates.get(0);
        Optional<SegmentMark> known = ledger.get(current);
        boolean replay = current < donePosition.segment();
        SegmentSummary summary = summary(file);
        if (candidates.size() > 1) {
            checkCopies(candidates, summary);
        }
        if (known.isPresent() && known.get().leftOver() && known.get().digest().equals(summary.digest())) {
            leftOver(file);
            return false;
        }
        if (!replay && isLeftOver(summary)) {
            ledger.put(mark(file, summary).asLeftOver());
            dirty = true;
            leftOver(file);
            return false;
        }
        if (!sameAsBefore(file)) {
            note = Optional.of(file.fileName() + " changed while it was read; it is read again at the next poll");
            return false;
        }
        files.put(file);
        ledger.put(mark(file, summary));
        reader = Optional.of(SegmentReader.open(file));
        if (!file.header().state().isComplete()) {
            LOG.warn(
                    "Segment {} ({}) is still in use by the server; it is read as far as it goes",
                    file.sequence(),
                    file.fileName());
        }
        newestSegmentMillis = file.modifiedMillis();
        reported.removeIf(text -> text.startsWith("gap "));
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

    private void leftOver(SegmentFile file) {
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
    }

    private void checkCopies(List<SegmentFile> candidates, SegmentSummary first) {
        for (SegmentFile other : candidates.subList(1, candidates.size())) {
            if (!summary(other).digest().equals(first.digest())) {
                throw new CaptureException(
                        CaptureException.Reason.OVERWRITTEN,
                        "segment " + current + " is there twice with different content: "
                                + candidates.get(0).fileName() + " and " + other.fileName()
                                + ". Find out which one the server wrote and remove the other");
            }
            if (reported.add("copy " + other.fileName())) {
                LOG.warn(
                        "{} is a copy of {}; it is ignored",
                        other.fileName(),
                        candidates.get(0).fileName());
            }
        }
    }

    private SegmentSummary summary(SegmentFile file) {
        FailedLook failed = failedLooks.get(file.fileName());
        if (failed != null && failed.size() == file.size() && failed.modifiedMillis() == file.modifiedMillis()) {
            throw failed.error();
        }
        try {
            SegmentSummary summary = SegmentSummary.of(file);
            failedLooks.remove(file.fileName());
            return summary;
        } catch (JournalFormatException e) {
            failedLooks.put(file.fileName(), new FailedLook(file.size(), file.modifiedMillis(), e));
            throw e;
        }
    }

    private static boolean sameAsBefore(SegmentFile file) {
        SegmentStatus now = SegmentDirectory.inspect(file.path());
        return now.segment()
                .filter(s -> s.header().equals(file.header())
                        && s.size() == file.size()
                        && s.modifiedMillis() == file.modifiedMillis())
                .isPresent();
    }

    /** The whole segment is indexed. */
    private void endSegment() {
        closeReader();
        boolean replay = current < donePosition.segment();
        current++;
        if (!replay) {
            counting.segments++;
            addMilestone(new JournalPosition(current, 0));
        }
    }

    /** Everything up to a position is done as soon as all deliveries before it are. */
    private void addMilestone(JournalPosition position) {
        Delivery milestone = new Delivery(
                Optional.empty(),
                Optional.empty(),
                position,
                position,
                assembler.orElseThrow().open(),
                true);
        window.addLast(milestone);
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
        for (SegmentStatus misnamed : List.copyOf(view.misnamed())) {
            if (isKnownCopy(misnamed)) {
                view.ignore(misnamed);
            }
        }
        for (SegmentMark mark : ledger.all()) {
            List<SegmentFile> present = view.complete().getOrDefault(mark.sequence(), List.of());
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
        SegmentSummary summary = summary(file);
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
        if (mark.holdsCommit()) {
            throw new CaptureException(
                    CaptureException.Reason.OVERWRITTEN,
                    "segment " + mark.sequence() + " (" + file.fileName() + ") was read with " + mark.length()
                            + " bytes and digest " + abbreviate(mark.digest()) + ", now it has "
                            + file.header().length() + " bytes and digest " + abbreviate(summary.digest())
                            + ". It held committed transactions, so two servers write the same numbers, or a defect of the"
                            + " server has overwritten data. Find the original file; to go on with the new history, move"
                            + " the checkpoint away and set startFrom");
        }
        return true;
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
        closeReader();
        again.removeIf(d -> d.position().segment() >= sequence);
        window.removeIf(d -> d.position().segment() >= sequence);
        List<OpenTransactionState> before = assembler.orElseThrow().open().stream()
                .filter(t -> t.begin().segment() < sequence)
                .map(t -> before(t, sequence))
                .toList();
        for (SegmentMark mark : ledger.from(sequence)) {
            boolean unchanged = view.complete().getOrDefault(mark.sequence(), List.of()).stream()
                    .anyMatch(f -> f.header().length() == mark.length()
                            && summary(f).digest().equals(mark.digest()));
            if (unchanged) {
                ledger.put(mark.asLeftOver());
            } else {
                ledger.remove(mark.sequence());
            }
            files.remove(mark.sequence());
        }
        List<Long> dead = assembler.orElseThrow().dead();
        TransactionAssembler fresh = newAssembler(guid.orElseThrow());
        fresh.restoreDead(dead);
        assembler = Optional.of(fresh);
        donePosition = new JournalPosition(sequence, 0);
        doneOpen = before;
        restart();
        dirty = true;
        save(true);
    }

    /** State of a transaction before a segment: where that is not known, it is read again from its begin. */
    private static OpenTransactionState before(OpenTransactionState state, long sequence) {
        boolean certain =
                state.firstNeeded().filter(p -> p.segment() < sequence).isPresent();
        return certain
                ? state
                : new OpenTransactionState(
                        state.number(), state.begin(), state.sinceMillis(), Optional.of(state.begin()), 0, 0);
    }

    /** Whether a file whose name and header differ is a renamed copy of a segment that was read. */
    private boolean isKnownCopy(SegmentStatus file) {
        SegmentFile segment = file.segment().orElseThrow();
        boolean known = ledger.get(segment.sequence())
                .filter(mark -> mark.length() == segment.header().length())
                .flatMap(mark -> digestOfMisnamed(segment).filter(mark.digest()::equals))
                .isPresent();
        if (known && reported.add("copy " + segment.fileName())) {
            LOG.warn("{} is a renamed copy of segment {}; it is ignored", segment.fileName(), segment.sequence());
        }
        return known;
    }

    /** Empty if it is damaged: then it is no copy of anything sound. */
    private Optional<String> digestOfMisnamed(SegmentFile file) {
        MisnamedLook last = misnamedLooks.get(file.fileName());
        if (last != null && last.size() == file.size() && last.modifiedMillis() == file.modifiedMillis()) {
            return last.digest();
        }
        Optional<String> digest;
        try {
            digest = Optional.of(SegmentSummary.of(file).digest());
        } catch (JournalFormatException e) {
            digest = Optional.empty();
        }
        misnamedLooks.put(file.fileName(), new MisnamedLook(file.size(), file.modifiedMillis(), digest));
        return digest;
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
        delivery.transaction().ifPresent(t -> {
            counting.transactions++;
            counting.events += t.eventCount();
        });
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
        List<Delivery> waiting = new ArrayList<>(window);
        window.clear();
        Iterator<Delivery> backwards = new ArrayDeque<>(waiting).descendingIterator();
        while (backwards.hasNext()) {
            Delivery delivery = backwards.next();
            if (!delivery.isMilestone()) {
                delivery.markNotDone();
            }
            again.addFirst(delivery);
        }
    }

    private void advance() {
        while (!window.isEmpty() && window.peekFirst().isDone()) {
            Delivery first = window.pollFirst();
            donePosition = first.next();
            doneOpen = first.open();
            dirty = true;
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
                    guid.orElseThrow(),
                    donePosition,
                    doneOpen.stream().map(JournalCapture::mark).toList(),
                    ledger.all(),
                    assembler.orElseThrow().dead(),
                    incompleteUpTo);
            history.toSave().ifPresent(document -> {
                store.saveDocument(guid.orElseThrow(), SCHEMA_DOCUMENT, document);
                history.saved();
            });
            store.save(checkpoint);
            dirty = false;
            lastSaveMillis = time;
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
        Optional<Long> changes = assembler.get().drop(transaction);
        changes.ifPresent(count -> {
            LOG.warn("Transaction {} with {} row changes is abandoned: they are not delivered", transaction, count);
            counting.abandoned++;
            counting.abandonedChanges += count;
            incompleteUpTo = Math.max(incompleteUpTo, transaction);
            forgetOpen();
        });
        return changes;
    }

    private void dropEndlessTransactions() {
        TransactionAssembler target = assembler.orElseThrow();
        for (OpenTransactionState transaction : endless.find(target.open(), current)) {
            target.drop(transaction.number());
            counting.abandoned++;
            counting.abandonedChanges += transaction.changes();
            forgetOpen();
        }
    }

    /** The open transactions are other ones now; the checkpoint says so as soon as nothing is in flight. */
    private void forgetOpen() {
        if (window.isEmpty() && again.isEmpty()) {
            doneOpen = assembler.orElseThrow().open();
            dirty = true;
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
                donePosition,
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
            store.close();
        }
    }

    private static final class Counting {
        long transactions;
        long events;
        long segments;
        long skippedRecords;
        long incomplete;
        long abandoned;
        long abandonedChanges;
        long cleanedUp;

        CaptureStatus.Counters snapshot() {
            return new CaptureStatus.Counters(
                    transactions, events, segments, skippedRecords, incomplete, abandoned, abandonedChanges, cleanedUp);
        }
    }

    private final class Telling implements AssemblerListener {

        @Override
        public void openSavepointsAtCommit(long transaction, JournalPosition position, int savepoints) {
            LOG.warn(
                    "{}: transaction {} commits with {} savepoint(s) open. The application re-uses savepoint names or says"
                            + " RELEASE SAVEPOINT ... ONLY; a defect of the server then leaves undone rows in the journal",
                    position,
                    transaction,
                    savepoints);
        }

        @Override
        public void savepointUnderflow(long transaction, JournalPosition position) {
            LOG.warn("{}: transaction {} ends a savepoint, but none is open; ignored", position, transaction);
        }

        @Override
        public void unknownFlags(long transaction, JournalPosition position, int flags) {
            LOG.warn("{}: block of transaction {} has unknown flags {}; ignored", position, transaction, flags);
        }

        @Override
        public void numberReused(long transaction, JournalPosition position, long droppedChanges) {
            LOG.warn(
                    "{}: transaction {} begins while one of this number is open; the earlier one with {} row changes is"
                            + " dropped",
                    position,
                    transaction,
                    droppedChanges);
        }

        @Override
        public void incompleteTransaction(long transaction, JournalPosition position, boolean committed) {
            if (committed) {
                counting.incomplete++;
                if (settings.unknownTransaction() == UnknownTransaction.WARN || counting.incomplete == 1) {
                    LOG.warn(
                            "{}: transaction {} commits, but its beginning was not in view; it is not delivered. Further"
                                    + " ones are counted",
                            position,
                            transaction);
                }
            }
        }

        @Override
        public void cleanedUp(long transaction, JournalPosition position, long droppedChanges) {
            counting.cleanedUp++;
            LOG.info(
                    "{}: transaction {} with {} row changes died with its server or session and is dropped",
                    position,
                    transaction,
                    droppedChanges);
        }
    }
}
