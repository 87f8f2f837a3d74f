package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.List;

/** A session's search path as the journal holds it (segment-format.md 3.7). */
final class SearchPath {

    private SearchPath() {}

    /**
     * Names of the schemas in order.
     *
     * @param path {@code "A", "B", "SYSTEM"}; a last name without its closing quote was cut and is left out
     */
    static List<String> parse(String path) {
        List<String> names = new ArrayList<>();
        int at = path.indexOf('"');
        while (at >= 0) {
            StringBuilder name = new StringBuilder();
            int close = path.indexOf('"', at + 1);
            while (close >= 0 && path.startsWith("\"\"", close)) {
                name.append(path, at + 1, close + 1);
                at = close + 1;
                close = path.indexOf('"', at + 1);
            }
            if (close < 0) {
                return names;
            }
            names.add(name.append(path, at + 1, close).toString());
            at = path.indexOf('"', close + 1);
        }
        return names;
    }
}
