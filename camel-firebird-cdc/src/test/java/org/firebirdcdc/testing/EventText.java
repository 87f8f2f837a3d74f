package org.firebirdcdc.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.firebirdcdc.record.BlobValue;
import org.firebirdcdc.record.Row;
import org.firebirdcdc.transaction.ChangeEvent;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.DdlEvent;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.RawEvent;

/** Events as short texts, for comparisons: {@code c T 1}, {@code u T 2 A=text}, {@code d T 3}, {@code ddl CREATE …}. */
public final class EventText {

    private EventText() {}

    /** {@code 12: c T 1, u T 2}. */
    public static String of(CommittedTransaction transaction) {
        return transaction.info().number() + ": " + String.join(", ", events(transaction));
    }

    public static List<String> events(CommittedTransaction transaction) {
        List<String> texts = new ArrayList<>();
        transaction.events().forEach(event -> texts.add(of(event)));
        return texts;
    }

    public static String of(JournalEvent event) {
        return switch (event.kind()) {
            case CHANGE -> change((ChangeEvent) event);
            case DDL -> "ddl " + ((DdlEvent) event).sql();
            case RAW -> "raw " + ((RawEvent) event).table();
        };
    }

    private static String change(ChangeEvent change) {
        Row row = change.row();
        StringBuilder text = new StringBuilder()
                .append(change.operation().code())
                .append(' ')
                .append(change.table())
                .append(' ')
                .append(row.value("ID"));
        if (change.after().isPresent()) {
            for (Map.Entry<String, Object> value : change.after().get().toMap().entrySet()) {
                if (value.getValue() instanceof BlobValue blob) {
                    text.append(' ').append(value.getKey()).append('=').append(blob.text());
                }
            }
        }
        return text.toString();
    }
}
