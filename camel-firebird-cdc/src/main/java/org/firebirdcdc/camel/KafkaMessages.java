package org.firebirdcdc.camel;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.support.DefaultMessage;
import org.firebirdcdc.transaction.EncodedRecord;

/**
 * Messages for camel-kafka, made while they are sent. Fresh ones in each iteration: the producer takes headers away from
 * what it has sent, so a second attempt with the same messages would go to the wrong topic.
 */
final class KafkaMessages implements Iterable<Message> {

    /** Key of the record; camel-kafka does not convert it. */
    static final String KEY = "kafka.KEY";

    /** Topic of the record. */
    static final String OVERRIDE_TOPIC = "kafka.OVERRIDE_TOPIC";

    private final CamelContext context;
    private final Supplier<Iterator<List<EncodedRecord>>> records;

    /**
     * @param records gives the records from the beginning at each call, those of one event together
     */
    KafkaMessages(CamelContext context, Supplier<Iterator<List<EncodedRecord>>> records) {
        this.context = context;
        this.records = records;
    }

    @Override
    public Iterator<Message> iterator() {
        Iterator<List<EncodedRecord>> groups = records.get();
        return new Iterator<>() {
            private Iterator<EncodedRecord> group = List.<EncodedRecord>of().iterator();

            @Override
            public boolean hasNext() {
                while (!group.hasNext() && groups.hasNext()) {
                    group = groups.next().iterator();
                }
                return group.hasNext();
            }

            @Override
            public Message next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return message(group.next());
            }
        };
    }

    private Message message(EncodedRecord record) {
        Message message = new DefaultMessage(context);
        // a null body is a tombstone
        message.setBody(record.value().orElse(null));
        record.key().ifPresent(key -> message.setHeader(KEY, key));
        message.setHeader(OVERRIDE_TOPIC, record.topic());
        record.headers().forEach(message::setHeader);
        return message;
    }

    @Override
    public String toString() {
        return "Kafka records";
    }
}
