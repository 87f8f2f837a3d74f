package org.firebirdcdc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.firebirdcdc.journal.ObjectName;
import org.junit.jupiter.api.Test;

class TableTest {

    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    /** The worked layout of segment-format.md 7.4. */
    private static final List<Column> DEMO = List.of(
            integer(0, "ID", false),
            text(1, "NAME", DataType.VARCHAR, 3),
            blob(2, "NOTE"),
            column(3, "N", DataType.SMALLINT, 2, 0, Optional.empty(), true, false));

    @Test
    void theWorkedLayoutIsComputed() {
        RecordFormat format = RecordFormat.compute(2, DEMO);

        assertThat(format.fields()).extracting(Field::offset).containsExactly(4, 8, 24, 32);
        assertThat(format.recordLength()).isEqualTo(34);
        assertThat(format.bitmapLength()).isEqualTo(4);
    }

    @Test
    void theDescriptorOfTheDocumentIsParsed() {
        RecordFormat format =
                RecordFormat.compute(1, List.of(integer(0, "ID", true), text(1, "V", DataType.VARCHAR, 20)));

        assertThat(format.descriptor())
                .isEqualTo(HexFormat.of().parseHex("02000900040000000000040000000300520004000000080000000000"));
        assertThat(format.fields())
                .containsExactly(
                        new Field(0, DataType.INTEGER, 0, 4, 0, 0, 4), new Field(1, DataType.VARCHAR, 0, 82, 4, 0, 8));
    }

    @Test
    void theBitmapGrowsByFourBytesForEveryThirtyTwoIds() {
        assertThat(RecordFormat.compute(1, List.of(integer(31, "A", true))).bitmapLength())
                .isEqualTo(4);
        assertThat(RecordFormat.compute(1, List.of(integer(32, "A", true))).bitmapLength())
                .isEqualTo(8);
        assertThat(RecordFormat.compute(1, List.of(integer(63, "A", true))).recordLength())
                .isEqualTo(12);
    }

    @Test
    void twoColumnsOfOneFieldIdAreRefused() {
        assertThatThrownBy(() -> RecordFormat.compute(1, List.of(integer(0, "A", true), integer(0, "B", true))))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("field id 0");
    }

    @Test
    void thePrimaryKeyIsTheKey() {
        Table table = table(
                List.of(integer(0, "A", false), integer(1, "B", false)),
                Optional.of(new Key("Z_PK", List.of("B", "A"))),
                List.of(new Key("A_UQ", List.of("A"))),
                List.of());

        assertThat(table.key()).containsExactly("B", "A");
    }

    @Test
    void withoutPrimaryKeyTheFirstUniqueConstraintByNameWithoutNullableColumnsIsTheKey() {
        Table table = table(
                List.of(integer(0, "A", true), integer(1, "B", false), integer(2, "C", false)),
                Optional.empty(),
                List.of(
                        new Key("UQ_3", List.of("C")),
                        new Key("UQ_2", List.of("B")),
                        new Key("UQ_1", List.of("A", "B"))),
                List.of(index("AA", true, true, false, List.of("C"), false, false)));

        assertThat(table.key()).containsExactly("B");
    }

    @Test
    void withoutConstraintsTheFirstUsableUniqueIndexIsTheKey() {
        List<Column> columns = List.of(integer(0, "A", true), integer(1, "B", false), integer(2, "C", false));
        List<Index> unusable = List.of(
                index("A1", false, true, false, List.of("B"), false, false),
                index("A2", true, false, false, List.of("B"), false, false),
                index("A3", true, true, false, List.of("A", "B"), false, false),
                index("A4", true, true, false, List.of(), true, false),
                index("A5", true, true, false, List.of("B"), false, true));
        List<Index> usable = new ArrayList<>(unusable);
        usable.add(index("B2", true, true, false, List.of("B"), false, false));
        usable.add(index("B1", true, true, true, List.of("C"), false, false));

        assertThat(table(columns, Optional.empty(), List.of(), unusable).key()).isEmpty();
        assertThat(table(columns, Optional.empty(), List.of(), usable).key()).containsExactly("C");
    }

    @Test
    void columnsOfAVersionStandInTheOrderOfSelectStar() {
        Column last = new Column(
                9,
                0,
                "LAST",
                "RDB$1",
                "",
                DataType.INTEGER,
                0,
                4,
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                true,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of());
        Table table = table(List.of(last, integer(1, "FIRST", true)), Optional.empty(), List.of(), List.of());

        TableVersion version = table.version(table.currentRecordFormat());

        assertThat(version.columns()).extracting(VersionColumn::name).containsExactly("FIRST", "LAST");
        assertThat(version.columns()).extracting(VersionColumn::ordinal).containsExactly(0, 1);
        assertThat(version.columns()).extracting(VersionColumn::offset).containsExactly(8, 4);
    }

    @Test
    void computedColumnsAreAbsentFromAVersion() {
        Table table = table(
                List.of(
                        integer(0, "A", true),
                        column(1, "TWICE", DataType.BIGINT, 8, 0, Optional.empty(), true, true),
                        integer(2, "B", true)),
                Optional.empty(),
                List.of(),
                List.of());

        TableVersion version = table.version(table.currentRecordFormat());

        assertThat(version.columns()).extracting(VersionColumn::name).containsExactly("A", "B");
        assertThat(version.recordLength()).isEqualTo(12);
    }

