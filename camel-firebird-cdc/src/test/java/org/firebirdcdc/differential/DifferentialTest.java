package org.firebirdcdc.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.firebirdcdc.testing.FirebirdServer;
import org.firebirdcdc.testing.WithFirebirdServer;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs some fixed seeds. With the system property {@code firebird.cdc.differential.seeds}, numbers and ranges such as
 * {@code 5,100-120}, it runs those instead; with {@code firebird.cdc.differential.minutes} random ones for so long. These runs do more in each database.
 */
@WithFirebirdServer
class DifferentialTest {

    private static final Logger LOG = LoggerFactory.getLogger(DifferentialTest.class);

    private static final String SEEDS = "firebird.cdc.differential.seeds";
    private static final String MINUTES = "firebird.cdc.differential.minutes";
    private static final String FIXED_SEEDS = "1-5";
    private static final int STEPS = 60;
    private static final int STEPS_OF_LONG_RUNS = 150;

    @Test
    void tablesRebuiltFromTheJournalAreThoseOfTheServer(FirebirdServer server) {
        Figures all = Figures.NONE;
        if (System.getProperty(MINUTES) != null) {
            long end = System.nanoTime()
                    + Duration.ofMinutes(Long.getLong(MINUTES)).toNanos();
            Random seeds = new Random();
            while (System.nanoTime() < end) {
                all = all.plus(runUnlessTheServerDies(server, seeds.nextLong() >>> 16, all));
            }
        } else {
            int steps = System.getProperty(SEEDS) == null ? STEPS : STEPS_OF_LONG_RUNS;
            for (long seed : seeds(System.getProperty(SEEDS, FIXED_SEEDS))) {
                all = all.plus(run(server, seed, steps, all));
            }
        }
        assertThat(all.transactions()).isPositive();
        assertThat(all.spread()).isPositive();
        assertThat(all.restarts()).isPositive();
        assertThat(all.values()).isPositive();
    }

    /** Firebird has defects, too: a long run goes on with a server that was started again. */
    private static Figures runUnlessTheServerDies(FirebirdServer server, long seed, Figures before) {
        try {
            return run(server, seed, STEPS_OF_LONG_RUNS, before);
        } catch (AssertionError e) {
            if (answers(server)) {
                throw e;
            }
            LOG.warn("Seed {}: the server died: {}", seed, e.getMessage());
            server.crash();
            return Figures.NONE;
        }
    }

    private static boolean answers(FirebirdServer server) {
        try (Socket socket = new Socket(server.host(), server.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static Figures run(FirebirdServer server, long seed, int steps, Figures before) {
        Figures figures = DifferentialRun.of(server, seed, steps);
        LOG.info("Seed {}: {}; all so far: {}", seed, figures, before.plus(figures));
        return figures;
    }

    private static long[] seeds(String text) {
        return Arrays.stream(text.split(","))
                .map(part -> part.trim().split("-"))
                .flatMapToLong(
                        ends -> LongStream.rangeClosed(Long.parseLong(ends[0]), Long.parseLong(ends[ends.length - 1])))
                .toArray();
    }
}
