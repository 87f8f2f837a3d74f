package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;

/**
 * Which version of a table is in force at which position (segment-format.md 8.6). Never guesses: what cannot be told with
 * certainty is an {@link UnknownFormatException} that says what is known.
 */
public final class SchemaHistory implements FormatResolver {

    private final List<Catalog> catalogs;
    private final Optional<CatalogSource> live;
    private final Map<Key, List<TableVersion>> versions = new HashMap<>();
    private boolean loaded;

    private record Key(ObjectName table, int length) {}

    /**
     * @param catalogs catalogs from files, oldest first
     * @param live     the database, asked when the catalogs do not know a format
     */
    public SchemaHistory(List<Catalog> catalogs, Optional<CatalogSource> live) {
        this.catalogs = new ArrayList<>(catalogs);
        this.live = live;
    }

    /** The database, as far as the catalogs tell; the database itself is asked if there are none. */
    public synchronized Optional<DatabaseGuid> guid() {
        load();
        return catalogs.stream().flatMap(c -> c.database().guid().stream()).findFirst();
    }

    public synchronized void open(DatabaseGuid guid, Optional<byte[]> saved) {
        load();
    }

    public synchronized void committed(long transaction, JournalPosition commit, List<DdlStatement> statements) {}

    public synchronized Optional<byte[]> toSave() {
        return Optional.empty();
    }

    public synchronized void saved() {}

    private void load() {
        if (catalogs.isEmpty() && live.isPresent()) {
            catalogs.add(live.get().read());
            loaded = true;
        }
    }

    @Override
    public synchronized Resolution resolve(ImageContext image) {
        Key key = new Key(image.table(), image.length());
        List<TableVersion> candidates = versions.computeIfAbsent(key, this::candidates);
        if (candidates.isEmpty() && live.isPresent()) {
            catalogs.add(live.get().read());
            versions.clear();
            candidates = versions.computeIfAbsent(key, this::candidates);
        }
        if (candidates.size() == 1) {
            return new Resolution(candidates.get(0), Resolution.FOREVER);
        }
        throw new UnknownFormatException(
                candidates.isEmpty()
                        ? "no known format of the table has images of " + image.length() + " bytes"
                        : "several formats of the table have images of " + image.length() + " bytes: "
                                + candidates.stream()
                                        .map(TableVersion::toString)
                                        .collect(Collectors.joining(", ")),
                "Give the metadata as it was then with catalogFiles, or set onDecodeError=raw");
    }

    private List<TableVersion> candidates(Key key) {
        Map<String, TableVersion> found = new LinkedHashMap<>();
        for (Catalog catalog : catalogs) {
            catalog.table(key.table()).ifPresent(table -> {
                for (RecordFormat format : table.formats()) {
                    if (format.recordLength() == key.length()) {
                        found.put(table.relationId() + "/" + format.number(), table.version(format));
                    }
                }
            });
        }
        return List.copyOf(found.values());
    }
}
