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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of the database when capture begins.
 *
 * @param history      finds the formats of images
 * @param databaseName name for {@code source.db}; empty if no catalog tells it, then the segments' names do
 * @param timeZones    the built-in zones and those that the catalogs name
 */
public record Metadata(SchemaHistory history, String databaseName, TimeZones timeZones) {

    private static final Logger LOG = LoggerFactory.getLogger(Metadata.class);

    /**
     * Metadata from files, from a database, or from both: with files the database is asked only for what they lack. Without
     * files it is asked at once; if it does not answer, what was learnt in an earlier run serves as far as it goes, and the
     * database is asked again when that does not suffice.
     *
     * @param files    catalogs from files, oldest first
     * @param database the database
     * @throws MetadataException if there is neither
     */
    public static Metadata of(List<Catalog> files, Optional<CatalogSource> database) {
        if (!files.isEmpty()) {
            return of(files, new SchemaHistory(files, database));
        }
        CatalogSource source = database.orElseThrow(() -> new MetadataException(
                "no metadata: the journal holds no column names and types; give catalog files or a database"));
        try {
            Catalog present = source.read();
            return of(List.of(present), SchemaHistory.beginningWith(present, source));
        } catch (MetadataException e) {
            LOG.warn("The database does not answer; going on with what is known of it: {}", e.getMessage());
            return of(List.of(), new SchemaHistory(List.of(), Optional.of(source)));
        }
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
