package org.firebirdcdc.schema;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.ObjectName;

/**
 * Catalogs as JSON. Reading takes nodes with a path for errors; what is missing or of the wrong kind is told as a
 * {@link MetadataException} that begins with the path. Fields that are not known are ignored, views and external tables
 * are skipped.
 */
final class CatalogJson {

    private static final HexFormat HEX = HexFormat.of();

    private CatalogJson() {}

    // ------------------------------------------------------------------ reading

    /** A node and where it stands in the document: {@code at.tables[3].name}. */
    private record Place(String path, JsonNode node) {

        Place child(String name) {
            return new Place(path.isEmpty() ? name : path + "." + name, node.path(name));
        }

        boolean absent() {
            return node.isMissingNode() || node.isNull();
        }

        MetadataException wrong(String expected) {
            return new MetadataException(
                    path + (absent() ? " is missing" : " is " + shortened(node.toString())) + ", expected " + expected);
        }

        private static String shortened(String text) {
            return text.length() <= 60 ? text : text.substring(0, 57) + "...";
        }

        Place object() {
            if (!node.isObject()) {
                throw wrong("an object");
            }
            return this;
        }

        String text() {
            if (!node.isTextual()) {
                throw wrong("a text");
            }
            return node.textValue();
        }

        int integer() {
            if (!node.isIntegralNumber() || !node.canConvertToInt()) {
                throw wrong("an integer");
            }
            return node.intValue();
        }

        long number() {
            if (!node.isIntegralNumber() || !node.canConvertToLong()) {
                throw wrong("an integer");
            }
            return node.longValue();
        }

        boolean flag() {
            if (!node.isBoolean()) {
                throw wrong("true or false");
            }
            return node.booleanValue();
        }

        <T> List<T> list(Function<Place, T> element) {
            if (!node.isArray()) {
                throw wrong("a list");
            }
            List<T> result = new ArrayList<>();
            for (int i = 0; i < node.size(); i++) {
                result.add(element.apply(new Place(path + "[" + i + "]", node.get(i))));
            }
            return result;
        }

        <T> List<T> listOrEmpty(Function<Place, T> element) {
            return absent() ? List.of() : list(element);
        }

        <T> T orElse(Function<Place, T> reader, T otherwise) {
            return absent() ? otherwise : reader.apply(this);
        }

        <T> Optional<T> optional(Function<Place, T> reader) {
            return absent() ? Optional.empty() : Optional.of(reader.apply(this));
        }
    }

    /**
     * The catalogs of a document, oldest first: one under {@code at}, or two under {@code at_start} and {@code at_end}.
     *
     * @throws MetadataException if the document is not a catalog; the message begins with the place
     */
    static List<Catalog> readCatalogs(JsonNode document) {
        Place root = new Place("", document);
        if (!document.isObject()) {
            throw new MetadataException("the document is no JSON object, expected one with database and at");
        }
        DatabaseInfo database = readDatabase(root.child("database").object());
        Place at = root.child("at");
        if (!at.absent()) {
            return List.of(readCatalog(database, at));
        }
        Place start = root.child("at_start");
        Place end = root.child("at_end");
        if (start.absent() && end.absent()) {
            throw at.wrong("an object with tables, or two of them under at_start and at_end");
        }
        return List.of(readCatalog(database, start), readCatalog(database, end));
    }

    /** The tables of a list, as in a catalog. */
    static List<Table> readTables(JsonNode list) {
        return new Place("tables", list)
                .list(CatalogJson::readTable).stream().flatMap(Optional::stream).toList();
    }

    /** A list of objects with schema and name. */
    static List<ObjectName> readNames(JsonNode list) {
        return new Place("names", list).list(CatalogJson::readName);
    }

    private static DatabaseInfo readDatabase(Place place) {
        return new DatabaseInfo(
                place.child("name").orElse(Place::text, ""),
                place.child("engine").orElse(Place::text, ""),
                place.child("ods").orElse(Place::text, ""),
                place.child("dialect").orElse(Place::integer, 3),
                place.child("default_charset").orElse(Place::text, ""),
                place.child("guid").optional(CatalogJson::readGuid),
                place.child("publication_active_auto").optional(CatalogJson::readPublication));
    }

    private static DatabaseGuid readGuid(Place place) {
        try {
            return DatabaseGuid.parse(place.text());
        } catch (IllegalArgumentException e) {
            throw place.wrong("a GUID");
        }
    }

    private static Publication readPublication(Place place) {
        String text = place.text();
        if (!text.matches("[01]/[01]")) {
            throw place.wrong("0 or 1 for active, a slash, 0 or 1 for new tables");
        }
        return new Publication(text.charAt(0) == '1', text.charAt(2) == '1');
    }

