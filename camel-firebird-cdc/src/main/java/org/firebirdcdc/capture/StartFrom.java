package org.firebirdcdc.capture;

/**
 * Where capture begins when there is no checkpoint.
 *
 * @param kind     earliest, latest or a number
 * @param sequence the number, for {@link Kind#NUMBER}; else 0
 */
public record StartFrom(Kind kind, long sequence) {

    /** The lowest number that is there. */
    public static final StartFrom EARLIEST = new StartFrom(Kind.EARLIEST, 0);

    /** Behind the newest that is there. */
    public static final StartFrom LATEST = new StartFrom(Kind.LATEST, 0);

    /** How the start is given. */
    public enum Kind {
        EARLIEST,
        LATEST,
        NUMBER
    }

    /**
     * Reads {@code earliest}, {@code latest} or a segment number.
     *
     * @throws IllegalArgumentException on anything else
     */
    public static StartFrom parse(String text) {
        if (text.equalsIgnoreCase("earliest")) {
            return EARLIEST;
        }
        if (text.equalsIgnoreCase("latest")) {
            return LATEST;
        }
        if (text.matches("[1-9]\\d{0,17}")) {
            return new StartFrom(Kind.NUMBER, Long.parseLong(text));
        }
        throw new IllegalArgumentException(
                "startFrom=" + text + " is not understood: give earliest, latest or the number of a segment");
    }
}
