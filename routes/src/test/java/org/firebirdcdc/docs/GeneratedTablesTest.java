package org.firebirdcdc.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The tables of options and headers in the documents are those of the code. With {@code -Dreadme.write=true} they are
 * written anew.
 */
class GeneratedTablesTest {

    private static final Path README = Path.of("../README.md");
    private static final Path PAGE = Path.of("../camel-firebird-cdc/src/main/docs/firebird-cdc-component.adoc");

    @Test
    void readme() throws IOException {
        CatalogTables tables = new CatalogTables(CatalogTables.Markup.MARKDOWN);
        check(README, "<!-- options:start -->\n", "<!-- options:end -->", tables.options());
        check(README, "<!-- headers:start -->\n", "<!-- headers:end -->", tables.headers());
    }

    @Test
    void pageOfTheComponent() throws IOException {
        CatalogTables tables = new CatalogTables(CatalogTables.Markup.ASCIIDOC);
        check(PAGE, "// options:start\n", "// options:end", tables.options());
        check(PAGE, "// headers:start\n", "// headers:end", tables.headers());
    }

    private static void check(Path file, String start, String end, String table) throws IOException {
        String text = Files.readString(file);
        int from = text.indexOf(start);
        int to = text.indexOf(end);
        assertThat(from).as("%s has the line %s", file, start.strip()).isNotNegative();
        assertThat(to).as("%s has the line %s", file, end).isGreaterThan(from);
        if (Boolean.getBoolean("readme.write")) {
            Files.writeString(file, text.substring(0, from + start.length()) + table + text.substring(to));
        } else {
            assertThat(text.substring(from + start.length(), to))
                    .as(
                            "%s has the table of the code; to write it anew: mvn -pl routes -am test"
                                    + " -Dtest=GeneratedTablesTest -Dsurefire.failIfNoSpecifiedTests=false -Dreadme.write=true",
                            file)
                    .isEqualTo(table);
        }
    }
}
