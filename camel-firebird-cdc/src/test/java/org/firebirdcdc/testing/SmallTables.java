package org.firebirdcdc.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.schema.Catalog;
import org.firebirdcdc.schema.CharacterSet;
import org.firebirdcdc.schema.Column;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.DatabaseInfo;
import org.firebirdcdc.schema.Key;
import org.firebirdcdc.schema.RecordFormat;
import org.firebirdcdc.schema.Table;
import org.firebirdcdc.schema.TableKind;

/**
 * Tables for segments that tests make themselves, all alike: {@code ID INTEGER NOT NULL PRIMARY KEY, A BLOB SUB_TYPE TEXT,
 * B BLOB SUB_TYPE TEXT}.
 */
public final class SmallTables {

    public static final ObjectName T = ObjectName.of("T");
    public static final ObjectName U = ObjectName.of("U");
    /** The one that tests leave out. */
    public static final ObjectName X = ObjectName.of("X");

    public static final ObjectName S_T = new ObjectName("S", "T");
    public static final ObjectName R_T = new ObjectName("R", "T");

    /** No blob in the column. */
    public static final long NULL = -1;

    private static final List<Column> COLUMNS = List.of(
            column(0, "ID", DataType.INTEGER, 4, false),
            column(1, "A", DataType.BLOB, 8, true),
            column(2, "B", DataType.BLOB, 8, true));

    private static final RecordFormat FORMAT = RecordFormat.compute(1, COLUMNS);

    private SmallTables() {}

    public static Catalog catalog() {
        return new Catalog(
                new DatabaseInfo(
                        "demo", "4.0.5", "13.0", 3, "UTF8", Optional.of(SegmentBuilder.GUID), Optional.empty()),
                List.of(),
                Stream.of(T, U, X, S_T, R_T).map(SmallTables::table).toList(),
                List.of(),
                List.of(),
                Map.of());
    }

    /** A row without blobs. */
    public static byte[] row(int id) {
        return row(id, NULL, NULL);
    }

    /** A row with blobs by id; {@link #NULL} for none. */
    public static byte[] row(int id, long a, long b) {
        int nulls = 0xF8 | (a == NULL ? 2 : 0) | (b == NULL ? 4 : 0);
        ByteBuffer image = ByteBuffer.allocate(FORMAT.recordLength()).order(ByteOrder.LITTLE_ENDIAN);
        image.put(0, (byte) nulls);
        image.putInt(offset(0), id);
        putBlob(image, offset(1), a);
        putBlob(image, offset(2), b);
        return image.array();
    }

    private static void putBlob(ByteBuffer image, int offset, long id) {
        if (id != NULL) {
            image.putInt(offset, (int) (id >>> 32)).putInt(offset + 4, (int) id);
        }
    }

    private static int offset(int field) {
        return FORMAT.field(field).orElseThrow().offset();
    }

    private static Table table(ObjectName name) {
        return new Table(
                name,
                128,
                TableKind.TABLE,
                1,
                true,
                COLUMNS,
                Optional.of(new Key("PK", List.of("ID"))),
                List.of(),
                List.of(),
                List.of(FORMAT));
    }

    private static Column column(int id, String name, DataType type, int length, boolean nullable) {
        boolean blob = type == DataType.BLOB;
        return new Column(
                id,
                id,
                name,
                "RDB$" + id,
                "",
                type,
                blob ? 1 : 0,
                length,
                0,
                0,
                0,
                blob ? CharacterSet.of(4) : Optional.empty(),
                Optional.empty(),
                nullable,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                List.of());
    }
}
