package org.firebirdcdc.schema;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The layout of a record image (segment-format.md 7.1, 7.2, 8.2): NULL bitmap, then the fields in the order of their ids.
 * Two formats are equal if number and descriptor are.
 *
 * <p>The descriptor is RDB$FORMATS.RDB$DESCRIPTOR, little-endian:
 *
 * <pre>
 *   u16                 count = highest field id + 1
 *   count × 12 bytes    u8 dtype (0: no such field), i8 scale, u16 length, i16 sub type, u16 flags, u32 offset
 *   u16                 number of defaults
 *   each                u16 field id, 12-byte entry, `length` bytes of value
 * </pre>
 *
 * The defaults serve the server when it upgrades old records; images in the journal have them applied already.
 */
public final class RecordFormat {

    private static final int ENTRY = 12;
    private static final int MAX_RECORD_LENGTH = 1_048_576;

    private final int number;
    private final byte[] descriptor;
    private final Field[] fields;
    private final List<Field> present;
    private final int recordLength;

    private RecordFormat(int number, byte[] descriptor, Field[] fields, int recordLength) {
        this.number = number;
        this.descriptor = descriptor;
        this.fields = fields;
        List<Field> known = new ArrayList<>();
        for (Field field : fields) {
            if (field != null) {
                known.add(field);
            }
        }
        this.present = List.copyOf(known);
        this.recordLength = recordLength;
    }

    /**
     * Reads a descriptor.
     *
     * @param number     RDB$FORMAT
     * @param descriptor bytes of RDB$DESCRIPTOR; not kept
     * @throws MetadataException if the bytes are no descriptor: truncated, an unknown type, a place outside any record
     */
    public static RecordFormat parse(int number, byte[] descriptor) {
        ByteBuffer in = ByteBuffer.wrap(descriptor).order(ByteOrder.LITTLE_ENDIAN);
        int count = Short.toUnsignedInt(
                readable(number, in, 2, "the number of fields").getShort());
        readable(number, in, count * ENTRY, count + " fields");
        Field[] fields = new Field[count];
        int end = bitmapLength(count);
        for (int id = 0; id < count; id++) {
            Field field = entry(number, id, in);
            fields[id] = field;
            if (field != null && field.stored()) {
                if (field.offset() < end) {
                    throw invalid(
                            number, "field " + id + " at offset " + field.offset() + " overlaps what stands before it");
                }
                if (!field.type().fits(field.length())) {
                    throw invalid(
                            number, "field " + id + " of type " + field.type() + " takes " + field.length() + " bytes");
                }
                end = field.offset() + field.length();
            }
        }
        int defaults = Short.toUnsignedInt(
                readable(number, in, 2, "the number of defaults").getShort());
        for (int i = 0; i < defaults; i++) {
            readable(number, in, 2 + ENTRY, "default " + (i + 1) + " of " + defaults);
            int length = Short.toUnsignedInt(in.getShort(in.position() + 4));
            in.position(in.position() + 2 + ENTRY);
            readable(number, in, length, "the value of default " + (i + 1) + " of " + defaults);
            in.position(in.position() + length);
        }
        if (in.hasRemaining()) {
            throw invalid(number, in.remaining() + " bytes follow its end");
        }
        return new RecordFormat(number, descriptor.clone(), fields, end);
    }

    /** Null for a hole: the column of that id was dropped. */
    private static Field entry(int number, int id, ByteBuffer in) {
        int dtype = Byte.toUnsignedInt(in.get());
        int scale = in.get();
        int length = Short.toUnsignedInt(in.getShort());
        int subType = in.getShort();
        int flags = Short.toUnsignedInt(in.getShort());
        long offset = Integer.toUnsignedLong(in.getInt());
        if (dtype == 0) {
            return null;
        }
        DataType type = DataType.ofDtype(dtype)
                .orElseThrow(() -> invalid(number, "field " + id + " has the unknown type " + dtype));
        if (offset + length > MAX_RECORD_LENGTH) {
            throw invalid(number, "field " + id + " at offset " + offset + " lies outside any record");
        }
        return new Field(id, type, scale, length, subType, flags, (int) offset);
    }

