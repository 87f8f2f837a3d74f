package org.firebirdcdc.cli;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import org.firebirdcdc.journal.SegmentHeader;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.schema.CharacterSet;
import org.firebirdcdc.transaction.StatementReader;

/** A segment for people: offset and length of each part in bytes, then what it is. */
final class TextDump implements SegmentDump {

    private final PrintWriter out;
    private final StatementReader statements;

    TextDump(PrintWriter out, StatementReader statements) {
        this.out = out;
        this.statements = statements;
    }

    @Override
    public void header(String file, long size, SegmentHeader header) {
        line("file      %s", printable(file));
        line("database  %s", header.guid());
        line("sequence  %d", header.sequence());
        line("state     %s", header.state());
        line("length    %d of %d bytes in the file", header.length(), size);
        line("");
        line("%10s %8s", "offset", "length");
    }

    @Override
    public void block(SegmentReader reader) {
        String flags = (reader.beginsTransaction() ? ", BEGIN" : "")
                + (reader.endsTransaction() ? ", END" : "")
                + (reader.unknownFlags() == 0 ? "" : ", flags 0x" + Integer.toHexString(reader.unknownFlags()));
        line(
                "%10d %8d  block of transaction %d, protocol %d%s",
                reader.blockOffset(),
                reader.blockEnd() - reader.blockOffset(),
                reader.transaction(),
                reader.protocol(),
                flags);
    }

    @Override
    public void operation(SegmentReader reader) {
        line(
                "%10d %8d    %s%s",
                reader.operationOffset(),
                reader.operationEnd() - reader.operationOffset(),
                reader.operation(),
                details(reader));
    }

    private String details(SegmentReader reader) {
        return switch (reader.operation()) {
            case START_TRANSACTION,
                    PREPARE_TRANSACTION,
                    COMMIT_TRANSACTION,
                    ROLLBACK_TRANSACTION,
                    CLEANUP_TRANSACTION,
                    START_SAVEPOINT,
                    RELEASE_SAVEPOINT,
                    ROLLBACK_SAVEPOINT -> "";
            case DEFINE_ATOM -> " " + printable(reader.atomName());
            case INSERT_RECORD, DELETE_RECORD -> name(reader) + ", image of " + reader.dataLength() + " bytes";
            case UPDATE_RECORD ->
                name(reader) + ", images of " + reader.dataLength() + " and " + reader.newImageLength() + " bytes";
            case STORE_BLOB ->
                " " + SegmentDump.blobId(reader.blobId()) + ", " + reader.blobPieceLength() + " bytes"
                        + (reader.blobFinished() ? "" : ", to be continued");
            case SET_SEQUENCE -> name(reader) + " = " + reader.sequenceValue();
            case EXECUTE_SQL, EXECUTE_SQL_INTL -> statement(reader);
        };
    }

    private static String name(SegmentReader reader) {
        return " " + printable(reader.objectName().toString());
    }

    private String statement(SegmentReader reader) {
        int charset = reader.sqlCharsetId();
        Optional<String> charsetName = CharacterSet.of(charset).map(CharacterSet::name);
        String searchPath = reader.sqlSearchPath();
        return " by " + printable(reader.sqlOwner())
                + ", " + charsetName.orElse("character set " + charset)
                + (searchPath.isEmpty() ? "" : ", search path " + printable(searchPath))
                + ": " + printable(statements.read(reader).sql());
    }

    /** Line ends and control characters as in JSON: one part is one line, and no terminal is told what to do. */
    private static String printable(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c)) {
                escaped.append(JsonStringEncoder.getInstance().quoteAsString(Character.toString(c)));
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }

    /** Line ends and digits are the same everywhere. */
    private void line(String format, Object... values) {
        out.print(String.format(Locale.ROOT, format, values));
        out.print('\n');
    }

    @Override
    public void flush() {
        out.flush();
    }
}
