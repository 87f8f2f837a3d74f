package org.firebirdcdc.camel;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Function;
import org.firebirdcdc.transaction.JournalEvent;

/** The JSON values of events, one per line, made while they are read. */
final class TransactionLines extends InputStream {

    private final Iterator<JournalEvent> events;
    private final Function<JournalEvent, byte[]> form;
    private byte[] line = new byte[0];
    private int position;

    TransactionLines(Iterator<JournalEvent> events, Function<JournalEvent, byte[]> form) {
        this.events = events;
        this.form = form;
    }

    @Override
    public int read() {
        return available() > 0 || nextLine() ? Byte.toUnsignedInt(line[position++]) : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (available() == 0 && !nextLine()) {
            return -1;
        }
        int count = Math.min(length, available());
        System.arraycopy(line, position, target, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return line.length - position;
    }

    private boolean nextLine() {
        if (!events.hasNext()) {
            return false;
        }
        byte[] value = form.apply(events.next());
        line = Arrays.copyOf(value, value.length + 1);
        line[value.length] = '\n';
        position = 0;
        return true;
    }

    @Override
    public void close() throws IOException {
        if (events instanceof Closeable closeable) {
            closeable.close();
        }
    }
}
