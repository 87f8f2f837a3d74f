package org.firebirdcdc.transaction;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.IntFunction;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.schema.DdlStatement;

/**
 * Reads DDL statements: their text is in the client's character set (segment-format.md 3.7).
 *
 * @param charsets Java character sets by Firebird's id; empty for NONE and for one that Java lacks
 */
public record StatementReader(IntFunction<Optional<Charset>> charsets) {

    /** The statement at which the reader stands: at an EXECUTE_SQL(_INTL). */
    public DdlStatement read(SegmentReader reader) {
        return new DdlStatement(
                reader.operationPosition(),
                reader.protocol(),
                reader.sqlOwner(),
                reader.sqlSearchPath(),
                decode(
                        reader.buffer(),
                        reader.dataStart(),
                        reader.dataLength(),
                        charsets.apply(reader.sqlCharsetId()).orElse(StandardCharsets.UTF_8)));
    }

    /** Bytes that are not of their character set (or of UTF-8, where none is known) are shown one by one as Latin-1. */
    static String decode(byte[] buffer, int start, int length, Charset charset) {
        try {
            return charset.newDecoder()
                    .decode(ByteBuffer.wrap(buffer, start, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return new String(buffer, start, length, StandardCharsets.ISO_8859_1);
        }
    }
}
