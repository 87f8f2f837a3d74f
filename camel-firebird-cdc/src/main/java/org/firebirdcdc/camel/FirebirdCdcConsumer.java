package org.firebirdcdc.camel;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedOperation;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.BridgeExceptionHandlerToErrorHandler;
import org.apache.camel.support.LoggingExceptionHandler;
import org.apache.camel.support.ScheduledPollConsumer;
import org.firebirdcdc.capture.CaptureStatus;
import org.firebirdcdc.capture.Delivery;
import org.firebirdcdc.transaction.OpenTransactionState;

/**
 * Polls an archive directory and gives one exchange per committed transaction, in commit order. A poll drains what is
 * complete. An exchange that fails fails the poll; the same transaction comes first at the next one.
 */
@ManagedResource(description = "Managed Firebird CDC consumer")
public class FirebirdCdcConsumer extends ScheduledPollConsumer implements ShutdownAware {

    private final FirebirdCdcEndpoint endpoint;
    private final LongAdder replacements = new LongAdder();
    private final CapturePlan plan;
    private PollFailureHandler log;

    /** From start to stop. */
    private volatile Optional<Run> run = Optional.empty();

    private record Run(CaptureSession session, DeliveryWindow window) {}

    /**
     * @throws IllegalArgumentException on an option that has no meaning
     * @throws org.firebirdcdc.schema.MetadataException on a database that is not an address
     */
    public FirebirdCdcConsumer(FirebirdCdcEndpoint endpoint, Processor processor) {
        super(endpoint, processor);
        this.endpoint = endpoint;
        this.plan = new CapturePlan(endpoint.directoryPath(), endpoint.getConfiguration(), replacements::increment);
    }

    @Override
    public FirebirdCdcEndpoint getEndpoint() {
        return endpoint;
    }

    // ------------------------------------------------------------------------------------------------ life

    @Override
    protected void doBuild() throws Exception {
        if (getHealthCheck() == null) {
            setHealthCheck(new FirebirdCdcConsumerHealthCheck(this, "consumer:" + getRouteId()));
        }
        super.doBuild();
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        log = new PollFailureHandler(getRouteId(), Clock.systemUTC());
        setExceptionHandler(handler(getExceptionHandler()));
    }

    @Override
    protected void doStart() throws Exception {
        CaptureSession session = new CaptureSession(plan);
        run = Optional.of(new Run(session, new DeliveryWindow(plan.maxInFlight(), session::isStopped)));
        super.doStart();
    }

    @Override
    protected void doStop() throws Exception {
        run.ifPresent(r -> r.session().stop());
        try {
            super.doStop();
        } finally {
            run.ifPresent(r -> r.session().close());
        }
    }

    @Override
    public boolean deferShutdown(ShutdownRunningTask shutdownRunningTask) {
        return false;
    }

    /** An exchange counts until its outcome is noted: Camel itself forgets it a little earlier. */
    @Override
    public int getPendingExchangesSize() {
        return run.map(r -> r.window().pending()).orElse(0);
    }

    @Override
    public void prepareShutdown(boolean suspendOnly, boolean forced) {
        if (forced && !suspendOnly) {
            run.ifPresent(r -> r.session().stop());
        }
    }

    // ------------------------------------------------------------------------------------------------ polling