    @Test
    void droppedColumnsStandBehindTheOthersUnderAPlaceholder() {
        RecordFormat old = RecordFormat.compute(1, DEMO);
        Table table = table(List.of(DEMO.get(0), DEMO.get(3)), Optional.empty(), List.of(), List.of());

        TableVersion version = table.version(old);

        assertThat(version.columns())
                .extracting(VersionColumn::name)
                .containsExactly("ID", "N", "__dropped_1", "__dropped_2");
        assertThat(version.columns()).extracting(VersionColumn::named).containsExactly(true, true, false, false);
        VersionColumn dropped = version.column("__dropped_1").orElseThrow();
        assertThat(dropped.type()).isEqualTo(new ValueType(DataType.VARCHAR, 14, 0, 0, 0, 4, 3));
        assertThat(dropped.offset()).isEqualTo(8);
        assertThat(dropped.nullable()).isTrue();
        assertThat(version.column("__dropped_2").orElseThrow().type())
                .isEqualTo(new ValueType(DataType.BLOB, 8, 0, 1, 0, 52, 0));
    }

    @Test
    void aColumnWhoseTypeWasAnotherOneIsDescribedByTheFormat() {
        Column now = new Column(
                0,
                0,
                "AMOUNT",
                "RDB$1",
                "",
                DataType.BIGINT,
                1,
                8,
                0,
                -2,
                15,
                Optional.empty(),
                Optional.empty(),
                true,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of());
        Table table = table(List.of(now), Optional.empty(), List.of(), List.of());
        RecordFormat old = RecordFormat.compute(1, List.of(integer(0, "AMOUNT", true)));

        assertThat(table.version(old).columns().get(0).type())
                .isEqualTo(new ValueType(DataType.INTEGER, 4, 0, 0, 0, 0, 0));
        assertThat(table.version(table.currentRecordFormat()).columns().get(0).type())
                .isEqualTo(new ValueType(DataType.BIGINT, 8, -2, 1, 15, 0, 0));
    }

    @Test
    void aVersionWithoutOneOfTheKeysColumnsHasNoKey() {
        Table table = table(DEMO, Optional.of(new Key("PK", List.of("ID", "N"))), List.of(), List.of());

        assertThat(table.version(table.currentRecordFormat()).key())
                .extracting(VersionColumn::name)
                .containsExactly("ID", "N");
        assertThat(table.version(RecordFormat.compute(1, DEMO.subList(0, 3))).key())
                .isEmpty();
    }

    @Test
    void everyRecordedFormatGivesAVersionThatFillsIt() {
        for (String recording : List.of("fb40/07-ddl/catalog-6.json", "fb40/02-types/catalog.json")) {
            for (Catalog catalog : CatalogFile.read(CORPUS.resolve(recording))) {
                for (Table table : catalog.tables().values()) {
                    for (RecordFormat format : table.formats()) {
                        TableVersion version = table.version(format);

                        assertThat(version.columns())
                                .extracting(VersionColumn::fieldId)
                                .as("%s %s", table, format)
                                .containsExactlyInAnyOrderElementsOf(format.fields().stream()
                                        .filter(Field::stored)
                                        .map(Field::id)
                                        .toList());
                        assertThat(version.recordLength()).isEqualTo(format.recordLength());
                    }
                }
            }
        }
    }

    @Test
    void arraysHaveTheTypeOfTheirElements() {
        Table table = CatalogFile.read(CORPUS.resolve("fb40/02-types/catalog.json")).get(0).tables().values().stream()
                .filter(candidate -> candidate.columns().stream().anyMatch(Column::isArray))
                .findFirst()
                .orElseThrow();

        TableVersion version = table.version(table.currentRecordFormat());

        assertThat(version.column("A").orElseThrow().type().type()).isEqualTo(DataType.ARRAY);
        assertThat(version.column("A").orElseThrow().element())
                .contains(new ValueType(DataType.INTEGER, 4, 0, 0, 0, 0, 0));
        assertThat(version.column("B").orElseThrow().element())
                .contains(new ValueType(DataType.VARCHAR, 42, 0, 0, 0, 4, 10));
        assertThat(version.column("C").orElseThrow().element().orElseThrow().scale())
                .isEqualTo(-2);
    }

    private static Table table(
            List<Column> columns, Optional<Key> primaryKey, List<Key> uniqueKeys, List<Index> indices) {
        return new Table(
                ObjectName.of("T"), 128, TableKind.TABLE, 7, true, columns, primaryKey, uniqueKeys, indices, List.of());
    }

    private static Index index(
            String name,
            boolean unique,
            boolean active,
            boolean descending,
            List<String> columns,
            boolean expression,
            boolean condition) {
        return new Index(
                name,
                unique,
                active,
                descending,
                columns,
                expression ? Optional.of("upper(B)") : Optional.empty(),
                condition ? Optional.of("WHERE B > 0") : Optional.empty());
    }

    private static Column integer(int id, String name, boolean nullable) {
        return column(id, name, DataType.INTEGER, 4, 0, Optional.empty(), nullable, false);
    }

    private static Column text(int id, String name, DataType type, int characters) {
        return column(id, name, type, characters * 4, characters, CharacterSet.of(4), true, false);
    }

    private static Column blob(int id, String name) {
        return new Column(
                id,
                id,
                name,
                "RDB$1",
                "",
                DataType.BLOB,
                1,
                8,
                0,
                0,
                0,
                CharacterSet.of(52),
                Optional.of(new Collation(0, "WIN1251")),
                true,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of());
    }

    private static Column column(
            int id,
            String name,
            DataType type,
            int length,
            int characters,
            Optional<CharacterSet> characterSet,
            boolean nullable,
            boolean computed) {
        return new Column(
                id,
                id,
                name,
                "RDB$1",
                "",
                type,
                0,
                length,
                characters,
                0,
                0,
                characterSet,
                characterSet.map(set -> new Collation(0, set.name())),
                nullable,
                computed,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of());
    }
}
