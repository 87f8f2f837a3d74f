package org.firebirdcdc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.firebirdcdc.schema.HistoryFixture.GUID;
import static org.firebirdcdc.schema.HistoryFixture.at;
import static org.firebirdcdc.schema.HistoryFixture.catalog;
import static org.firebirdcdc.schema.HistoryFixture.ddl;
import static org.firebirdcdc.schema.HistoryFixture.format;
import static org.firebirdcdc.schema.HistoryFixture.history;
import static org.firebirdcdc.schema.HistoryFixture.image;
import static org.firebirdcdc.schema.HistoryFixture.key;
import static org.firebirdcdc.schema.HistoryFixture.names;
import static org.firebirdcdc.schema.HistoryFixture.resolve;
import static org.firebirdcdc.schema.HistoryFixture.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.testing.LogCapture;
import org.junit.jupiter.api.Test;

class SchemaHistoryTest {

    private static final RecordFormat ID_A = format(1, "ID:int", "A:int");
    private static final RecordFormat ID_A_B = format(2, "ID:int", "A:int", "B:int");

    private static Table before(String... key) {
        return table("T", 128, List.of(key), List.of(ID_A), "ID:int:nn", "A:int");
    }

    private static Table withB() {
        return table("T", 128, List.of(), List.of(ID_A, ID_A_B), "ID:int:nn", "A:int", "B:int");
    }

    // ------------------------------------------------------------------ names

    @Test
    void aRenameCountsFromItsCommitOn() {
        SchemaHistory history = history(catalog(before("ID")));
        ddl(history, 150, 10, "ALTER TABLE T ALTER A TO \"a b\", ALTER ID TO NUMBER");

        TableVersion old = resolve(history, "T", 120, 5, image(ID_A));
        TableVersion now = resolve(history, "T", 160, 11, image(ID_A));

        assertThat(names(old)).containsExactly("ID", "A");
        assertThat(key(old)).containsExactly("ID");
        assertThat(names(now)).containsExactly("NUMBER", "a b");
        assertThat(key(now)).containsExactly("NUMBER");
        assertThat(now.format()).isEqualTo(1);
    }

    @Test
    void namesCanBeSwappedWithinOneStatement() {
        SchemaHistory history = history(catalog(moment(1, 3), List.of(), before()));
        ddl(history, 150, 10, "ALTER TABLE T ALTER A TO X, ALTER ID TO A, ALTER X TO ID");

        assertThat(names(resolve(history, "T", 160, 11, image(ID_A)))).containsExactly("A", "ID");
    }

    @Test
    void aLaterCatalogAndTheStatementsTellEarlierNames() {
        RecordFormat last = format(3, "ID:int", "A:none", "B2:int");
        SchemaHistory history = history(
                catalog(table("T", 128, List.of(), List.of(ID_A, ID_A_B, last), "ID:int:nn", "A:none", "B2:int")));
        ddl(history, 150, 10, "ALTER TABLE T ADD B INTEGER");
        ddl(history, 250, 11, "ALTER TABLE T ALTER B TO B2");
        ddl(history, 350, 12, "ALTER TABLE T DROP A");

        assertThat(names(resolve(history, "T", 120, 5, image(ID_A)))).containsExactly("ID", "A");
        assertThat(names(resolve(history, "T", 220, 20, image(ID_A_B)))).containsExactly("ID", "A", "B");
        assertThat(names(resolve(history, "T", 320, 20, image(ID_A_B)))).containsExactly("ID", "A", "B2");
        TableVersion now = resolve(history, "T", 420, 20, image(last));
        assertThat(names(now)).containsExactly("ID", "B2");
        assertThat(now.columns()).allMatch(VersionColumn::named);
    }

    @Test
    void columnsWhoseNamesNothingTellsAreFlagged() {
        RecordFormat last = format(2, "ID:int", "A:none", "B:none");
        RecordFormat first = format(1, "ID:int", "A:int", "B:float");
        SchemaHistory history =
                history(catalog(table("T", 128, List.of(), List.of(first, last), "ID:int:nn", "A:none", "B:none")));
        ddl(history, 150, 10, "ALTER TABLE T DROP A, DROP B");

        TableVersion old = resolve(history, "T", 120, 5, image(first));

        assertThat(names(old)).containsExactly("ID", "__dropped_1", "__dropped_2");
        assertThat(old.columns()).extracting(VersionColumn::named).containsExactly(true, false, false);
    }

    @Test
    void anAddTellsWhichOfSeveralDroppedColumnsIsWhich() {
        RecordFormat first = format(1, "ID:int", "A:int");
        RecordFormat second = format(2, "ID:int", "A:int", "B:float");
        RecordFormat last = format(3, "ID:int", "A:none", "B:none");
        SchemaHistory history = history(
                catalog(table("T", 128, List.of(), List.of(first, second, last), "ID:int:nn", "A:none", "B:none")));
        ddl(history, 150, 10, "ALTER TABLE T ADD B FLOAT");
        ddl(history, 250, 11, "ALTER TABLE T DROP A, DROP B");

        TableVersion between = resolve(history, "T", 220, 20, image(second));

        assertThat(between.columns().stream()
                        .filter(column -> column.fieldId() == 2)
                        .map(VersionColumn::name))
                .containsExactly("B");
        assertThat(names(between)).containsExactlyInAnyOrder("ID", "A", "B");
        assertThat(names(resolve(history, "T", 120, 5, image(first)))).containsExactly("ID", "A");
    }

    @Test
    void theOrderOfColumnsIsThatOfTheMoment() {
        SchemaHistory history = history(catalog(before()));
        ddl(history, 150, 10, "ALTER TABLE T ALTER A POSITION 1");

        assertThat(names(resolve(history, "T", 120, 5, image(ID_A)))).containsExactly("ID", "A");
        assertThat(names(resolve(history, "T", 160, 11, image(ID_A)))).containsExactly("A", "ID");
    }

    @Test
    void anOrderThatNothingTellsIsWarnedOf() {
        SchemaHistory history = history(catalog(moment(9, 90), List.of(), before("ID")));
        ddl(history, 150, 10, "ALTER TABLE T ALTER A POSITION 2");
        ddl(history, 250, 20, "ALTER TABLE T ALTER ID POSITION 1");

        assertThat(warningsOf(history, 120, 9, ID_A))
                .singleElement()
                .asString()
                .contains("the order of the columns of T format 1 then is not known", "[ID, A]");
        assertThat(warningsOf(history, 260, 21, ID_A)).isEmpty();
    }

    @Test
    void columnsThatOneTransactionAddsGetTheirIdsInTheOrderOfTheirPositions() {
        RecordFormat added = format(2, "ID:int", "A:int", "C:int", "B:int");
        RecordFormat dropped = format(3, "ID:int", "A:none", "C:int", "B:int");
        SchemaHistory history = history(
                catalog(moment(1, 5), List.of(), before()),
                catalog(
                        moment(9, 90),
                        List.of(),
                        table(
                                "T",
                                128,
                                List.of(),
                                List.of(ID_A, added, dropped),
                                "ID:int:nn",
                                "A:none",
                                "X:int",
                                "B:int")));
        ddl(
                history,
                150,
                10,
                "ALTER TABLE T ADD B INTEGER",
                "ALTER TABLE T ADD C INTEGER, ALTER C POSITION 3",
                "ALTER TABLE T ALTER A TO Z");
        ddl(history, 250, 20, "ALTER TABLE T ALTER C TO X, DROP Z");

        assertThat(namesById(resolve(history, "T", 220, 19, image(added))))
                .isEqualTo(Map.of(0, "ID", 1, "Z", 2, "C", 3, "B"));
        assertThat(namesById(resolve(history, "T", 260, 21, image(dropped))))
                .isEqualTo(Map.of(0, "ID", 2, "X", 3, "B"));
    }