    private static ByteBuffer readable(int number, ByteBuffer in, int bytes, String what) {
        if (in.remaining() < bytes) {
            throw invalid(
                    number,
                    "it ends at byte " + in.limit() + ", within " + what + " (" + bytes + " bytes needed at byte "
                            + in.position() + ")");
        }
        return in;
    }

    private static MetadataException invalid(int number, String problem) {
        return new MetadataException("the descriptor of record format " + number + " is not usable: " + problem);
    }

    /**
     * The format that the server makes of these columns, but for the defaults (segment-format.md 7.2, 8.7).
     *
     * @param number  number to give it
     * @param columns columns of a table with distinct field ids, in any order
     * @throws MetadataException if two columns have one field id or the image would be longer than any can be
     */
    public static RecordFormat compute(int number, Collection<Column> columns) {
        List<Column> byId = new ArrayList<>(columns);
        byId.sort(Comparator.comparingInt(Column::fieldId));
        int count = byId.isEmpty() ? 0 : byId.get(byId.size() - 1).fieldId() + 1;
        ByteBuffer out = ByteBuffer.allocate(2 + count * ENTRY + 2).order(ByteOrder.LITTLE_ENDIAN);
        out.putShort((short) count);
        Set<Integer> ids = new HashSet<>();
        int end = bitmapLength(count);
        for (Column column : byId) {
            if (!ids.add(column.fieldId())) {
                throw invalid(number, "two columns have the field id " + column.fieldId());
            }
            Field field = column.field();
            int offset = 0;
            if (!column.computed()) {
                int alignment = field.type().alignment(field.length());
                offset = (end + alignment - 1) / alignment * alignment;
                end = offset + field.length();
            }
            out.position(2 + column.fieldId() * ENTRY);
            out.put((byte) field.type().dtype())
                    .put((byte) field.scale())
                    .putShort((short) field.length())
                    .putShort((short) field.subType())
                    .putShort((short) field.flags())
                    .putInt(offset);
        }
        return parse(number, out.array());
    }

    private static int bitmapLength(int fieldCount) {
        return 4 * ((fieldCount + 31) / 32);
    }

    /**
     * Whether an image can have been made in this format, by the habits of the server (segment-format.md 7.1, 7.10): NULL
     * fields are zero, and the bits of the NULL bitmap that mean no field are all set or all clear. Tells formats of one
     * length apart; an image that breaks the habits is still an image.
     *
     * @param image as many bytes as {@link #recordLength()}
     */
    boolean couldHold(byte[] image) {
        int used = (fields.length + 7) / 8;
        boolean anySet = false;
        boolean anyClear = false;
        for (int bit = 0; bit < 8 * used; bit++) {
            boolean set = isSet(image, bit);
            boolean meaningful = bit < fields.length && fields[bit] != null && fields[bit].stored();
            if (!meaningful) {
                anySet |= set;
                anyClear |= !set;
            } else if (set && !isZero(image, fields[bit].offset(), fields[bit].length())) {
                return false;
            }
        }
        return !(anySet && anyClear) && isZero(image, used, bitmapLength() - used);
    }

    private static boolean isSet(byte[] image, int bit) {
        return (image[bit / 8] >> bit % 8 & 1) != 0;
    }

    private static boolean isZero(byte[] image, int start, int length) {
        for (int i = start; i < start + length; i++) {
            if (image[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** RDB$FORMAT, from 1. */
    public int number() {
        return number;
    }

    /** The fields there are, by ascending id; ids may be missing. */
    public List<Field> fields() {
        return present;
    }

    /** The field of an id; empty for a hole and beyond the highest id. */
    public Optional<Field> field(int id) {
        return id >= 0 && id < fields.length ? Optional.ofNullable(fields[id]) : Optional.empty();
    }

    /** Bytes of an image. */
    public int recordLength() {
        return recordLength;
    }

    /** Bytes of the NULL bitmap at the start of an image. */
    public int bitmapLength() {
        return bitmapLength(fields.length);
    }

    /** A copy of the descriptor's bytes. */
    public byte[] descriptor() {
        return descriptor.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordFormat that
                && number == that.number
                && Arrays.equals(descriptor, that.descriptor);
    }

    @Override
    public int hashCode() {
        return 31 * number + Arrays.hashCode(descriptor);
    }

    @Override
    public String toString() {
        return "format " + number + " (" + present.size() + " fields, " + recordLength + " bytes)";
    }
}
