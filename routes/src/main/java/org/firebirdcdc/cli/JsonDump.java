package org.firebirdcdc.cli;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import org.firebirdcdc.journal.SegmentHeader;
import org.firebirdcdc.journal.SegmentReader;
import org.firebirdcdc.transaction.StatementReader;

/**
 * A segment for programs: one JSON object per line, {@code type} is header, block or operation; offsets and lengths are
 * bytes, {@code length} counts all of a part.
 */
final class JsonDump implements SegmentDump {

    private final JsonGenerator json;
    private final StatementReader statements;

    JsonDump(PrintWriter out, StatementReader statements) throws IOException {
        this.json = new JsonFactoryBuilder().rootValueSeparator("").build().createGenerator(out);
        this.statements = statements;
    }

    @FunctionalInterface
    private interface Fields {
        void write() throws IOException;
    }

    @Override
    public void header(String file, long size, SegmentHeader header) {
        line("header", () -> {
            json.writeStringField("file", file);
            json.writeStringField("guid", header.guid().toString());
            json.writeNumberField("sequence", header.sequence());
            json.writeStringField("state", header.state().name());
            json.writeNumberField("length", header.length());
            json.writeNumberField("size", size);
        });
    }

    @Override
    public void block(SegmentReader reader) {
        line("block", () -> {
            json.writeNumberField("offset", reader.blockOffset());
            json.writeNumberField("length", reader.blockEnd() - reader.blockOffset());
            json.writeNumberField("transaction", reader.transaction());
            json.writeNumberField("protocol", reader.protocol());
            json.writeBooleanField("begin", reader.beginsTransaction());
            json.writeBooleanField("end", reader.endsTransaction());
            if (reader.unknownFlags() != 0) {
                json.writeNumberField("unknownFlags", reader.unknownFlags());
            }
        });
    }

    @Override
    public void operation(SegmentReader reader) {
        line("operation", () -> {
            json.writeNumberField("offset", reader.operationOffset());
            json.writeNumberField("length", reader.operationEnd() - reader.operationOffset());
            json.writeStringField("operation", reader.operation().name());
            writeDetails(reader);
        });
    }

    private void writeDetails(SegmentReader reader) throws IOException {
        switch (reader.operation()) {
            case START_TRANSACTION,
                    PREPARE_TRANSACTION,
                    COMMIT_TRANSACTION,
                    ROLLBACK_TRANSACTION,
                    CLEANUP_TRANSACTION,
                    START_SAVEPOINT,
                    RELEASE_SAVEPOINT,
                    ROLLBACK_SAVEPOINT -> {}
            case DEFINE_ATOM -> json.writeStringField("name", reader.atomName());
            case INSERT_RECORD -> {
                writeName("table", reader);
                json.writeNumberField("after", reader.dataLength());
            }
            case DELETE_RECORD -> {
                writeName("table", reader);
                json.writeNumberField("before", reader.dataLength());
            }
            case UPDATE_RECORD -> {
                writeName("table", reader);
                json.writeNumberField("before", reader.dataLength());
                json.writeNumberField("after", reader.newImageLength());
            }
            case STORE_BLOB -> {
                json.writeStringField("blob", SegmentDump.blobId(reader.blobId()));
                json.writeNumberField("bytes", reader.blobPieceLength());
                json.writeBooleanField("finished", reader.blobFinished());
            }
            case SET_SEQUENCE -> {
                writeName("sequence", reader);
                json.writeNumberField("value", reader.sequenceValue());
            }
            case EXECUTE_SQL, EXECUTE_SQL_INTL -> {
                json.writeStringField("owner", reader.sqlOwner());
                if (!reader.sqlSearchPath().isEmpty()) {
                    json.writeStringField("searchPath", reader.sqlSearchPath());
                }
                json.writeNumberField("charset", reader.sqlCharsetId());
                json.writeStringField("sql", statements.read(reader).sql());
            }
        }
    }

    private void writeName(String field, SegmentReader reader) throws IOException {
        json.writeStringField(field, reader.objectName().toString());
    }

    private void line(String type, Fields fields) {
        try {
            json.writeStartObject();
            json.writeStringField("type", type);
            fields.write();
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void flush() {
        try {
            json.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