    @Override
    protected int poll() throws Exception {
        Run current = run.orElseThrow();
        CaptureSession session = current.session();
        DeliveryWindow window = current.window();
        int handedOver = 0;
        Optional<Exception> failure = Optional.empty();
        try {
            // a checkpoint that could not be written is tried again before anything new is delivered
            session.flush();
            handedOver = drain(session, window);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failure = Optional.of(e);
        }
        if (!window.awaitAll()) {
            return handedOver;
        }
        Optional<Exception> failed = window.takeFailure();
        if (failed.isPresent()) {
            session.retry();
            failure.ifPresent(failed.get()::addSuppressed);
            throw failed.get();
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (handedOver > 0) {
            session.flush();
        }
        log.recovered();
        return handedOver;
    }

    private int drain(CaptureSession session, DeliveryWindow window) throws InterruptedException {
        // Only the end of a poll tells health and management that an earlier failure is over, and draining may take
        // long.
        // So after a failure one delivery is tried first; a greedy consumer is polled again at once.
        boolean trial = isGreedy() && getErrorCounter() > 0;
        int handedOver = 0;
        while (isPollAllowed() && !(trial && handedOver > 0)) {
            Optional<DeliveryWindow.Place> place = window.take();
            if (place.isEmpty()) {
                break;
            }
            Optional<Delivery> next = Optional.empty();
            try {
                next = session.next();
            } finally {
                if (next.isEmpty()) {
                    window.giveBack(place.get());
                }
            }
            if (next.isEmpty()) {
                break;
            }
            handOver(next.get(), session, window, place.get());
            handedOver++;
            forceConsumerAsReady();
        }
        return handedOver;
    }

    private void handOver(
            Delivery delivery, CaptureSession session, DeliveryWindow window, DeliveryWindow.Place place) {
        Exchange exchange = createExchange(false);
        Optional<FirebirdCdcTransaction> body = delivery.transaction()
                .map(t -> new FirebirdCdcTransaction(t, endpoint.getCamelContext(), session::isStopped));
        Handover handover = new Handover(this, window, place, session, delivery, exchange, body);
        window.occupy(place);
        try {
            body.ifPresent(transaction -> {
                exchange.getIn().setBody(transaction);
                EventHeaders.of(transaction, exchange.getIn().getHeaders());
            });
            delivery.sequence().ifPresent(value -> {
                exchange.getIn().setBody(value);
                EventHeaders.of(value, exchange.getIn().getHeaders());
            });
            getAsyncProcessor().process(exchange, handover);
        } catch (RuntimeException e) {
            handover.thrown(e);
        }
    }

    /**
     * The error handler of the route has had its turn with a failed exchange, so the bridge to it is not taken a second
     * time. Without a handler of the user's own, what lasts is logged sparsely.
     */
    private ExceptionHandler handler(ExceptionHandler configured) {
        if (configured instanceof BridgeExceptionHandlerToErrorHandler) {
            return new Bridge(configured, log);
        }
        return configured.getClass() == LoggingExceptionHandler.class ? log : configured;
    }

    /** Gives failures of the polling itself to the error handler of the route. */
    private static final class Bridge implements ExceptionHandler {

        private final ExceptionHandler route;
        private final ExceptionHandler log;

        Bridge(ExceptionHandler route, ExceptionHandler log) {
            this.route = route;
            this.log = log;
        }

        @Override
        public void handleException(Throwable exception) {
            chosen(exception).handleException(exception);
        }

        @Override
        public void handleException(String message, Throwable exception) {
            chosen(exception).handleException(message, exception);
        }

        @Override
        public void handleException(String message, Exchange exchange, Throwable exception) {
            chosen(exception).handleException(message, exchange, exception);
        }

        private ExceptionHandler chosen(Throwable exception) {
            return exception instanceof DeliveryFailedException ? log : route;
        }
    }

    // ------------------------------------------------------------------------------------------------ telling

    /** How capture stands; empty before the first poll has opened it. */
    public Optional<CaptureStatus> status() {
        return run.flatMap(r -> r.session().status());
    }

    private long count(ToLongFunction<CaptureStatus> number) {
        return status().map(number::applyAsLong).orElse(0L);
    }

    private String text(Function<CaptureStatus, Optional<?>> part) {
        return status().<Object>flatMap(part).map(Object::toString).orElse("");
    }

    @ManagedAttribute(description = "Archive directory")
    public String getDirectory() {
        return endpoint.getDirectory();
    }

    @ManagedAttribute(description = "GUID of the database, empty until it is known")
    public String getDatabaseGuid() {
        return text(CaptureStatus::guid);
    }

    @ManagedAttribute(description = "Everything before this position (segment:offset) is delivered")
    public String getPosition() {
        return text(s -> Optional.of(s.position()));
    }

    @ManagedAttribute(description = "Position of the reader (segment:offset)")
    public String getReadingPosition() {
        return text(s -> Optional.of(s.reading()));
    }

    @ManagedAttribute(
            description = "Why nothing can be read although something should be there, and what to do; else empty")
    public String getProblem() {
        return text(CaptureStatus::problem);
    }

    @ManagedAttribute(description = "What a person may want to know and is no problem; else empty")
    public String getNote() {
        return text(CaptureStatus::note);
    }

    @ManagedAttribute(description = "Number of transactions without an end")
    public long getOpenTransactionCount() {
        return count(s -> s.open().size());
    }

    @ManagedAttribute(description = "Number of the oldest transaction without an end, 0 for none")
    public long getOldestOpenTransaction() {
        return count(s -> s.oldestOpen().map(OpenTransactionState::number).orElse(0L));
    }

    @ManagedAttribute(description = "Segment in which the oldest transaction without an end began, 0 for none")
    public long getOldestOpenTransactionSegment() {
        return count(s -> s.oldestOpen().map(t -> t.begin().segment()).orElse(0L));
    }

    @ManagedAttribute(description = "Age in seconds of the oldest transaction without an end, 0 for none")
    public long getOldestOpenTransactionAgeSeconds() {
        return count(s -> s.oldestOpen().map(OpenTransactions::ageSeconds).orElse(0L));
    }

    @ManagedAttribute(description = "Exchanges that are handed over and not acknowledged")
    public int getInFlight() {
        return getPendingExchangesSize();
    }

    @ManagedAttribute(description = "Complete segments that are not read yet")
    public long getSegmentsWaiting() {
        return count(CaptureStatus::segmentsWaiting);
    }

    @ManagedAttribute(
            description = "Last-modified time of the segment read last, milliseconds since 1970 UTC, 0 for none")
    public long getNewestSegmentMillis() {
        return count(CaptureStatus::newestSegmentMillis);
    }

    @ManagedAttribute(description = "Transactions delivered since the start")
    public long getDeliveredTransactions() {
        return count(s -> s.counters().transactions());
    }

    @ManagedAttribute(description = "Events of the transactions delivered since the start")
    public long getDeliveredEvents() {
        return count(s -> s.counters().events());
    }

    @ManagedAttribute(description = "Segments read to their end since the start")
    public long getReadSegments() {
        return count(s -> s.counters().segments());
    }

    @ManagedAttribute(description = "Records left out since the start (onDecodeError=skip)")
    public long getSkippedRecords() {
        return count(s -> s.counters().skippedRecords());
    }

    @ManagedAttribute(description = "Values in which U+FFFD stands for malformed text (malformedText=replace)")
    public long getReplacedTexts() {
        return replacements.sum();
    }

    @ManagedAttribute(description = "Committed transactions dropped since the start: their beginning was not in view")
    public long getIncompleteTransactions() {
        return count(s -> s.counters().incomplete());
    }

    @ManagedAttribute(description = "Open transactions dropped by decision since the start")
    public long getAbandonedTransactions() {
        return count(s -> s.counters().abandoned());
    }

    @ManagedAttribute(description = "Row changes of the open transactions dropped by decision since the start")
    public long getAbandonedChanges() {
        return count(s -> s.counters().abandonedChanges());
    }

    @ManagedOperation(description = "Lists the transactions without an end, oldest first")
    public List<String> listOpenTransactions() {
        return status().map(OpenTransactions::describe).orElse(List.of());
    }

    @ManagedOperation(
            description =
                    "Drops an open transaction that will never end, so that it holds no segment back. What it has"
                            + " changed is not delivered, even if it commits after all. Gives the number of its row changes so far")
    public long abandonTransaction(long transaction) {
        return run.flatMap(r -> r.session().abandon(transaction))
                .orElseThrow(() -> new IllegalArgumentException("transaction " + transaction + " is not open"));
    }
}
