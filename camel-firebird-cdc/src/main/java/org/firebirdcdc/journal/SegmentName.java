package org.firebirdcdc.journal;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file name that has the exact form of a segment's (segment-format.md 1.1): {@code <prefix>.journal-<sequence>} with at
 * least nine digits. Hidden files, partial copies of transfer tools and other files do not match. The name is only a
 * hint; sequence and GUID come from the header.
 *
 * @param fileName name without directory
 * @param prefix   what stands before {@code .journal-}, by default the database file's name (6.0: and the GUID)
 * @param sequence the number in the name
 */
public record SegmentName(String fileName, String prefix, long sequence) {

    // more digits than nine only without leading zeros; 18 digits always fit a long
    private static final Pattern FORM = Pattern.compile("([^.].*)\\.journal-(\\d{9}|[1-9]\\d{9,17})");

    /** What may follow a database's name in the prefix: the extension of its file, from 6.0 on the GUID. */
    private static final Pattern AFTER_DATABASE =
            Pattern.compile("(?<=.)(\\.[^.]*|_[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12})$");

    public static Optional<SegmentName> parse(String fileName) {
        Matcher matcher = FORM.matcher(fileName);
        return matcher.matches()
                ? Optional.of(new SegmentName(fileName, matcher.group(1), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    /** Name of the database file without extension, as far as the prefix tells it: a server may be told another prefix. */
    public String database() {
        return AFTER_DATABASE.matcher(prefix).replaceFirst("");
    }
}