    @Test
    void columnsOfANewTableThatTheSameTransactionMovesGetTheirIdsInTheOrderOfTheirPositions() {
        RecordFormat first = format(1, "C:int", "A:int", "B:int");
        SchemaHistory history = history(
                catalog(moment(1, 5), List.of()),
                catalog(
                        moment(9, 90),
                        List.of(),
                        table("T", 128, List.of(), List.of(first), "X:int", "A:int", "B:int")));
        ddl(history, 150, 10, "CREATE TABLE T (A INTEGER, B INTEGER, C INTEGER)", "ALTER TABLE T ALTER C POSITION 1");
        ddl(history, 250, 20, "ALTER TABLE T ALTER C TO X");

        assertThat(namesById(resolve(history, "T", 220, 19, image(first)))).isEqualTo(Map.of(0, "C", 1, "A", 2, "B"));
    }

    private static Map<Integer, String> namesById(TableVersion version) {
        return version.columns().stream().collect(Collectors.toMap(VersionColumn::fieldId, VersionColumn::name));
    }

    @Test
    void aStatementThatIsNotUnderstoodLeavesTheNamesToTheNearestCatalog() {
        Table after = table("T", 128, List.of(), List.of(ID_A), "ID:int:nn", "NEW:int");
        SchemaHistory history = history(catalog(before()), catalog(after));
        ddl(history, 150, 10, "ALTER TABLE T FROBNICATE A");

        assertThat(names(resolve(history, "T", 120, 5, image(ID_A)))).containsExactly("ID", "A");
        assertThat(names(resolve(history, "T", 160, 11, image(ID_A)))).containsExactly("ID", "NEW");
    }

    // ------------------------------------------------------------------ keys

    @Test
    void theKeyFollowsAddAndDrop() {
        SchemaHistory history = history(catalog(before("ID")));
        ddl(history, 150, 10, "ALTER TABLE T DROP CONSTRAINT PK");
        ddl(history, 250, 11, "ALTER TABLE T ADD CONSTRAINT PK2 PRIMARY KEY (A, ID)");

        assertThat(key(resolve(history, "T", 120, 5, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 160, 20, image(ID_A)))).isEmpty();
        assertThat(key(resolve(history, "T", 260, 20, image(ID_A)))).containsExactly("A", "ID");
    }

    @Test
    void uniqueConstraintsAndIndicesAreKeysIfNotNullAllows() {
        SchemaHistory history = history(catalog(before()));
        ddl(history, 150, 10, "CREATE UNIQUE INDEX I ON T (ID)");
        ddl(history, 250, 11, "ALTER INDEX I INACTIVE");
        ddl(history, 350, 12, "ALTER TABLE T ADD CONSTRAINT U UNIQUE (A)");
        ddl(history, 450, 13, "ALTER TABLE T ALTER A SET NOT NULL");
        ddl(history, 550, 14, "ALTER TABLE T ALTER A DROP NOT NULL");

        assertThat(key(resolve(history, "T", 160, 20, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 260, 20, image(ID_A)))).isEmpty();
        assertThat(key(resolve(history, "T", 360, 20, image(ID_A)))).isEmpty();
        assertThat(key(resolve(history, "T", 460, 20, image(ID_A)))).containsExactly("A");
        assertThat(key(resolve(history, "T", 560, 20, image(ID_A)))).isEmpty();
    }

    @Test
    void aKeyThatIsAddedLaterIsNotThereBefore() {
        Table last = new Table(
                ObjectName.of("T"),
                132,
                TableKind.TABLE,
                1,
                true,
                HistoryFixture.columns("NUMBER:int:nn", "A:int:nn"),
                Optional.of(new Key("PK2", List.of("NUMBER", "A"))),
                List.of(),
                List.of(new Index(
                        "PK2", true, true, false, List.of("NUMBER", "A"), Optional.empty(), Optional.empty())),
                List.of(ID_A));
        SchemaHistory history = history(catalog(last));
        ddl(history, 150, 10, "CREATE TABLE T (ID INTEGER NOT NULL, A INTEGER NOT NULL, PRIMARY KEY (ID))");
        ddl(history, 250, 11, "ALTER TABLE T DROP CONSTRAINT INTEG_14");
        ddl(history, 350, 12, "ALTER TABLE T ALTER ID TO NUMBER");
        ddl(history, 450, 13, "ALTER TABLE T ADD CONSTRAINT PK2 PRIMARY KEY (NUMBER, A)");

        assertThat(key(resolve(history, "T", 160, 20, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 260, 20, image(ID_A)))).isEmpty();
        assertThat(key(resolve(history, "T", 360, 20, image(ID_A)))).isEmpty();
        assertThat(key(resolve(history, "T", 460, 20, image(ID_A)))).containsExactly("NUMBER", "A");
    }

    @Test
    void aPrimaryKeyThatIsAddedTellsThatTheOneBeforeWasDropped() {
        SchemaHistory history = history(
                catalog(moment(1, 5), List.of(), before()),
                catalog(moment(9, 90), List.of(), table("T", 128, List.of(), List.of(ID_A), "ID:int:nn", "X:int")));
        ddl(history, 150, 10, "ALTER TABLE T ADD PRIMARY KEY (ID)");
        ddl(history, 250, 20, "ALTER TABLE T DROP CONSTRAINT INTEG_7");
        ddl(history, 350, 30, "ALTER TABLE T ADD CONSTRAINT P PRIMARY KEY (A)");
        ddl(history, 450, 40, "ALTER TABLE T DROP CONSTRAINT P");
        ddl(history, 550, 50, "ALTER TABLE T ALTER A TO X");

        assertThat(key(resolve(history, "T", 120, 9, image(ID_A)))).isEmpty();
        assertThat(key(resolve(history, "T", 220, 19, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 320, 29, image(ID_A)))).isEmpty();
        assertThat(key(resolve(history, "T", 420, 39, image(ID_A)))).containsExactly("A");
        assertThat(key(resolve(history, "T", 460, 41, image(ID_A)))).isEmpty();
    }

    @Test
    void aPrimaryKeyThatIsAddedTellsThatThereWasNoneWhateverElseIsUncertain() {
        RecordFormat last = format(3, "ID:int", "A:int", "B:none");
        SchemaHistory history = history(
                catalog(moment(1, 5), List.of(), withB()),
                catalog(
                        moment(9, 90),
                        List.of(),
                        table("T", 128, List.of(), List.of(ID_A, ID_A_B, last), "ID:int:nn", "A:int", "B:none")));
        ddl(history, 150, 10, "ALTER TABLE T ADD PRIMARY KEY (ID)");
        ddl(history, 250, 20, "ALTER TABLE T DROP CONSTRAINT INTEG_7");
        ddl(history, 350, 30, "ALTER TABLE T ADD CONSTRAINT P PRIMARY KEY (A)");
        ddl(history, 450, 40, "ALTER TABLE T DROP CONSTRAINT P");
        ddl(history, 550, 50, "ALTER TABLE T DROP B");

        assertThat(key(resolve(history, "T", 220, 19, image(ID_A_B)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 320, 29, image(ID_A_B)))).isEmpty();
        assertThat(key(resolve(history, "T", 420, 39, image(ID_A_B)))).containsExactly("A");
    }

