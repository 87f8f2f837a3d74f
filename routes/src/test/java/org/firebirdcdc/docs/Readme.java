package org.firebirdcdc.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What stands in README.md. */
public final class Readme {

    private static final Path FILE = Path.of("../README.md");

    private Readme() {}

    /** The code block behind the line {@code <!-- example: NAME -->}, as it is printed. */
    public static String example(String name) {
        String text = text();
        String mark = "<!-- example: " + name + " -->\n";
        int from = text.indexOf(mark);
        if (from < 0) {
            throw new IllegalArgumentException("README.md has no example " + name);
        }
        int start = text.indexOf('\n', from + mark.length()) + 1;
        return text.substring(start, text.indexOf("```", start));
    }

    private static String text() {
        try {
            return Files.readString(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