    private static Catalog readCatalog(DatabaseInfo database, Place place) {
        place.object();
        Map<Integer, String> timeZones = new TreeMap<>();
        for (Place zone : place.child("time_zones").listOrEmpty(Place::object)) {
            timeZones.put(zone.child("id").integer(), zone.child("name").text());
        }
        return new Catalog(
                database,
                place.child("schemas").listOrEmpty(Place::text),
                place.child("tables").list(CatalogJson::readTable).stream()
                        .flatMap(Optional::stream)
                        .toList(),
                place.child("sequences").listOrEmpty(CatalogJson::readSequence),
                place.child("character_sets").listOrEmpty(CatalogJson::readCharacterSet),
                timeZones,
                place.child("moment").optional(CatalogJson::readMoment));
    }

    private static CatalogMoment readMoment(Place place) {
        return new CatalogMoment(
                place.object().child("first_segment").number(),
                place.child("last_segment").number(),
                place.child("transaction").number());
    }

    private static Sequence readSequence(Place place) {
        return new Sequence(
                readName(place.object()),
                place.child("id").integer(),
                place.child("initial").orElse(Place::number, 0L),
                place.child("increment").orElse(Place::number, 1L));
    }

    private static CharacterSet readCharacterSet(Place place) {
        return new CharacterSet(
                place.object().child("id").integer(),
                place.child("name").text(),
                Math.max(1, place.child("bytes_per_character").integer()));
    }

    private static ObjectName readName(Place place) {
        return new ObjectName(
                place.child("schema").orElse(Place::text, ""),
                place.child("name").text());
    }

    /** Empty for a view and other things without images in the journal. */
    private static Optional<Table> readTable(Place place) {
        Optional<TableKind> kind =
                TableKind.ofLabel(place.object().child("kind").orElse(Place::text, TableKind.TABLE.label()));
        return kind.map(known -> readTable(place, known));
    }

    private static Table readTable(Place place, TableKind kind) {
        int currentFormat = place.child("current_format").integer();
        List<RecordFormat> formats = place.child("formats").list(CatalogJson::readFormat);
        Optional<RecordFormat> current = formats.stream()
                .filter(format -> format.number() == currentFormat)
                .findFirst();
        return new Table(
                readName(place),
                place.child("relation_id").integer(),
                kind,
                currentFormat,
                place.child("in_publication").orElse(Place::flag, true),
                place.child("columns").list(column -> readColumn(column, current)),
                place.child("primary_key").optional(CatalogJson::readKey),
                place.child("unique_keys").listOrEmpty(CatalogJson::readKey),
                place.child("indices").listOrEmpty(CatalogJson::readIndex),
                formats,
                Set.copyOf(place.child("transactions").listOrEmpty(Place::number)));
    }

    private static RecordFormat readFormat(Place place) {
        int number = place.object().child("format").integer();
        Place hex = place.child("descriptor_hex");
        byte[] descriptor;
        try {
            descriptor = HEX.parseHex(hex.text());
        } catch (IllegalArgumentException e) {
            throw hex.wrong("pairs of hexadecimal digits");
        }
        try {
            return RecordFormat.parse(number, descriptor);
        } catch (MetadataException e) {
            throw new MetadataException(hex.path + ": " + e.getMessage(), e);
        }
    }

    private static Column readColumn(Place place, Optional<RecordFormat> currentFormat) {
        int fieldId = place.object().child("field_id").integer();
        Place fieldType = place.child("field_type");
        DataType type = DataType.ofFieldType(fieldType.integer())
                .orElseThrow(() -> fieldType.wrong("a type number of RDB$FIELDS.RDB$FIELD_TYPE"));
        int length = place.child("length").integer();
        int characterLength = place.child("character_length").orElse(Place::integer, 0);
        Optional<CharacterSet> characterSet =
                place.child("charset_id").optional(id -> characterSet(id.integer(), place, length, characterLength));
        Optional<String> computedSource = place.child("computed_source").optional(Place::text);
        List<ArrayBound> bounds = place.child("array_bounds").listOrEmpty(CatalogJson::readBound);
        boolean array = currentFormat
                .flatMap(format -> format.field(fieldId))
                .filter(field -> field.type() == DataType.ARRAY)
                .isPresent();
        if (array && bounds.isEmpty()) {
            throw place.child("array_bounds").wrong("a list of dimensions, since the record format tells an array");
        }
        return new Column(
                place.child("position").integer(),
                fieldId,
                place.child("name").text(),
                place.child("domain").orElse(Place::text, ""),
                place.child("domain_schema").orElse(Place::text, ""),
                type,
                place.child("sub_type").orElse(Place::integer, 0),
                length,
                characterLength,
                place.child("scale").orElse(Place::integer, 0),
                place.child("precision").orElse(Place::integer, 0),
                characterSet,
                characterSet.flatMap(set -> readCollation(place)),
                place.child("nullable").orElse(Place::flag, true),
                place.child("computed").orElse(Place::flag, computedSource.isPresent()),
                computedSource,
                place.child("default_source").optional(Place::text),
                place.child("identity_type").orElse(id -> OptionalInt.of(id.integer()), OptionalInt.empty()),
                place.child("generator").optional(Place::text),
                bounds);
    }