    @Test
    void aKeyThatWasDroppedAgainBeforeACatalogWasReadLeavesNoTraceInIt() {
        SchemaHistory history = history(
                catalog(moment(1, 5), List.of(), before("ID")),
                catalog(
                        moment(3, 90),
                        List.of(),
                        table(
                                ObjectName.of("T"),
                                128,
                                List.of(),
                                List.of(ID_A),
                                Set.of(3L, 10L),
                                "ID:int:nn",
                                "B:int:nn")));
        ddl(history, 150, 10, "ALTER TABLE T ALTER A TO B");
        ddl(history, 250, 20, "ALTER TABLE T DROP CONSTRAINT PK, ADD CONSTRAINT P2 PRIMARY KEY (ID, B)");
        ddl(history, 350, 30, "ALTER TABLE T DROP CONSTRAINT P2");

        assertThat(key(resolve(history, "T", 220, 19, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 320, 29, image(ID_A)))).containsExactly("ID", "B");
        assertThat(key(resolve(history, "T", 360, 31, image(ID_A)))).isEmpty();
    }

    @Test
    void aConstraintThatIsDroppedLaterMayHaveBeenTheKeyBeforeAnotherOneWasAdded() {
        SchemaHistory history = history(catalog(before("ID")));
        ddl(history, 150, 10, "ALTER TABLE T ADD CONSTRAINT PK PRIMARY KEY (ID)");
        ddl(history, 250, 20, "ALTER TABLE T DROP CONSTRAINT SOME");

        try (LogCapture log = LogCapture.of(SchemaHistory.class)) {
            resolve(history, "T", 220, 19, image(ID_A));
            assertThat(log.warnings()).isEmpty();
            resolve(history, "T", 120, 9, image(ID_A));
            assertThat(log.warnings()).singleElement().asString().contains("the key of T", "then is not known");
        }
    }

    private static Table withKeys(Optional<Key> primaryKey, List<Key> uniqueKeys, List<Index> indices) {
        return new Table(
                ObjectName.of("T"),
                128,
                TableKind.TABLE,
                1,
                true,
                HistoryFixture.columns("ID:int:nn", "A:int:nn"),
                primaryKey,
                uniqueKeys,
                indices,
                List.of(ID_A));
    }

    private static Index unique(String name, String... columns) {
        return new Index(name, true, true, false, List.of(columns), Optional.empty(), Optional.empty());
    }

    @Test
    void theIndexThatUsingGaveAnotherNameGoesWithItsConstraint() {
        SchemaHistory history = history(catalog(
                moment(1, 3),
                List.of(),
                withKeys(
                        Optional.of(new Key("PK", List.of("ID"))),
                        List.of(new Key("UQ", List.of("A"))),
                        List.of(unique("IX_A", "A"), unique("IX_ID", "ID")))));
        ddl(history, 150, 10, "ALTER TABLE T DROP CONSTRAINT PK");
        ddl(history, 250, 11, "ALTER TABLE T DROP CONSTRAINT UQ");

        assertThat(key(resolve(history, "T", 120, 5, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 160, 20, image(ID_A)))).containsExactly("A");
        assertThat(key(resolve(history, "T", 260, 20, image(ID_A)))).isEmpty();
    }

