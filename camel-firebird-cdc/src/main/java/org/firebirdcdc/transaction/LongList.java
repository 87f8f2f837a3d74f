package org.firebirdcdc.transaction;

import java.util.ArrayList;
import java.util.List;

/**
 * A list of longs in chunks: grows without copying, so that a transaction of millions of blocks never needs its memory
 * twice.
 */
final class LongList {

    private static final int CHUNK_BITS = 9;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int FIRST_CHUNK = 8;

    private final List<long[]> chunks = new ArrayList<>(1);
    private int size;

    int size() {
        return size;
    }

    void add(long value) {
        int chunk = size >> CHUNK_BITS;
        int index = size & CHUNK - 1;
        if (chunk == chunks.size()) {
            // nearly all transactions have one or two blocks: the very first chunk starts small
            chunks.add(new long[chunk == 0 ? FIRST_CHUNK : CHUNK]);
        } else if (index == chunks.get(chunk).length) {
            long[] grown = new long[CHUNK];
            System.arraycopy(chunks.get(chunk), 0, grown, 0, index);
            chunks.set(chunk, grown);
        }
        chunks.get(chunk)[index] = value;
        size++;
    }

    long get(int index) {
        return chunks.get(index >> CHUNK_BITS)[index & CHUNK - 1];
    }

    void set(int index, long value) {
        chunks.get(index >> CHUNK_BITS)[index & CHUNK - 1] = value;
    }

    void removeLast() {
        size--;
    }
}