    /** The set of an id; one that is not built in is known by the name beside it and the two lengths. */
    private static CharacterSet characterSet(int id, Place column, int length, int characterLength) {
        return CharacterSet.of(id)
                .orElseGet(() -> new CharacterSet(
                        id,
                        column.child("charset").orElse(Place::text, ""),
                        characterLength > 0 ? Math.max(1, length / characterLength) : 1));
    }

    private static Optional<Collation> readCollation(Place column) {
        return column.child("collation_id")
                .optional(id ->
                        new Collation(id.integer(), column.child("collation").orElse(Place::text, "")));
    }

    private static ArrayBound readBound(Place place) {
        List<Integer> bounds = place.list(Place::integer);
        if (bounds.size() != 2) {
            throw place.wrong("a lower and an upper bound");
        }
        return new ArrayBound(bounds.get(0), bounds.get(1));
    }

    private static Key readKey(Place place) {
        String name = place.object().child("name").text();
        Place columns = place.child("columns");
        List<String> names = columns.list(Place::text);
        if (names.isEmpty()) {
            throw columns.wrong("at least one column");
        }
        return new Key(name, names);
    }

    private static Index readIndex(Place place) {
        return new Index(
                place.object().child("name").text(),
                place.child("unique").orElse(Place::flag, false),
                place.child("active").orElse(Place::flag, true),
                place.child("descending").orElse(Place::flag, false),
                place.child("columns").listOrEmpty(Place::text),
                place.child("expression").optional(Place::text),
                place.child("condition").optional(Place::text));
    }

    // ------------------------------------------------------------------ writing

    static void writeCatalog(JsonGenerator out, Catalog catalog) throws IOException {
        out.writeStartObject();
        out.writeFieldName("database");
        writeDatabase(out, catalog.database());
        out.writeObjectFieldStart("at");
        if (catalog.moment().isPresent()) {
            writeMoment(out, catalog.moment().get());
        }
        if (!catalog.schemas().isEmpty()) {
            writeTexts(out, "schemas", catalog.schemas());
        }
        writeList(out, "tables", catalog.tables().values(), CatalogJson::writeTable);
        writeList(out, "sequences", catalog.sequences(), CatalogJson::writeSequence);
        if (!catalog.characterSets().isEmpty()) {
            writeList(out, "character_sets", catalog.characterSets(), CatalogJson::writeCharacterSet);
        }
        if (!catalog.timeZones().isEmpty()) {
            writeList(out, "time_zones", catalog.timeZones().entrySet(), CatalogJson::writeTimeZone);
        }
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void writeMoment(JsonGenerator out, CatalogMoment moment) throws IOException {
        out.writeObjectFieldStart("moment");
        out.writeNumberField("first_segment", moment.firstSegment());
        out.writeNumberField("last_segment", moment.lastSegment());
        out.writeNumberField("transaction", moment.transaction());
        out.writeEndObject();
    }

    private interface ElementWriter<T> {
        void write(JsonGenerator out, T element) throws IOException;
    }

    private static <T> void writeList(JsonGenerator out, String name, Iterable<T> elements, ElementWriter<T> writer)
            throws IOException {
        out.writeArrayFieldStart(name);
        for (T element : elements) {
            writer.write(out, element);
        }
        out.writeEndArray();
    }

    private static void writeTexts(JsonGenerator out, String name, Iterable<String> texts) throws IOException {
        writeList(out, name, texts, JsonGenerator::writeString);
    }

    private static void writeText(JsonGenerator out, String name, Optional<String> text) throws IOException {
        if (text.isPresent()) {
            out.writeStringField(name, text.get());
        } else {
            out.writeNullField(name);
        }
    }

    private static void writeDatabase(JsonGenerator out, DatabaseInfo database) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", database.name());
        out.writeStringField("engine", database.engine());
        out.writeStringField("ods", database.ods());
        out.writeNumberField("dialect", database.dialect());
        out.writeStringField("default_charset", database.defaultCharset());
        writeText(out, "guid", database.guid().map(DatabaseGuid::toString));
        writeText(
                out,
                "publication_active_auto",
                database.publication()
                        .map(state -> (state.active() ? "1" : "0") + "/" + (state.includesNewTables() ? "1" : "0")));
        out.writeEndObject();
    }

    static void writeName(JsonGenerator out, ObjectName name) throws IOException {
        if (name.hasSchema()) {
            out.writeStringField("schema", name.schema());
        }
        out.writeStringField("name", name.name());
    }

