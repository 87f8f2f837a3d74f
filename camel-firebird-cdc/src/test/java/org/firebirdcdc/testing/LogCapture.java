package org.firebirdcdc.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What one class logs, from INFO on, while this is open. */
public final class LogCapture implements AutoCloseable {

    private record Line(Level level, String message) {}

    private final Logger logger;
    private final Level former;
    private final Collector collector = new Collector();

    private static final class Collector extends AbstractAppender {
        final List<Line> lines = new CopyOnWriteArrayList<>();

        Collector() {
            super("collector", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            lines.add(new Line(event.getLevel(), event.getMessage().getFormattedMessage()));
        }
    }

    private LogCapture(Logger logger) {
        this.logger = logger;
        this.former = logger.getLevel();
        collector.start();
        logger.addAppender(collector);
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
    }

    public static LogCapture of(Class<?> type) {
        return new LogCapture((Logger) LogManager.getLogger(type));
    }

    public List<String> messages() {
        return collector.lines.stream().map(Line::message).toList();
    }

    public List<String> warnings() {
        return collector.lines.stream()
                .filter(line -> line.level().isMoreSpecificThan(Level.WARN))
                .map(Line::message)
                .toList();
    }

    @Override
    public void close() {
        logger.removeAppender(collector);
        logger.setAdditive(true);
        logger.setLevel(former);
        collector.stop();
    }
}
