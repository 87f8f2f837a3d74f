package org.firebirdcdc.record;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.firebirdcdc.journal.JournalPosition;
import org.firebirdcdc.journal.ObjectName;
import org.firebirdcdc.schema.DataType;
import org.firebirdcdc.schema.TableVersion;
import org.firebirdcdc.schema.ValueType;
import org.firebirdcdc.schema.VersionColumn;

/**
 * A table for tests and rows of it from literal bytes. Values stand one behind the other without alignment, with garbage in
 * front of the image and behind it, so that a read outside the value shows.
 */
final class TestTable {

    static final RecordContext CONTEXT = new RecordContext(new JournalPosition(7, 1234), "t.fdb.journal-000000007");

    private static final int GARBAGE = 5;

    private final TableVersion version;

    private TestTable(TableVersion version) {
        this.version = version;
    }

    /** A table with columns C0, C1, … */
    static TestTable of(ValueType... types) {
        return of(Optional.empty(), types);
    }

    /** A table with one array column. */
    static TestTable ofArray(ValueType element) {
        return of(Optional.of(element), type(DataType.ARRAY, 8));
    }

    private static TestTable of(Optional<ValueType> element, ValueType... types) {
        int offset = bitmap(types.length);
        List<VersionColumn> columns = new ArrayList<>();
        for (ValueType type : types) {
            int ordinal = columns.size();
            columns.add(new VersionColumn("C" + ordinal, true, ordinal, ordinal, offset, type, element, true));
            offset += type.length();
        }
        return new TestTable(new TableVersion(ObjectName.of("T"), 128, 1, offset, columns, List.of()));
    }

    private static int bitmap(int columns) {
        return 4 * ((columns + 31) / 32);
    }

    static ValueType type(DataType type, int length) {
        return new ValueType(type, length, 0, 0, 0, 0, 0);
    }

    static ValueType numeric(DataType type, int length, int scale) {
        return new ValueType(type, length, scale, 1, 0, 0, 0);
    }

    static ValueType character(int charsetId, int characters) {
        int length = characters * Charsets.bytesPerCharacter(charsetId);
        return new ValueType(DataType.CHAR, length, 0, 0, 0, charsetId, characters);
    }

    static ValueType varchar(int charsetId, int characters) {
        int length = characters * Charsets.bytesPerCharacter(charsetId) + 2;
        return new ValueType(DataType.VARCHAR, length, 0, 0, 0, charsetId, characters);
    }

    static ValueType blob(int subType, int charsetId) {
        return new ValueType(DataType.BLOB, 8, 0, subType, 0, charsetId, 0);
    }

    TableVersion version() {
        return version;
    }

    /**
     * @param values one per column, hexadecimal, blanks ignored, filled up with zero bytes; null for NULL
     */
    Row row(String... values) {
        return row(RecordDecoding.DEFAULT, BlobSource.NONE, values);
    }

    Row row(RecordDecoding decoding, BlobSource blobs, String... values) {
        byte[] bitmap = new byte[bitmap(values.length)];
        ByteArrayOutputStream image = new ByteArrayOutputStream();
        for (int i = 0; i < values.length; i++) {
            int length = version.columns().get(i).type().length();
            byte[] bytes = new byte[0];
            if (values[i] == null) {
                bitmap[i / 8] |= (byte) (1 << i % 8);
            } else {
                bytes = HexFormat.of().parseHex(values[i].replace(" ", ""));
            }
            image.writeBytes(Arrays.copyOf(bytes, length));
        }
        byte[] array = new byte[GARBAGE + bitmap.length + image.size() + GARBAGE];
        Arrays.fill(array, (byte) 0xA5);
        System.arraycopy(bitmap, 0, array, GARBAGE, bitmap.length);
        System.arraycopy(image.toByteArray(), 0, array, GARBAGE + bitmap.length, image.size());
        return new Row(version, array, GARBAGE, array.length - 2 * GARBAGE, blobs, decoding, CONTEXT);
    }

    /** The only value of a row of a table with one column of this type. */
    static Object value(ValueType type, String hex) {
        Row row = of(type).row(hex);
        row.verify();
        return row.value(0);
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