    static void writeTable(JsonGenerator out, Table table) throws IOException {
        out.writeStartObject();
        writeName(out, table.name());
        out.writeNumberField("relation_id", table.relationId());
        out.writeStringField("kind", table.kind().label());
        out.writeNumberField("current_format", table.currentFormat());
        out.writeBooleanField("in_publication", table.inPublication());
        writeList(out, "columns", table.columns(), CatalogJson::writeColumn);
        out.writeFieldName("primary_key");
        if (table.primaryKey().isPresent()) {
            writeKey(out, table.primaryKey().get());
        } else {
            out.writeNull();
        }
        writeList(out, "unique_keys", table.uniqueKeys(), CatalogJson::writeKey);
        writeList(out, "indices", table.indices(), CatalogJson::writeIndex);
        writeList(out, "formats", table.formats(), CatalogJson::writeFormat);
        if (!table.transactions().isEmpty()) {
            out.writeArrayFieldStart("transactions");
            for (long number : table.transactions()) {
                out.writeNumber(number);
            }
            out.writeEndArray();
        }
        out.writeEndObject();
    }

    private static void writeColumn(JsonGenerator out, Column column) throws IOException {
        out.writeStartObject();
        out.writeNumberField("position", column.position());
        out.writeNumberField("field_id", column.fieldId());
        out.writeStringField("name", column.name());
        out.writeStringField("domain", column.domain());
        if (!column.domainSchema().isEmpty()) {
            out.writeStringField("domain_schema", column.domainSchema());
        }
        out.writeStringField("type", column.typeName());
        out.writeNumberField("field_type", column.fieldType().fieldType());
        out.writeNumberField("sub_type", column.subType());
        out.writeNumberField("length", column.length());
        if (column.fieldType().isText()) {
            out.writeNumberField("character_length", column.characterLength());
        }
        out.writeNumberField("scale", column.scale());
        out.writeNumberField("precision", column.precision());
        if (column.characterSet().isPresent()) {
            out.writeNumberField("charset_id", column.characterSet().get().id());
            out.writeStringField("charset", column.characterSet().get().name());
        }
        if (column.collation().isPresent()) {
            out.writeNumberField("collation_id", column.collation().get().id());
            out.writeStringField("collation", column.collation().get().name());
        }
        out.writeBooleanField("nullable", column.nullable());
        out.writeBooleanField("computed", column.computed());
        writeText(out, "computed_source", column.computedSource());
        writeText(out, "default_source", column.defaultSource());
        if (column.identityType().isPresent()) {
            out.writeNumberField("identity_type", column.identityType().getAsInt());
            writeText(out, "generator", column.generator());
        }
        if (column.isArray()) {
            writeList(out, "array_bounds", column.bounds(), CatalogJson::writeBound);
        }
        out.writeEndObject();
    }

    private static void writeBound(JsonGenerator out, ArrayBound bound) throws IOException {
        out.writeArray(new int[] {bound.lower(), bound.upper()}, 0, 2);
    }

    private static void writeKey(JsonGenerator out, Key key) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", key.name());
        writeTexts(out, "columns", key.columns());
        out.writeEndObject();
    }

    private static void writeIndex(JsonGenerator out, Index index) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", index.name());
        out.writeBooleanField("unique", index.unique());
        out.writeBooleanField("active", index.active());
        out.writeBooleanField("descending", index.descending());
        writeTexts(out, "columns", index.columns());
        writeText(out, "expression", index.expression());
        if (index.condition().isPresent()) {
            writeText(out, "condition", index.condition());
        }
        out.writeEndObject();
    }

    private static void writeFormat(JsonGenerator out, RecordFormat format) throws IOException {
        out.writeStartObject();
        out.writeNumberField("format", format.number());
        out.writeStringField("descriptor_hex", HEX.formatHex(format.descriptor()));
        out.writeEndObject();
    }

    private static void writeSequence(JsonGenerator out, Sequence sequence) throws IOException {
        out.writeStartObject();
        writeName(out, sequence.name());
        out.writeNumberField("id", sequence.id());
        out.writeNumberField("initial", sequence.initial());
        out.writeNumberField("increment", sequence.increment());
        out.writeEndObject();
    }

    private static void writeCharacterSet(JsonGenerator out, CharacterSet set) throws IOException {
        out.writeStartObject();
        out.writeNumberField("id", set.id());
        out.writeStringField("name", set.name());
        out.writeNumberField("bytes_per_character", set.bytesPerCharacter());
        out.writeEndObject();
    }

    private static void writeTimeZone(JsonGenerator out, Map.Entry<Integer, String> zone) throws IOException {
        out.writeStartObject();
        out.writeNumberField("id", zone.getKey());
        out.writeStringField("name", zone.getValue());
        out.writeEndObject();
    }
}
