package org.firebirdcdc.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which of two catalogs of one database is the older one, by what is in them. Numbers of relations and of the formats of
 * each only ever go up in the life of a database; a restored one has another GUID.
 */
final class CatalogOrder {

    private CatalogOrder() {}

    /** The catalogs in the order given, but for those of which it is certain that they stand in the wrong one. */
    static List<Catalog> oldestFirst(List<Catalog> catalogs) {
        List<Catalog> rest = new ArrayList<>(catalogs);
        List<Catalog> ordered = new ArrayList<>(catalogs.size());
        while (!rest.isEmpty()) {
            Catalog oldest = rest.stream()
                    .filter(one -> rest.stream().noneMatch(other -> isOlder(other, one)))
                    .findFirst()
                    .orElse(rest.get(0));
            rest.remove(oldest);
            ordered.add(oldest);
        }
        return List.copyOf(ordered);
    }

    private static boolean isOlder(Catalog one, Catalog other) {
        Optional<CatalogMoment> its = one.moment();
        Optional<CatalogMoment> others = other.moment();
        if (!one.database().guid().equals(other.database().guid())) {
            return false;
        }
        if (its.isPresent() && others.isPresent()) {
            return its.get().transaction() < others.get().transaction();
        }
        Map<Integer, Table> tables = byRelation(one);
        Map<Integer, Table> otherTables = byRelation(other);
        return hasOlder(tables, otherTables) && !hasOlder(otherTables, tables);
    }

    /** Whether a table has fewer formats than in the other, or had been dropped when the other was taken. */
    private static boolean hasOlder(Map<Integer, Table> tables, Map<Integer, Table> others) {
        int newest = others.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
        return tables.values().stream().anyMatch(table -> {
            Table other = others.get(table.relationId());
            return other == null ? table.relationId() < newest : table.currentFormat() < other.currentFormat();
        });
    }

    private static Map<Integer, Table> byRelation(Catalog catalog) {
        Map<Integer, Table> tables = new HashMap<>();
        catalog.tables().values().forEach(table -> tables.put(table.relationId(), table));
        return tables;
    }
}
