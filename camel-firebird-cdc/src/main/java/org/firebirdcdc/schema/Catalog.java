package org.firebirdcdc.schema;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.firebirdcdc.journal.ObjectName;

/**
 * The metadata of a database at one moment. Views, external and system tables are left out: they have no images in the
 * journal.
 */
public final class Catalog {

    /**
     * Lowest id of the named time zones of segment-format.md appendix B; a server with newer data has more below it
     * (segment-format.md 7.11).
     */
    public static final int LOWEST_KNOWN_TIME_ZONE = 64_899;

    private final DatabaseInfo database;
    private final List<String> schemas;
    private final Map<ObjectName, Table> tables;
    private final List<Sequence> sequences;
    private final List<CharacterSet> characterSets;
    private final SortedMap<Integer, String> timeZones;
    private final Optional<CatalogMoment> moment;

    /**
     * @param database      what database
     * @param schemas       names of the schemas, SYSTEM included; empty before Firebird 6
     * @param tables        tables in an order that is kept
     * @param sequences     user-defined sequences, those of identity columns included
     * @param characterSets sets that are not built in
     * @param timeZones     names of time zones whose id is below {@link #LOWEST_KNOWN_TIME_ZONE}
     * @param moment        when it was read; empty if not known
     */
    public Catalog(
            DatabaseInfo database,
            List<String> schemas,
            Collection<Table> tables,
            List<Sequence> sequences,
            List<CharacterSet> characterSets,
            Map<Integer, String> timeZones,
            Optional<CatalogMoment> moment) {
        this.database = Objects.requireNonNull(database, "database");
        this.schemas = List.copyOf(schemas);
        Map<ObjectName, Table> byName = new LinkedHashMap<>();
        for (Table table : tables) {
            if (byName.put(table.name(), table) != null) {
                throw new MetadataException("the catalog has two tables " + table.name());
            }
        }
        this.tables = Collections.unmodifiableMap(byName);
        this.sequences = List.copyOf(sequences);
        this.characterSets = List.copyOf(characterSets);
        this.timeZones = Collections.unmodifiableSortedMap(new TreeMap<>(timeZones));
        this.moment = Objects.requireNonNull(moment, "moment");
    }

    /** A catalog of which is not known when it was read. */
    public Catalog(
            DatabaseInfo database,
            List<String> schemas,
            Collection<Table> tables,
            List<Sequence> sequences,
            List<CharacterSet> characterSets,
            Map<Integer, String> timeZones) {
        this(database, schemas, tables, sequences, characterSets, timeZones, Optional.empty());
    }

    public DatabaseInfo database() {
        return database;
    }

    public List<String> schemas() {
        return schemas;
    }

    public Map<ObjectName, Table> tables() {
        return tables;
    }

    public Optional<Table> table(ObjectName name) {
        return Optional.ofNullable(tables.get(name));
    }

    public List<Sequence> sequences() {
        return sequences;
    }

    public List<CharacterSet> characterSets() {
        return characterSets;
    }

    public SortedMap<Integer, String> timeZones() {
        return timeZones;
    }

    /** When it was read, in terms of the journal; empty if not known. */
    public Optional<CatalogMoment> moment() {
        return moment;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Catalog that
                && database.equals(that.database)
                && schemas.equals(that.schemas)
                && tables.equals(that.tables)
                && sequences.equals(that.sequences)
                && characterSets.equals(that.characterSets)
                && timeZones.equals(that.timeZones)
                && moment.equals(that.moment);
    }

    @Override
    public int hashCode() {
        return Objects.hash(database, schemas, tables, sequences, characterSets, timeZones, moment);
    }

    @Override
    public String toString() {
        return "catalog of " + database.name() + " (" + tables.size() + " tables)";
    }
}
