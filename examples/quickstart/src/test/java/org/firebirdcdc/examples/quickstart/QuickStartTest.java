package org.firebirdcdc.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class QuickStartTest {

    @TempDir
    Path directory;

    @Test
    @Timeout(180)
    void bringsTheRecordingIntoTopicsAndShowsThem() throws Exception {
        StringWriter text = new StringWriter();

        boolean right = new QuickStart(directory.resolve("work"), new PrintWriter(text, true)).run();

        assertThat(right).as(text.toString()).isTrue();
        assertThat(text.toString())
                .contains(
                        "firebird.PARENT: 14 records",
                        "  key    {\"ID\":1}",
                        "  after  {\"ID\":1,",
                        "10 committed transactions, 48 row changes",
                        "What came back is what the recording holds.");
        // for people: nothing is longer than two lines of a terminal
        assertThat(text.toString().lines()).allMatch(line -> line.length() < 160);
    }
}
