package org.firebirdcdc.capture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.firebirdcdc.record.TimeZones;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CatalogSource;
import org.firebirdcdc.schema.MetadataException;
import org.firebirdcdc.schema.SchemaHistory;

/**
 * What is known of the database when capture begins.
 *
 * @param history      finds the formats of images
 * @param databaseName name for {@code source.db}; empty if no catalog tells it, then the segments' names do
 * @param timeZones    the built-in zones and those that the catalogs name
 */
public record Metadata(SchemaHistory history, String databaseName, TimeZones timeZones) {

    /**
     * Metadata from files, from a database, or from both: with files the database is asked only for what they lack.
     *
     * @param files    catalogs from files, oldest first
     * @param database the database; asked at once if there are no files
     * @throws MetadataException if there is neither, or the database does not answer
     */
    public static Metadata of(List<Catalog> files, Optional<CatalogSource> database) {
        if (!files.isEmpty()) {
            return of(files, new SchemaHistory(files, database));
        }
        CatalogSource source = database.orElseThrow(() -> new MetadataException(
                "no metadata: the journal holds no column names and types; give catalog files or a database"));
        Catalog present = source.read();
        return of(List.of(present), new SchemaHistory(List.of(present), Optional.of(source)));
    }

    private static Metadata of(List<Catalog> known, SchemaHistory history) {
        List<String> names = new ArrayList<>();
        Map<Integer, String> zones = new HashMap<>();
        for (Catalog catalog : known) {
            names.add(catalog.database().name());
            zones.putAll(catalog.timeZones());
        }
        return new Metadata(
                history,
                names.stream().filter(name -> !name.isEmpty()).findFirst().orElse(""),
                TimeZones.builtIn().with(zones));
    }
}
