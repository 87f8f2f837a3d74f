package org.firebirdcdc.record;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Blob contents made of bytes. */
final class TestBlob {

    private TestBlob() {}

    static BlobContent inMemory(byte[] bytes) {
        return new Content(bytes, Optional.of(bytes));
    }

    /** Can only be streamed, and gives one byte at a time. */
    static BlobContent streamed(byte[] bytes) {
        return new Content(bytes, Optional.empty());
    }

    private record Content(byte[] bytes, Optional<byte[]> inMemory) implements BlobContent {

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public InputStream open() {
            return new FilterInputStream(new ByteArrayInputStream(bytes)) {
                @Override
                public int read(byte[] target, int offset, int length) throws IOException {
                    return super.read(target, offset, Math.min(length, 1));
                }
            };
        }
    }
}
