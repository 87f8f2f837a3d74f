package org.firebirdcdc.record;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.Objects;
import java.util.function.Supplier;

/** Decodes a stream of stored bytes as it is read; malformed text is replaced and counted once, or an error. */
final class TextReader extends Reader {

    private static final int BUFFER = 8192;
    private static final char REPLACEMENT = '\uFFFD';

    private final InputStream in;
    private final CharsetDecoder decoder;
    private final boolean replace;
    private final ReplacementCounter replacements;
    private final Supplier<RuntimeException> malformed;
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).limit(0);
    private final CharBuffer chars = CharBuffer.allocate(BUFFER).limit(0);
    private boolean atEnd;
    private boolean done;
    private boolean counted;

    /**
     * @param decoder   reports malformed input
     * @param malformed thrown if malformed text is not to be replaced
     */
    TextReader(InputStream in, CharsetDecoder decoder, RecordDecoding decoding, Supplier<RuntimeException> malformed) {
        this.in = in;
        this.decoder = decoder;
        this.replace = decoding.malformedText() == MalformedText.REPLACE;
        this.replacements = decoding.replacements();
        this.malformed = malformed;
    }

    @Override
    public int read(char[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        while (!chars.hasRemaining()) {
            if (done) {
                return -1;
            }
            decodeMore();
        }
        int count = Math.min(length, chars.remaining());
        chars.get(target, offset, count);
        return count;
    }

    private void decodeMore() throws IOException {
        chars.clear();
        CoderResult result = decoder.decode(bytes, chars, atEnd);
        if (result.isError()) {
            replace(result.length());
        } else if (result.isUnderflow()) {
            if (atEnd) {
                decoder.flush(chars);
                done = true;
            } else {
                fill();
            }
        }
        chars.flip();
    }

    private void replace(int length) {
        if (!replace) {
            throw malformed.get();
        }
        if (!counted) {
            counted = true;
            replacements.increment();
        }
        if (chars.hasRemaining()) {
            chars.put(REPLACEMENT);
            bytes.position(bytes.position() + length);
        }
    }

    private void fill() throws IOException {
        bytes.compact();
        int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
        if (count < 0) {
            atEnd = true;
        } else {
            bytes.position(bytes.position() + count);
        }
        bytes.flip();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
