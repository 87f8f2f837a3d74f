package org.firebirdcdc.transaction;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.firebirdcdc.journal.ObjectName;

/**
 * The options {@code includeTables} and {@code excludeTables}: Java regular expressions that must match a whole name,
 * {@code TABLE} or, from Firebird 6 on, {@code SCHEMA.TABLE}, in its case.
 *
 * @param include which tables are wanted; empty for all
 * @param exclude which of them are not; empty for none
 */
public record TableFilter(Optional<Pattern> include, Optional<Pattern> exclude) implements Predicate<ObjectName> {

    /**
     * @throws IllegalArgumentException if one of the texts is no regular expression; names the option
     */
    public static TableFilter parse(Optional<String> includeTables, Optional<String> excludeTables) {
        return new TableFilter(
                includeTables.map(text -> pattern("includeTables", text)),
                excludeTables.map(text -> pattern("excludeTables", text)));
    }

    private static Pattern pattern(String option, String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    option + "=" + text + " is not a regular expression: " + e.getDescription() + " at index "
                            + e.getIndex(),
                    e);
        }
    }

    @Override
    public boolean test(ObjectName table) {
        String name = table.toString();
        return include.map(p -> p.matcher(name).matches()).orElse(true)
                && !exclude.map(p -> p.matcher(name).matches()).orElse(false);
    }
}
