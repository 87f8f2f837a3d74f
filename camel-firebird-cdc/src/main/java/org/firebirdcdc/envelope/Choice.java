package org.firebirdcdc.envelope;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A value of an option that is one of a fixed set; {@link #text()} is how users write it. */
interface Choice {

    String text();

    /**
     * @param option name of the option, for the message
     * @throws IllegalArgumentException if no value is written like that; lists those that are
     */
    static <C extends Choice> C parse(String option, String text, C[] allowed) {
        for (C choice : allowed) {
            if (choice.text().equals(text)) {
                return choice;
            }
        }
        throw new IllegalArgumentException(option + "=" + text + " is not known; use one of: "
                + Arrays.stream(allowed).map(Choice::text).collect(Collectors.joining(", ")));
    }
}
