package org.firebirdcdc.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.VersionColumn;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.Operation;
import org.junit.jupiter.api.Test;

class ChangedColumnsOfEventTest {

    private static final TestTable TABLE =
            TestTable.of(TestTable.type(DataType.INTEGER, 4), TestTable.type(DataType.SMALLINT, 2));

    private static ChangeEvent event(Operation operation, Row before, Row after) {
        return new ChangeEvent(
                null,
                TestTable.CONTEXT.position(),
                1,
                1,
                operation,
                TABLE.version(),
                Optional.ofNullable(before),
                Optional.ofNullable(after),
                null);
    }

    @Test
    void anUpdateNamesWhatItChangedAndOtherChangesNothing() {
        Row before = TABLE.row("01", "02");
        Row after = TABLE.row("01", "03");

        assertThat(event(Operation.UPDATE, before, after).changedColumns())
                .extracting(VersionColumn::name)
                .containsExactly("C1");
        assertThat(event(Operation.INSERT, null, after).changedColumns()).isEmpty();
        assertThat(event(Operation.DELETE, before, null).changedColumns()).isEmpty();
    }
}
