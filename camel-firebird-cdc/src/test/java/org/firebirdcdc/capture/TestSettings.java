package org.firebirdcdc.capture;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Settings that differ from the defaults in what a test is about. */
final class TestSettings {

    private CaptureSettings settings;

    TestSettings(Path directory) {
        settings = CaptureSettings.of(directory);
    }

    CaptureSettings settings() {
        return settings;
    }

    TestSettings startFrom(String text) {
        settings = with(StartFrom.parse(text), settings.checkpointInterval(), settings.processed(), settings.moveTo());
        return this;
    }

    TestSettings checkpointInterval(Duration interval) {
        settings = with(settings.startFrom(), interval, settings.processed(), settings.moveTo());
        return this;
    }

    TestSettings processed(Processed processed) {
        settings = with(settings.startFrom(), settings.checkpointInterval(), processed, settings.moveTo());
        return this;
    }

    TestSettings moveTo(Path target) {
        settings = with(settings.startFrom(), settings.checkpointInterval(), Processed.MOVE, target);
        return this;
    }

    private CaptureSettings with(StartFrom startFrom, Duration interval, Processed processed, Path moveTo) {
        return new CaptureSettings(
                settings.directory(),
                settings.guid(),
                startFrom,
                interval,
                processed,
                moveTo,
                settings.onGap(),
                settings.unknownTransaction(),
                settings.abandonAfter(),
                settings.clock());
    }

    TestSettings onGap(OnGap onGap) {
        return rest(onGap, settings.unknownTransaction(), settings.abandonAfter(), settings.clock());
    }

    TestSettings unknownTransaction(UnknownTransaction unknown) {
        return rest(settings.onGap(), unknown, settings.abandonAfter(), settings.clock());
    }

    TestSettings abandonAfter(Duration age) {
        return rest(settings.onGap(), settings.unknownTransaction(), Optional.of(age), settings.clock());
    }

    TestSettings clock(Clock clock) {
        return rest(settings.onGap(), settings.unknownTransaction(), settings.abandonAfter(), clock);
    }

    private TestSettings rest(OnGap onGap, UnknownTransaction unknown, Optional<Duration> abandonAfter, Clock clock) {
        settings = new CaptureSettings(
                settings.directory(),
                settings.guid(),
                settings.startFrom(),
                settings.checkpointInterval(),
                settings.processed(),
                settings.moveTo(),
                onGap,
                unknown,
                abandonAfter,
                clock);
        return this;
    }
}
