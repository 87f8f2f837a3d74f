package org.firebirdcdc.camel;

import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.spi.DataType;
import org.apache.camel.spi.DataTypeTransformer;
import org.apache.camel.spi.Transformer;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.EncodedRecord;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.SequenceValue;

/**
 * Makes a body ready for one {@code to: kafka}: a lazy sequence of messages with {@code byte[]} value (or none, a
 * tombstone), key, topic and headers, which the producer sends one by one and acknowledges as a whole. The endpoint needs
 * byte array serializers for key and value, and {@code batchWithIndividualHeaders=true} for the headers. Takes a
 * transaction, one of its batches, a single event, or a sequence value.
 */
@DataTypeTransformer(
        name = "firebird-cdc:kafka",
        description = "Transforms transactions, events and sequence values into messages ready for Kafka")
public class FirebirdCdcKafkaTransformer extends Transformer {

    @Override
    public void transform(Message message, DataType from, DataType to) {
        CamelContext context = message.getExchange().getContext();
        message.setBody(new KafkaMessages(context, records(message.getBody())));
    }

    private static Supplier<Iterator<List<EncodedRecord>>> records(Object body) {
        if (body instanceof CommittedTransaction transaction) {
            return () -> new TransactionRecords(transaction);
        }
        if (body instanceof List<?> batch) {
            return () -> batch.stream().map(FirebirdCdcKafkaTransformer::single).iterator();
        }
        if (body instanceof JournalEvent || body instanceof SequenceValue) {
            return () -> List.of(single(body)).iterator();
        }
        throw unknown(body);
    }

    private static List<EncodedRecord> single(Object element) {
        Object body = element instanceof Message message ? message.getBody() : element;
        if (body instanceof JournalEvent event) {
            return event.encoder().records(event);
        }
        if (body instanceof SequenceValue value) {
            return List.of(value.encoder().record(value));
        }
        throw unknown(body);
    }

    private static IllegalArgumentException unknown(Object body) {
        return new IllegalArgumentException("firebird-cdc:kafka takes bodies of the firebird-cdc component, not "
                + (body == null ? "null" : body.getClass().getName())
                + ": let it stand before steps that change the body");
    }
}
