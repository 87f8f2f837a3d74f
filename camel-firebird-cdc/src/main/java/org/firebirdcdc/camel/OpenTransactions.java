package org.firebirdcdc.camel;

import java.util.Comparator;
import java.util.List;
import org.firebirdcdc.capture.CaptureStatus;
import org.firebirdcdc.transaction.OpenTransactionState;

/** Transactions without an end, in words for operators. */
final class OpenTransactions {

    private static final long MILLIS_PER_SECOND = 1000;

    private OpenTransactions() {}

    /** Oldest first. */
    static List<String> describe(CaptureStatus status) {
        return status.open().stream()
                .sorted(Comparator.comparing(OpenTransactionState::begin))
                .map(OpenTransactions::describe)
                .toList();
    }

    static String describe(OpenTransactionState transaction) {
        return "transaction " + transaction.number() + " open since segment "
                + transaction.begin().segment() + " for " + ageSeconds(transaction) + " s, " + transaction.changes()
                + " row changes";
    }

    /** Seconds since the segment was written in which it began. */
    static long ageSeconds(OpenTransactionState transaction) {
        return Math.max(0, System.currentTimeMillis() - transaction.sinceMillis()) / MILLIS_PER_SECOND;
    }
}
