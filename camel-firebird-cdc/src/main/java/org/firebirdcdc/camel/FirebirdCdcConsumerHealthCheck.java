package org.firebirdcdc.camel;

import java.util.Map;
import java.util.Optional;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.support.ScheduledPollConsumerHealthCheck;
import org.firebirdcdc.capture.CaptureStatus;

/**
 * Health of a consumer: down while polls fail, as of every polling consumer, and while capture waits for something that
 * should be there, such as a missing segment. The details say where capture stands.
 */
final class FirebirdCdcConsumerHealthCheck extends ScheduledPollConsumerHealthCheck {

    private final FirebirdCdcConsumer consumer;

    FirebirdCdcConsumerHealthCheck(FirebirdCdcConsumer consumer, String id) {
        super(consumer, id);
        this.consumer = consumer;
    }

    @Override
    public Result call(Map<String, Object> options) {
        Result polling = super.call(options);
        Optional<CaptureStatus> status = consumer.status();
        if (!isEnabled() || status.isEmpty()) {
            return polling;
        }
        HealthCheckResultBuilder result =
                HealthCheckResultBuilder.on(this).state(polling.getState()).details(polling.getDetails());
        polling.getMessage().ifPresent(result::message);
        polling.getError().ifPresent(result::error);
        details(status.get(), result);
        if (polling.getState() == State.UP) {
            status.get().problem().ifPresent(problem -> result.down().message(problem));
        }
        return result.build();
    }

    private static void details(CaptureStatus status, HealthCheckResultBuilder result) {
        status.guid().ifPresent(guid -> result.detail("firebird.guid", guid.toString()));
        result.detail("firebird.position", status.position().toString());
        result.detail("firebird.segment", status.reading().segment());
        result.detail("firebird.offset", status.reading().offset());
        result.detail("firebird.segments.waiting", status.segmentsWaiting());
        result.detail("firebird.segment.newest.millis", status.newestSegmentMillis());
        result.detail("firebird.transactions.open", status.open().size());
        status.problem().ifPresent(problem -> result.detail("firebird.problem", problem));
        status.note().ifPresent(note -> result.detail("firebird.note", note));
        status.oldestOpen().ifPresent(oldest -> {
            result.detail("firebird.transaction.oldest", oldest.number());
            result.detail("firebird.transaction.oldest.segment", oldest.begin().segment());
            result.detail("firebird.transaction.oldest.age.seconds", OpenTransactions.ageSeconds(oldest));
        });
    }
}