    @Test
    void anIndexOfTheSameColumnsStaysWhenTheConstraintGoes() {
        SchemaHistory later = history(catalog(
                moment(1, 3),
                List.of(),
                withKeys(
                        Optional.of(new Key("PK", List.of("ID"))),
                        List.of(),
                        List.of(unique("OWN", "ID"), unique("PK", "ID")))));
        ddl(later, 250, 12, "ALTER TABLE T DROP CONSTRAINT PK");
        ddl(later, 350, 13, "DROP INDEX OWN");

        assertThat(key(resolve(later, "T", 260, 20, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(later, "T", 360, 20, image(ID_A)))).isEmpty();
    }

    @Test
    void aPrimaryKeyGoesWithItsColumn() {
        RecordFormat again = format(2, "ID:none", "A:int", "ID:big");
        SchemaHistory history = history(
                catalog(moment(1, 5), List.of(), before("ID")),
                catalog(
                        moment(9, 90),
                        List.of(),
                        table("T", 128, List.of("ID"), List.of(ID_A, again), "X:none", "A:int", "ID:big:nn")));
        ddl(history, 150, 10, "ALTER TABLE T DROP ID, ADD ID BIGINT NOT NULL");
        ddl(history, 250, 20, "ALTER TABLE T ADD CONSTRAINT PK PRIMARY KEY (ID)");

        assertThat(key(resolve(history, "T", 120, 9, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 220, 19, image(again)))).isEmpty();
        assertThat(key(resolve(history, "T", 260, 21, image(again)))).containsExactly("ID");
    }

    @Test
    void aColumnThatIsDroppedLaterMayHaveBeenTheKey() {
        RecordFormat without = format(2, "ID:none", "A:int");
        SchemaHistory history =
                history(catalog(table("T", 128, List.of(), List.of(ID_A, without), "ID:none", "A:int")));
        ddl(history, 150, 10, "ALTER TABLE T DROP ID");

        assertThat(warningsOf(history, 120, 9, ID_A))
                .anySatisfy(line -> assertThat(line).contains("the key of T", "is not known"));
        assertThat(warningsOf(history, 160, 11, without)).isEmpty();
    }

    @Test
    void ofSeveralUniqueKeysTheFirstByNameCounts() {
        SchemaHistory history =
                history(catalog(moment(1, 3), List.of(), withKeys(Optional.empty(), List.of(), List.of())));
        ddl(history, 150, 10, "ALTER TABLE T ADD CONSTRAINT U2 UNIQUE (ID)");
        ddl(history, 250, 11, "ALTER TABLE T ADD CONSTRAINT U1 UNIQUE (A)");
        ddl(history, 350, 12, "ALTER TABLE T DROP CONSTRAINT U1, DROP CONSTRAINT U2");
        ddl(history, 450, 13, "CREATE UNIQUE INDEX I2 ON T (ID)");
        ddl(history, 550, 14, "CREATE UNIQUE INDEX I1 ON T (A)");

        assertThat(key(resolve(history, "T", 160, 20, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 260, 20, image(ID_A)))).containsExactly("A");
        assertThat(key(resolve(history, "T", 360, 20, image(ID_A)))).isEmpty();
        assertThat(key(resolve(history, "T", 460, 20, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 560, 20, image(ID_A)))).containsExactly("A");
    }

    @Test
    void whichOfTwoUniqueKeysWithNamesOfTheServerComesFirstIsNotKnown() {
        SchemaHistory history =
                history(catalog(moment(1, 3), List.of(), withKeys(Optional.empty(), List.of(), List.of())));
        ddl(history, 150, 10, "ALTER TABLE T ADD UNIQUE (ID)");
        ddl(history, 250, 11, "ALTER TABLE T ADD UNIQUE (A)");

        assertThat(warningsOf(history, 160, 20, ID_A)).isEmpty();
        assertThat(warningsOf(history, 260, 20, ID_A))
                .singleElement()
                .asString()
                .contains("the key of T", "is not known");
    }

    @Test
    void aUniqueKeyIsUncertainWhereAConstraintOfTheServersNameIsDroppedThatMayBeItsNotNull() {
        SchemaHistory history = history(catalog(
                moment(1, 3),
                List.of(),
                withKeys(Optional.empty(), List.of(new Key("UQ", List.of("ID"))), List.of(unique("UQ", "ID")))));
        ddl(history, 150, 10, "ALTER TABLE T DROP CONSTRAINT FK_X");
        ddl(history, 250, 11, "ALTER TABLE T DROP CONSTRAINT INTEG_3");

        assertThat(warningsOf(history, 160, 20, ID_A)).isEmpty();
        assertThat(warningsOf(history, 260, 20, ID_A))
                .singleElement()
                .asString()
                .contains("the key of T", "is not known");
    }

    @Test
    void notNullOfADomainGoesAndComesWithTheDomain() {
        SchemaHistory history = history(
                catalog(moment(1, 3), List.of(), withUnique("A:int:D_A")),
                catalog(moment(9, 90), List.of(), withUnique("A:int:D_B")));
        ddl(history, 150, 10, "ALTER TABLE T ALTER A SET NOT NULL");
        ddl(history, 250, 11, "ALTER TABLE T ALTER A TYPE INTEGER");
        ddl(history, 350, 12, "ALTER TABLE T ALTER A SET NOT NULL");
        ddl(history, 450, 13, "ALTER TABLE T ALTER A TYPE D_B");
        ddl(history, 550, 14, "ALTER TABLE T ALTER A DROP NOT NULL");

        assertThat(warningsOf(history, 160, 20, ID_A)).isEmpty();
        assertThat(warningsOf(history, 260, 20, ID_A))
                .singleElement()
                .asString()
                .contains("the key of T", "is not known");
        assertThat(key(resolve(history, "T", 360, 20, image(ID_A)))).containsExactly("A");
        assertThat(key(resolve(history, "T", 460, 20, image(ID_A)))).containsExactly("A");
        assertThat(warningsOf(history, 460, 20, ID_A)).isEmpty();
    }

    private static Table withUnique(String column) {
        return new Table(
                ObjectName.of("T"),
                128,
                TableKind.TABLE,
                1,
                true,
                HistoryFixture.columns("ID:int", column),
                Optional.empty(),
                List.of(new Key("UQ", List.of("A"))),
                List.of(unique("UQ", "A")),
                List.of(ID_A));
    }

    @Test
    void aKeyThatIsAddedUnlessItIsThereIsAddedOnlyThen() {
        SchemaHistory history = history(
                catalog(moment(1, 3), List.of(), before("ID")),
                catalog(moment(9, 90), List.of(), table("T", 128, List.of(), List.of(ID_A), "ID:int:nn", "X:int")));
        ddl(history, 150, 10, "ALTER TABLE T ADD CONSTRAINT IF NOT EXISTS PK PRIMARY KEY (A)");
        ddl(history, 250, 11, "ALTER TABLE T ADD IF NOT EXISTS A INTEGER UNIQUE");
        ddl(history, 350, 12, "ALTER TABLE T DROP CONSTRAINT IF EXISTS PK");
        ddl(history, 450, 13, "ALTER TABLE T ADD CONSTRAINT IF NOT EXISTS P2 PRIMARY KEY (ID, A)");
        ddl(history, 550, 14, "ALTER TABLE T DROP CONSTRAINT P2, ALTER A TO X");

        assertThat(key(resolve(history, "T", 160, 20, image(ID_A)))).containsExactly("ID");
        assertThat(key(resolve(history, "T", 260, 20, image(ID_A)))).containsExactly("ID");
        assertThat(warningsOf(history, 260, 20, ID_A)).isEmpty();
        assertThat(key(resolve(history, "T", 360, 20, image(ID_A)))).isEmpty();
        assertThat(warningsOf(history, 460, 20, ID_A))
                .singleElement()
                .asString()
                .contains("the key of T", "is not known");
        assertThat(key(resolve(history, "T", 460, 20, image(ID_A)))).containsExactly("ID", "A");
    }

    @Test
    void whetherAnIndexThatIsBuiltAnewWasActiveBeforeIsNotKnown() {
        SchemaHistory history = history(
                catalog(moment(9, 90), List.of(), withKeys(Optional.empty(), List.of(), List.of(unique("I", "ID")))));
        ddl(history, 250, 20, "ALTER INDEX I ACTIVE");

        assertThat(warningsOf(history, 220, 19, ID_A))
                .singleElement()
                .asString()
                .contains("the key of T", "is not known", "[ID]");
        assertThat(warningsOf(history, 260, 21, ID_A)).isEmpty();
        assertThat(key(resolve(history, "T", 260, 21, image(ID_A)))).containsExactly("ID");
    }

    @Test
    void whetherAnIndexWasMadeUnlessItIsThereIsNotKnown() {
        SchemaHistory history =
                history(catalog(moment(1, 3), List.of(), withKeys(Optional.empty(), List.of(), List.of())));
        ddl(history, 150, 10, "CREATE UNIQUE INDEX IF NOT EXISTS I ON T (ID)");
        ddl(history, 250, 20, "DROP INDEX I");

        assertThat(warningsOf(history, 120, 9, ID_A)).isEmpty();
        assertThat(warningsOf(history, 160, 19, ID_A))
                .singleElement()
                .asString()
                .contains("the key of T", "is not known", "[ID]");
        assertThat(warningsOf(history, 260, 21, ID_A)).isEmpty();
    }

    private static List<String> warningsOf(SchemaHistory history, int place, long transaction, RecordFormat format) {
        try (LogCapture log = LogCapture.of(SchemaHistory.class)) {
            resolve(history, "T", place, transaction, image(format));
            return log.warnings();
        }
    }

    // ------------------------------------------------------------------ formats

    @Test
    void anImageBehindAnAlterCanBeOlderThanIt() {
        SchemaHistory history = history(catalog(before()), catalog(withB()));
        ddl(history, 150, 10, "ALTER TABLE T ADD B INTEGER");
        ObjectName t = ObjectName.of("T");

        TableVersion lagging = resolve(history, t, 160, 9, 155, Optional.empty(), image(ID_A));
        TableVersion next = resolve(history, t, 170, 9, 155, Optional.of(lagging), image(ID_A_B));

        assertThat(lagging.format()).isEqualTo(1);
        assertThat(names(lagging)).containsExactly("ID", "A");
        assertThat(next.format()).isEqualTo(2);
    }

    /** DROP and ADD lead back to the length of before. */
    private static SchemaHistory twins() {
        RecordFormat twin = format(2, "ID:int", "A:none", "B:int");
        SchemaHistory history = history(
                catalog(before()),
                catalog(table("T", 128, List.of(), List.of(ID_A, twin), "ID:int:nn", "A:none", "B:int")));
        ddl(history, 150, 10, "ALTER TABLE T DROP A, ADD B INTEGER");
        return history;
    }

    /** As the server upgrades a row from before: no bit that means nothing is set. */
    private static byte[] upgraded(boolean isNull) {
        RecordFormat twin = format(2, "ID:int", "A:none", "B:int");
        byte[] image = image(twin);
        image[0] = (byte) (isNull ? 4 : 0);
        if (isNull) {
            image[twin.field(2).orElseThrow().offset()] = 0;
        }
        return image;
    }

    @Test
    void theCommittedDdlTellsFormatsOfOneLengthApart() {
        SchemaHistory history = twins();

        assertThat(names(resolve(history, "T", 120, 5, image(ID_A)))).containsExactly("ID", "A");
        // began behind the DDL
        assertThat(names(resolve(history, "T", 160, 11, upgraded(false)))).containsExactly("ID", "B");
    }

    @Test
    void theNullBitsTellFormatsOfOneLengthApartWhereTheDdlCannot() {
        SchemaHistory history = twins();
        RecordFormat twin = format(2, "ID:int", "A:none", "B:int");

        assertThat(resolve(history, "T", 160, 9, image(ID_A)).format()).isEqualTo(1);
        assertThat(resolve(history, "T", 160, 9, image(twin)).format()).isEqualTo(2);
        // one image alone could be of either
        assertThat(resolve(history, "T", 160, 9, upgraded(false), upgraded(true))
                        .format())
                .isEqualTo(2);
    }

    @Test
    void anAmbiguousImageIsAnErrorThatListsTheCandidates() {
        SchemaHistory history = twins();

        assertThatThrownBy(() -> resolve(history, "T", 160, 9, upgraded(false)))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("format 1 of relation 128 [ID, A]")
                .hasMessageContaining("format 2 of relation 128 [ID, B]")
                .hasMessageContaining("DDL of transaction 10")
                .extracting(e -> ((UnknownFormatException) e).advice())
                .asString()
                .contains("catalogFiles", "onDecodeError=raw");
    }

    @Test
    void withinATransactionFormatsNeverGoBack() {
        SchemaHistory history = twins();
        RecordFormat twin = format(2, "ID:int", "A:none", "B:int");
        TableVersion sure = resolve(history, "T", 160, 9, image(twin));

        TableVersion next = resolve(history, ObjectName.of("T"), 170, 9, 160, Optional.of(sure), upgraded(false));

        assertThat(next).isSameAs(sure);
    }

    @Test
    void ddlThatNoCatalogShowsTheOutcomeOfIsAnError() {
        SchemaHistory history = history(catalog(before()));
        ddl(history, 150, 10, "ALTER TABLE T ADD B INTEGER");

        assertThat(resolve(history, "T", 120, 5, image(ID_A)).format()).isEqualTo(1);
        assertThatThrownBy(() -> resolve(history, "T", 160, 11, image(ID_A)))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("format 2");
    }

    @Test
    void severalOldFormatsOfWhichNoDdlTellsAreAnErrorThatListsThem() {
        RecordFormat second = format(2, "ID:int", "A:none", "B:int");
        RecordFormat third = format(3, "ID:int", "A:none", "B:int", "C:int");
        SchemaHistory history = history(catalog(
                table("T", 128, List.of(), List.of(ID_A, second, third), "ID:int:nn", "A:none", "B:int", "C:int")));

        TableVersion first = resolve(history, "T", 160, 11, image(ID_A));
        assertThat(first.format()).isEqualTo(1);
        assertThat(names(first)).containsExactly("ID", "__dropped_1");
        assertThatThrownBy(() -> resolve(history, "T", 170, 11, image(ID_A, 1)))
                .as("an A that is NULL and a B that is NULL look alike")
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("format 1 of relation 128 [ID, __dropped_1]")
                .hasMessageContaining("format 2 of relation 128 [ID, B]")
                .hasMessageContaining("DDL that the journal does not hold");
    }

    @Test
    void livesOfATableAreNotMixed() {
        RecordFormat other = format(1, "K:int", "V:int");
        SchemaHistory history =
                history(catalog(before()), catalog(table("T", 131, List.of(), List.of(other), "K:int:nn", "V:int")));
        ddl(history, 150, 10, "DROP TABLE T");
        ddl(history, 250, 11, "CREATE TABLE T (X INTEGER)");
        ddl(history, 350, 12, "RECREATE TABLE T (K INTEGER NOT NULL, V INTEGER)");

        assertThat(resolve(history, "T", 120, 5, image(ID_A)).relationId()).isEqualTo(128);
        assertThatThrownBy(() -> resolve(history, "T", 260, 20, image(ID_A)))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("no catalog saw");
        TableVersion last = resolve(history, "T", 360, 20, image(other));
        assertThat(last.relationId()).isEqualTo(131);
        assertThat(names(last)).containsExactly("K", "V");
    }

    @Test
    void anotherTypeOfADomainChangesAllTablesThatUseIt() {
        RecordFormat narrow = format(1, "ID:int", "V:v5");
        RecordFormat wide = format(2, "ID:int", "V:v12");
        List<Table> old = new ArrayList<>();
        List<Table> young = new ArrayList<>();
        for (String name : List.of("T", "U")) {
            old.add(table(name, name.charAt(0), List.of(), List.of(narrow), "ID:int:nn", "V:v5:D1"));
            young.add(table(name, name.charAt(0), List.of(), List.of(narrow, wide), "ID:int:nn", "V:v12:D2"));
        }
        SchemaHistory history = history(
                catalog(old.get(0), old.get(1), before2("W")), catalog(young.get(0), young.get(1), before2("W")));
        ddl(history, 150, 10, "ALTER DOMAIN D1 TYPE VARCHAR(12)");
        ddl(history, 250, 11, "ALTER DOMAIN D1 TO D2");

        for (String name : List.of("T", "U")) {
            assertThat(resolve(history, name, 120, 5, image(narrow)).format()).isEqualTo(1);
            assertThat(resolve(history, name, 160, 20, image(wide)).format()).isEqualTo(2);
        }
        assertThat(resolve(history, "W", 160, 20, image(ID_A)).format()).isEqualTo(1);
    }

    private static Table before2(String name) {
        return table(name, name.charAt(0), List.of(), List.of(ID_A), "ID:int:nn", "A:int");
    }

    @Test
    void theTypesInTheTextsTellWhichOfTwoChangesMadeTheFormat() {
        RecordFormat first = format(1, "ID:int", "A:small", "GONE:float");
        RecordFormat second = format(2, "ID:int", "A:int", "GONE:float");
        RecordFormat last = format(3, "ID:int", "A:int", "GONE:none");
        assertThat(first.recordLength()).isEqualTo(second.recordLength());
        SchemaHistory history = history(
                catalog(
                        moment(1, 5),
                        List.of(),
                        table("T", 128, List.of(), List.of(first), "ID:int:nn", "A:small", "GONE:float:D")),
                catalog(
                        moment(9, 90),
                        List.of(),
                        table("T", 128, List.of(), List.of(first, second, last), "ID:int:nn", "A:int", "GONE:none")));
        // each of the first three may have changed a type
        ddl(history, 150, 10, "ALTER DOMAIN D TYPE VARCHAR(7)");
        ddl(history, 250, 20, "ALTER TABLE T ALTER A TYPE INTEGER");
        ddl(history, 350, 30, "ALTER DOMAIN D TYPE VARCHAR(8)");
        ddl(history, 450, 40, "ALTER TABLE T DROP GONE");

        assertThat(resolve(history, "T", 220, 19, image(first)).format()).isEqualTo(1);
        assertThat(resolve(history, "T", 260, 21, image(second)).format()).isEqualTo(2);
        assertThat(resolve(history, "T", 360, 31, image(second)).format()).isEqualTo(2);
        assertThat(resolve(history, "T", 460, 41, image(last)).format()).isEqualTo(3);
    }

    @Test
    void theTableBehindAStatementIsTold() {
        SchemaHistory history = history(catalog(before("ID")), catalog(withB()));
        ddl(history, 150, 10, "ALTER TABLE T ADD B INTEGER");
        ddl(history, 250, 11, "DROP TABLE T");
        ddl(history, 350, 12, "CREATE SEQUENCE S");

        ChangedTable altered = history.changedTable(at(140), at(150)).orElseThrow();
        assertThat(altered.kind()).isEqualTo(ChangedTable.Kind.ALTER);
        assertThat(altered.after().orElseThrow().columns())
                .extracting(Column::name)
                .containsExactly("ID", "A", "B");
        assertThat(history.changedTable(at(240), at(250)))
                .contains(new ChangedTable(ObjectName.of("T"), ChangedTable.Kind.DROP, Optional.empty()));
        assertThat(history.changedTable(at(340), at(350))).isEmpty();
    }

    // ------------------------------------------------------------------ Firebird 6

    private static final ObjectName S_T = new ObjectName("S", "T");
    private static final ObjectName P_T = new ObjectName("PUBLIC", "T");

    @Test
    void statementsActAtOnceInTheirOwnTransaction() {
        RecordFormat partial = format(1, "ID:int");
        RecordFormat f2 = format(2, "ID:int", "A:int");
        RecordFormat f3 = format(3, "ID:int", "A:none", "B:int");
        RecordFormat f4 = format(4, "ID:int", "A:none", "B:none", "C:float");
        SchemaHistory history = history(catalog(
                Optional.empty(),
                List.of("PUBLIC", "S", "SYSTEM"),
                table(
                        S_T,
                        140,
                        List.of("ID"),
                        List.of(partial, f2, f3, f4),
                        Set.of(),
                        "ID:int:nn",
                        "A:none",
                        "B:none",
                        "C:float")));
        ddl(history, 130, 7, 2, "\"PUBLIC\"", "CREATE TABLE S.T (ID INTEGER NOT NULL PRIMARY KEY, A INTEGER)");
        String path = "\"NONE\", \"S\", \"PUBLIC\", \"SYSTEM\"";
        ddl(history, 190, 10, 2, path, "ALTER TABLE T DROP A, ADD B INTEGER", "ALTER TABLE T DROP B, ADD C FLOAT");

        assertThat(names(resolve(history, S_T, 165, 10, 160, Optional.empty(), image(f2))))
                .containsExactly("ID", "A");
        assertThat(names(resolve(history, S_T, 175, 10, 160, Optional.empty(), image(f3))))
                .containsExactly("ID", "B");
        assertThat(names(resolve(history, S_T, 185, 10, 160, Optional.empty(), image(f4))))
                .containsExactly("ID", "C");
        // for others it counts from the commit on
        assertThat(names(resolve(history, S_T, 185, 8, 180, Optional.empty(), image(f2))))
                .containsExactly("ID", "A");
        assertThat(names(resolve(history, S_T, 195, 11, 192, Optional.empty(), image(f4))))
                .containsExactly("ID", "C");
    }

    @Test
    void namesWithoutSchemaMeanTheFirstTableOfTheSearchPath() {
        SchemaHistory history = history(catalog(
                Optional.empty(),
                List.of("PUBLIC", "S"),
                table(S_T, 140, List.of(), List.of(ID_A), Set.of(), "ID:int:nn", "A:int"),
                table(P_T, 141, List.of(), List.of(ID_A), Set.of(), "ID:int:nn", "A:int")));
        ddl(history, 150, 10, 2, "\"EMPTY\", \"PUBLIC\", \"S\"", "ALTER TABLE T ALTER A TO IN_PUBLIC");
        ddl(history, 250, 11, 2, "\"PUBLIC\"", "ALTER TABLE S.T ALTER A TO IN_S");
        ddl(history, 350, 12, 2, "\"PUBLIC\"", "DROP SCHEMA S CASCADE");

        assertThat(names(resolve(history, P_T, 160, 20, 155, Optional.empty(), image(ID_A))))
                .containsExactly("ID", "IN_PUBLIC");
        assertThat(names(resolve(history, S_T, 160, 20, 155, Optional.empty(), image(ID_A))))
                .containsExactly("ID", "A");
        assertThat(names(resolve(history, S_T, 260, 20, 255, Optional.empty(), image(ID_A))))
                .containsExactly("ID", "IN_S");
        assertThatThrownBy(() -> resolve(history, S_T, 360, 20, 355, Optional.empty(), image(ID_A)))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("no such table");
    }

    @Test
    void aTableThatIsDroppedLaterComesFirstInTheSearchPathBefore() {
        SchemaHistory history = history(catalog(
                moment(5, 90),
                List.of("PUBLIC", "S"),
                table(S_T, 140, List.of(), List.of(ID_A), Set.of(), "ID:int:nn", "A:int")));
        ddl(history, 150, 10, 2, "\"PUBLIC\", \"S\"", "ALTER TABLE T ALTER B TO A");
        ddl(history, 250, 11, 2, "\"S\"", "DROP TABLE PUBLIC.T");

        assertThat(names(resolve(history, S_T, 120, 5, 120, Optional.empty(), image(ID_A))))
                .containsExactly("ID", "A");
    }

    @Test
    void anIndexOfTheSameNameInAnotherSchemaIsAnotherOne() {
        SchemaHistory history = history(catalog(
                moment(1, 3),
                List.of("PUBLIC", "S"),
                withIndex(S_T, 140, "I"),
                withIndex(P_T, 141, "I"),
                withIndex(new ObjectName("S", "U"), 142, "J")));
        ddl(history, 150, 10, 2, "\"PUBLIC\", \"S\"", "DROP INDEX I", "ALTER INDEX J INACTIVE");
        ddl(history, 250, 11, 2, "\"PUBLIC\", \"S\"", "CREATE UNIQUE INDEX PUBLIC_I ON T (ID)", "DROP INDEX S.I");
        ddl(history, 350, 12, 2, "\"PUBLIC\", \"S\"", "CREATE UNIQUE INDEX I ON S.T (ID)", "DROP INDEX PUBLIC_I");

        assertThat(keyIn(history, P_T, 160)).isEmpty();
        assertThat(keyIn(history, S_T, 160)).containsExactly("ID");
        assertThat(keyIn(history, new ObjectName("S", "U"), 160)).isEmpty();
        assertThat(keyIn(history, P_T, 260)).containsExactly("ID");
        assertThat(keyIn(history, S_T, 260)).isEmpty();
        assertThat(keyIn(history, P_T, 360)).isEmpty();
        assertThat(keyIn(history, S_T, 360)).containsExactly("ID");
    }

    private static Table withIndex(ObjectName name, int relationId, String index) {
        return new Table(
                name,
                relationId,
                TableKind.TABLE,
                1,
                true,
                HistoryFixture.columns("ID:int:nn", "A:int"),
                Optional.empty(),
                List.of(),
                List.of(unique(index, "ID")),
                List.of(ID_A));
    }

    private static List<String> keyIn(SchemaHistory history, ObjectName table, int place) {
        return key(resolve(history, table, place, 20, place, Optional.empty(), image(ID_A)));
    }

    @Test
    void conditionalStatementsMayHaveDoneNothing() {
        SchemaHistory history = history(catalog(
                moment(5, 50),
                List.of("S"),
                table(S_T, 140, List.of(), List.of(ID_A), Set.of(), "ID:int:nn", "A:int")));
        ddl(
                history,
                190,
                10,
                2,
                "\"S\"",
                "CREATE TABLE IF NOT EXISTS T (X INTEGER)",
                "ALTER TABLE T ADD IF NOT EXISTS A INTEGER",
                "ALTER TABLE T DROP IF EXISTS GONE");

        assertThat(names(resolve(history, S_T, 195, 20, 192, Optional.empty(), image(ID_A))))
                .containsExactly("ID", "A");
    }

    // ------------------------------------------------------------------ database

    /** A database that counts questions and can be down. */
    private static final class Database implements CatalogSource {
        private Catalog present;
        private boolean down;
        private int questions;

        Database(Catalog present) {
            this.present = present;
        }

        @Override
        public Catalog read() {
            questions++;
            if (down) {
                throw new MetadataException("the database does not answer");
            }
            return present;
        }
    }

    private static Optional<CatalogMoment> moment(long segment, long transaction) {
        return Optional.of(new CatalogMoment(segment, segment, transaction));
    }

    private static SchemaHistory live(Database database) {
        SchemaHistory history = new SchemaHistory(List.of(), Optional.of(database));
        history.open(GUID, Optional.empty());
        return history;
    }

    @Test
    void theDatabaseIsAskedOnlyWhereDdlAsksForIt() {
        Database database = new Database(catalog(moment(1, 3), List.of(), before()));
        SchemaHistory history = live(database);
        resolve(history, "T", 120, 5, image(ID_A));
        resolve(history, "T", 130, 5, image(ID_A));
        assertThat(database.questions).isEqualTo(1);

        ddl(history, 150, 10, "ALTER TABLE T ALTER A TO X");
        resolve(history, "T", 160, 11, image(ID_A));
        assertThat(database.questions).as("the text tells the name").isEqualTo(1);

        ddl(history, 250, 20, "ALTER TABLE T ADD B INTEGER");
        database.present = catalog(
                moment(3, 25),
                List.of(),
                table("T", 128, List.of(), List.of(ID_A, ID_A_B), "ID:int:nn", "X:int", "B:int"));
        resolve(history, "T", 240, 11, image(ID_A));
        assertThat(database.questions).isEqualTo(1);
        assertThat(names(resolve(history, "T", 260, 21, image(ID_A_B)))).containsExactly("ID", "X", "B");
        resolve(history, "T", 270, 21, image(ID_A_B));
        assertThat(database.questions).isEqualTo(2);
    }

    @Test
    void whileTheDatabaseIsDownKnownFormatsGoOnAndTheOthersWait() {
        Database database = new Database(catalog(moment(1, 3), List.of(), before(), before2("U")));
        SchemaHistory history = live(database);
        resolve(history, "T", 120, 5, image(ID_A));
        ddl(history, 250, 20, "ALTER TABLE T ADD B INTEGER");
        database.down = true;

        assertThatThrownBy(() -> resolve(history, "T", 260, 21, image(ID_A_B)))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("does not answer");
        assertThat(resolve(history, "U", 270, 21, image(ID_A)).format()).isEqualTo(1);

        database.down = false;
        database.present = catalog(moment(3, 25), List.of(), withB(), before2("U"));
        assertThat(resolve(history, "T", 260, 21, image(ID_A_B)).format()).isEqualTo(2);
    }

    @Test
    void aCatalogThatIsAheadOfTheJournalWaitsForTheSegmentWithTheReason() {
        Table ahead =
                table(ObjectName.of("T"), 128, List.of(), List.of(ID_A), Set.of(2L, 30L), "ID:int:nn", "LATER:int");
        SchemaHistory history = live(new Database(catalog(moment(3, 35), List.of(), ahead)));
        history.met(20);

        assertThatThrownBy(() -> resolve(history, "T", 220, 15, image(ID_A)))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("not in any complete segment yet");

        ddl(history, 350, 30, "ALTER TABLE T ALTER A TO LATER");
        assertThat(names(resolve(history, "T", 220, 15, image(ID_A)))).containsExactly("ID", "A");
        assertThat(names(resolve(history, "T", 360, 31, image(ID_A)))).containsExactly("ID", "LATER");
    }

    @Test
    void ddlThatLiesAheadIsLookedForBeforeTheCatalogIsUsed() {
        SchemaHistory history = live(new Database(
                catalog(moment(3, 35), List.of(), table("T", 128, List.of(), List.of(ID_A), "ID:int:nn", "NEW:int"))));
        history.lookAheadWith(into -> {
            ddl(into, 250, 30, "ALTER TABLE T ALTER A TO NEW");
            return true;
        });

        assertThat(names(resolve(history, "T", 120, 15, image(ID_A)))).containsExactly("ID", "A");
    }

    @Test
    void aQuestionThatTheDatabaseCannotAnswerIsNotAskedForEveryImage() {
        Database database = new Database(catalog(moment(1, 3), List.of(), before()));
        SchemaHistory history = live(database);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> resolve(history, "T", 120, 5, image(ID_A_B)))
                    .isInstanceOf(UnknownFormatException.class)
                    .hasMessageContaining("16 bytes");
        }
        assertThat(database.questions).isEqualTo(1);
    }

    @Test
    void behindDdlThatWasNotPublishedTheNextCatalogIsTheNewBeginning() {
        RecordFormat hidden = format(2, "ID:int", "A:int", "HIDDEN:big");
        RecordFormat last = format(3, "ID:int", "A:int", "HIDDEN:big", "B:int");
        Database database = new Database(catalog(moment(1, 3), List.of(), before()));
        SchemaHistory history = live(database);
        resolve(history, "T", 120, 5, image(ID_A));
        ddl(history, 350, 30, "ALTER TABLE T ADD B INTEGER");
        database.present = catalog(
                moment(4, 40),
                List.of(),
                table("T", 128, List.of(), List.of(ID_A, hidden, last), "ID:int:nn", "A:int", "HIDDEN:big", "B:int"));

        assertThat(names(resolve(history, "T", 360, 31, image(last)))).containsExactly("ID", "A", "HIDDEN", "B");
        // before, only a layout that is the only one of its length is certain
        assertThat(resolve(history, "T", 340, 29, image(hidden)).format()).isEqualTo(2);
        ddl(history, 550, 50, "ALTER TABLE T ALTER B TO C");
        assertThat(names(resolve(history, "T", 560, 51, image(last)))).containsExactly("ID", "A", "HIDDEN", "C");
    }

    @Test
    void aDatabaseWithAnotherGuidIsNotAsked() {
        Database database = new Database(catalog(before()));
        SchemaHistory history = new SchemaHistory(List.of(), Optional.of(database));
        history.open(DatabaseGuid.parse("{00000000-196D-4BDB-A704-8104225851F0}"), Optional.empty());

        assertThatThrownBy(() -> resolve(history, "T", 120, 5, image(ID_A)))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("restore");
    }

    // ------------------------------------------------------------------ keeping

    @Test
    void aRestoredDatabaseDoesNotDisturbWhatIsKnownOfItsOldHistory() {
        SchemaHistory old = live(new Database(catalog(moment(1, 3), List.of(), before("ID"))));
        resolve(old, "T", 120, 5, image(ID_A));
        byte[] saved = old.toSave().orElseThrow();
        DatabaseGuid its = DatabaseGuid.parse("{00000000-0000-0000-0000-000000000001}");
        Catalog restored = new Catalog(
                new DatabaseInfo("demo", "4.0.5", "13.0", 3, "UTF8", Optional.of(its), Optional.empty()),
                List.of(),
                List.of(table("T", 128, List.of(), List.of(format(1, "OTHER:int", "A:int")), "OTHER:int", "A:int")),
                List.of(),
                List.of(),
                Map.of(),
                moment(1, 1));

        SchemaHistory again = SchemaHistory.beginningWith(restored, () -> restored);
        again.open(GUID, Optional.of(saved));
        assertThat(names(resolve(again, "T", 130, 5, image(ID_A)))).containsExactly("ID", "A");
        ddl(again, 150, 10, "ALTER TABLE T ADD B INTEGER");
        assertThatThrownBy(() -> resolve(again, "T", 160, 11, image(ID_A_B)))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("the database has the GUID " + its);

        SchemaHistory anew = SchemaHistory.beginningWith(restored, () -> restored);
        assertThatThrownBy(() -> anew.open(GUID, Optional.empty()))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("the database has the GUID " + its);
    }

    @Test
    void aSavedHistoryGivesTheSameAnswers() {
        SchemaHistory history = live(new Database(catalog(moment(1, 3), List.of("X"), before("ID"))));
        resolve(history, "T", 120, 5, image(ID_A));
        ddl(history, 150, 10, "ALTER TABLE T ALTER A TO \"ü \"\"1\"\"\"", "COMMENT ON TABLE T IS 'x'");
        byte[] saved = history.toSave().orElseThrow();
        history.saved();
        assertThat(history.toSave()).isEmpty();

        Database database = new Database(catalog(before()));
        SchemaHistory again = new SchemaHistory(List.of(), Optional.of(database));
        again.open(GUID, Optional.of(saved));

        assertThat(names(resolve(again, "T", 120, 5, image(ID_A)))).containsExactly("ID", "A");
        TableVersion version = resolve(again, "T", 160, 11, image(ID_A));
        assertThat(names(version)).containsExactly("ID", "ü \"1\"");
        assertThat(key(version)).containsExactly("ID");
        assertThat(database.questions).isZero();
        assertThat(again.toSave()).isEmpty();
        ddl(again, 150, 10, "ALTER TABLE T ALTER A TO \"ü \"\"1\"\"\"");
        assertThat(again.toSave()).as("the same commit again is nothing new").isEmpty();
    }

    @Test
    void aCatalogFileThatHasBeenSummedUpIsNotTakenAgainAtAnyLaterStart() {
        Table before = before();
        Table after = table("T", 128, List.of(), List.of(ID_A), "ID:int:nn", "X:int");
        Table made = table("NEW", 130, List.of(), List.of(ID_A), "ID:int:nn", "A:int");
        List<Catalog> files = List.of(catalog(before, before2("Z")), catalog(after, made, before2("Z")));
        SchemaHistory first = new SchemaHistory(files, Optional.empty());
        first.open(GUID, Optional.empty());
        ddl(first, 150, 10, "ALTER TABLE T ALTER A TO X");
        ddl(first, 160, 11, "CREATE TABLE NEW (ID INTEGER NOT NULL, A INTEGER)");
        byte[] saved = first.toSave().orElseThrow();

        SchemaHistory second = new SchemaHistory(files, Optional.empty());
        second.open(GUID, Optional.of(saved));
        String name = "A";
        for (int i = 0; i < 500; i++) {
            ddl(second, (i + 2) * 100 + 50, 20 + i, "ALTER TABLE Z ALTER " + name + " TO X" + i);
            name = "X" + i;
        }
        second.forget(at(50_000));
        byte[] summedUp = second.toSave().orElseThrow();
        assertThat(HistoryJson.read(summedUp, 3).snapshots()).hasSize(1);

        SchemaHistory third = new SchemaHistory(files, Optional.empty());
        third.open(GUID, Optional.of(summedUp));
        assertThat(third.toSave().map(String::new))
                .as("nothing new has been learnt")
                .isEmpty();
        assertThat(names(resolve(third, "T", 60_000, 1000, image(ID_A)))).containsExactly("ID", "X");
    }

    @Test
    void aDocumentThatIsDamagedOrTooNewIsRefused() {
        SchemaHistory history = new SchemaHistory(List.of(), Optional.empty());

        assertThatThrownBy(() -> history.open(GUID, Optional.of("{\"version\": 1".getBytes())))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> history.open(GUID, Optional.of("{\"version\": 1}".getBytes())))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("ddl is missing");
        assertThatThrownBy(() -> history.open(GUID, Optional.of("{\"version\": 99}".getBytes())))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("version 99");
    }

    @Test
    void versionsStayTheSameInstanceWhateverIsLearned() {
        SchemaHistory history = history(catalog(before("ID")));
        TableVersion version = resolve(history, "T", 120, 5, image(ID_A));
        ddl(history, 150, 10, "ALTER TABLE T ALTER A TO X");

        assertThat(resolve(history, "T", 120, 5, image(ID_A))).isSameAs(version);
        assertThat(resolve(history, "T", 160, 11, image(ID_A))).isNotSameAs(version);
    }

    @Test
    void whatIsNotCertainIsNotSummedUp() {
        SchemaHistory history = history(catalog(moment(1, 5), List.of(), before()));
        ddl(history, 150, 10, "ALTER TABLE T ADD PRIMARY KEY (ID)");
        ddl(history, 250, 11, "ALTER TABLE T DROP CONSTRAINT INTEG_7");
        String name = "A";
        for (int i = 0; i < 500; i++) {
            ddl(history, (i + 3) * 100 + 50, 20 + i, "ALTER TABLE T ALTER " + name + " TO X" + i);
            name = "X" + i;
        }

        history.forget(at(50_000));

        // whether the constraint was the key is told by a later catalog only
        assertThat(HistoryJson.read(history.toSave().orElseThrow(), 3).commits())
                .hasSize(502);
    }

    @Test
    void whatIsNoLongerNeededIsSummedUp() {
        SchemaHistory history = live(new Database(catalog(moment(1, 3), List.of(), before("ID"))));
        resolve(history, "T", 120, 5, image(ID_A));
        String name = "A";
        for (int i = 0; i < 1000; i++) {
            ddl(history, (i + 2) * 100 + 50, 10 + i, "ALTER TABLE T ALTER " + name + " TO X" + i);
            name = "X" + i;
        }
        int size = history.toSave().orElseThrow().length;

        history.forget(at(90_000));

        byte[] saved = history.toSave().orElseThrow();
        assertThat(saved.length).isLessThan(size / 2);
        SchemaHistory again = new SchemaHistory(List.of(), Optional.empty());
        again.open(GUID, Optional.of(saved));
        for (SchemaHistory each : List.of(history, again)) {
            assertThat(names(resolve(each, "T", 90_100, 2000, image(ID_A)))).containsExactly("ID", "X898");
            assertThat(names(resolve(each, "T", 200_000, 2000, image(ID_A)))).containsExactly("ID", "X999");
            assertThat(key(resolve(each, "T", 200_000, 2000, image(ID_A)))).containsExactly("ID");
        }
    }
}
