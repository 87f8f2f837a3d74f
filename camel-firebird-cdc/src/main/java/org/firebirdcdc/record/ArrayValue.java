package org.firebirdcdc.record;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.firebirdcdc.schema.ValueType;

/**
 * The elements of an array column (segment-format.md 7.9). Elements are never NULL; those that were never written are what
 * zero bytes are in their type. Immutable.
 */
public final class ArrayValue {

    private static final int FIXED_HEADER = 16;
    private static final int DIMENSION_HEADER = 24;
    private static final int VERSION = 1;
    private static final int MOST_DIMENSIONS = 16;

    /**
     * Declared bounds of one dimension, both inclusive.
     *
     * @param lower smallest index
     * @param upper greatest index
     */
    public record Dimension(int lower, int upper) {

        /** Number of indices. */
        public int size() {
            return upper - lower + 1;
        }
    }

    private final List<Dimension> dimensions;
    private final ValueType elementType;
    private final List<Object> elements;

    private ArrayValue(List<Dimension> dimensions, ValueType elementType, List<Object> elements) {
        this.dimensions = dimensions;
        this.elementType = elementType;
        this.elements = elements;
    }

    /**
     * <pre>
     *   u8   version 1
     *   u8   dimensions d
     *   u16  struct count
     *   u16  element length
     *   u16  header length = 16 + 24 × d
     *   u32  elements
     *   u32  bytes of all elements
     *   d ×  12 bytes descriptor, u32 vector length, i32 lower bound, i32 upper bound
     *   elements, row by row
     * </pre>
     *
     * @param element from the catalog: the descriptor in the content lacks the character set
     * @throws BadValueException if header and length do not agree with each other or with the catalog, or an element is
     *                           malformed
     */
    static ArrayValue read(byte[] content, ValueType element, RecordDecoding decoding) {
        if (content.length < FIXED_HEADER) {
            throw new BadValueException("an array of " + content.length + " bytes is shorter than its header");
        }
        int version = Bytes.u8(content, 0);
        int dimensionCount = Bytes.u8(content, 1);
        int elementLength = Bytes.u16(content, 4);
        int headerLength = Bytes.u16(content, 6);
        long elementCount = Bytes.u32(content, 8);
        long elementBytes = Bytes.u32(content, 12);
        if (version != VERSION) {
            throw new BadValueException("array version " + version + " is unknown");
        }
        if (dimensionCount == 0 || dimensionCount > MOST_DIMENSIONS) {
            throw new BadValueException("an array has " + dimensionCount + " dimensions");
        }
        if (headerLength != FIXED_HEADER + DIMENSION_HEADER * dimensionCount
                || headerLength + elementBytes != content.length) {
            throw new BadValueException("an array of " + content.length + " bytes says that its header has "
                    + headerLength + " and its elements " + elementBytes);
        }
        if (elementLength != element.length()) {
            throw new BadValueException(
                    "array elements have " + elementLength + " bytes, the column's type has " + element.length());
        }
        List<Dimension> dimensions = readDimensions(content, dimensionCount, elementCount);
        if (elementCount * elementLength != elementBytes) {
            throw new BadValueException("an array has " + elementBytes + " bytes for " + elementCount + " elements of "
                    + elementLength + " bytes");
        }
        List<Object> elements = new ArrayList<>((int) elementCount);
        for (int i = 0; i < elementCount; i++) {
            elements.add(ValueCodec.read(content, headerLength + i * elementLength, element, decoding));
        }
        return new ArrayValue(dimensions, element, Collections.unmodifiableList(elements));
    }

    private static List<Dimension> readDimensions(byte[] content, int count, long elementCount) {
        List<Dimension> dimensions = new ArrayList<>(count);
        long product = 1;
        for (int i = 0; i < count; i++) {
            int at = FIXED_HEADER + i * DIMENSION_HEADER;
            int lower = Bytes.i32(content, at + 16);
            int upper = Bytes.i32(content, at + 20);
            long size = (long) upper - lower + 1;
            // elementCount has 32 bits, so neither factor nor product can overflow before it is found too large
            if (size < 1 || size > elementCount) {
                throw new BadValueException("array bounds " + lower + ":" + upper + " do not fit an array of "
                        + elementCount + " elements");
            }
            product *= size;
            if (product > elementCount) {
                break;
            }
            dimensions.add(new Dimension(lower, upper));
        }
        if (product != elementCount) {
            throw new BadValueException("an array of " + elementCount + " elements has bounds for another number");
        }
        return Collections.unmodifiableList(dimensions);
    }

    /** At least one. */
    public List<Dimension> dimensions() {
        return dimensions;
    }

    public ValueType elementType() {
        return elementType;
    }

    /** All elements in the order in which they are stored: the last index runs fastest. Types as {@link Row#value(int)}. */
    public List<Object> elements() {
        return elements;
    }

    /**
     * One element.
     *
     * @param indices one per dimension, within its bounds
     * @throws IllegalArgumentException  if there are not as many indices as dimensions
     * @throws IndexOutOfBoundsException if an index is outside its bounds
     */
    public Object element(int... indices) {
        if (indices.length != dimensions.size()) {
            throw new IllegalArgumentException(
                    "an array of " + dimensions.size() + " dimensions was asked with " + indices.length + " indices");
        }
        int at = 0;
        for (int i = 0; i < indices.length; i++) {
            Dimension dimension = dimensions.get(i);
            if (indices[i] < dimension.lower() || indices[i] > dimension.upper()) {
                throw new IndexOutOfBoundsException(
                        "index " + indices[i] + " is outside " + dimension.lower() + ":" + dimension.upper());
            }
            at = at * dimension.size() + indices[i] - dimension.lower();
        }
        return elements.get(at);
    }

    /** The elements as lists of lists, one level per dimension. */
    public List<Object> nested() {
        List<Object> level = elements;
        for (int i = dimensions.size() - 1; i > 0; i--) {
            level = grouped(level, dimensions.get(i).size());
        }
        return level;
    }

    private static List<Object> grouped(List<Object> level, int size) {
        List<Object> groups = new ArrayList<>(level.size() / size);
        for (int at = 0; at < level.size(); at += size) {
            groups.add(level.subList(at, at + size));
        }
        return Collections.unmodifiableList(groups);
    }

    /** Names bounds and type, no values. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("array of ").append(elementType.type());
        for (Dimension dimension : dimensions) {
            text.append(" [")
                    .append(dimension.lower())
                    .append(':')
                    .append(dimension.upper())
                    .append(']');
        }
        return text.toString();
    }
}
