package org.firebirdcdc.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.firebirdcdc.schema.MetadataException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How failed polls are logged. */
class PollFailureHandlerTest {

    private final SetClock clock = new SetClock();
    private final PollFailureHandler handler = new PollFailureHandler("cdc", clock);
    private final Logger logger = (Logger) LogManager.getLogger(FirebirdCdcConsumer.class);
    private final Lines lines = new Lines();
    private Level before;

    /** A clock that stands where the test puts it. */
    private static final class SetClock extends Clock {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    /** Keeps what is logged: the message, and whether a stack was with it. */
    private static final class Lines extends AbstractAppender {

        private final List<String> texts = new ArrayList<>();

        Lines() {
            super("lines", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            texts.add(event.getLevel() + " " + event.getMessage().getFormattedMessage()
                    + (event.getThrown() == null ? "" : " + stack"));
        }
    }

    @BeforeEach
    void listen() {
        before = logger.getLevel();
        lines.start();
        logger.addAppender(lines);
        Configurator.setLevel(logger.getName(), Level.INFO);
    }

    @AfterEach
    void stopListening() {
        logger.removeAppender(lines);
        Configurator.setLevel(logger.getName(), before);
    }

    @Test
    void aFailureThatLastsIsLoggedAtItsBeginningAndThenSparsely() {
        for (int second = 0; second < 15 * 60; second++) {
            handler.handleException("", new MetadataException("the server is down; start it"));
            clock.now = clock.now.plusSeconds(1);
        }
        assertThat(lines.texts)
                .containsExactly(
                        "WARN Route cdc: the server is down; start it", "WARN Route cdc: the server is down; start it");
    }

    @Test
    void anotherFailureIsLoggedAtOnce() {
        handler.handleException("", new MetadataException("one"));
        handler.handleException("", new MetadataException("other"));
        assertThat(lines.texts).containsExactly("WARN Route cdc: one", "WARN Route cdc: other");
    }

    @Test
    void afterARecoveryTheSameFailureIsNews() {
        handler.recovered();
        handler.handleException("", new MetadataException("one"));
        handler.recovered();
        handler.recovered();
        handler.handleException("", new MetadataException("one"));
        assertThat(lines.texts)
                .containsExactly("WARN Route cdc: one", "INFO Route cdc: polling works again", "WARN Route cdc: one");
    }

    @Test
    void whatNobodyExpectedIsLoggedWithItsStack() {
        handler.handleException("", new IllegalStateException("surprise"));
        assertThat(lines.texts).containsExactly("WARN Route cdc: the poll failed, it is tried again + stack");
    }
}
