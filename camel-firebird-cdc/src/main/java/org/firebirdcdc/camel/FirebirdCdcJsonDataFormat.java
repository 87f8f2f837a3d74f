package org.firebirdcdc.camel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.spi.DataFormat;
import org.apache.camel.spi.DataFormatName;
import org.apache.camel.spi.annotations.Dataformat;
import org.apache.camel.support.service.ServiceSupport;
import org.firebirdcdc.envelope.EnvelopeOptions;
import org.firebirdcdc.envelope.JsonEventEncoder;
import org.firebirdcdc.transaction.CommittedTransaction;
import org.firebirdcdc.transaction.EventEncoder;
import org.firebirdcdc.transaction.JournalEvent;
import org.firebirdcdc.transaction.SequenceValue;

/**
 * The data format {@code firebird-cdc-json}: puts an event or a sequence value into the JSON that its endpoint's options
 * say; of a whole transaction one line per event. A property that is set here takes the place of the endpoint's option of
 * the same name; key and topic stay those of the endpoint. Marshals only.
 */
@Dataformat("firebird-cdc-json")
public class FirebirdCdcJsonDataFormat extends ServiceSupport implements DataFormat, DataFormatName {

    private final Map<String, String> changes = new LinkedHashMap<>();
    private boolean contentTypeHeader;

    /** The encoder of the last event, and what was derived from it. */
    private volatile Optional<Derived> derived = Optional.empty();

    private record Derived(EventEncoder of, EventEncoder encoder) {}

    /** A property that has no meaning is told when the route starts, not by its first transaction. */
    @Override
    protected void doInit() {
        EnvelopeOptions.of(changes);
    }

    @Override
    public String getDataFormatName() {
        return "firebird-cdc-json";
    }

    @Override
    public void marshal(Exchange exchange, Object graph, OutputStream stream) throws IOException {
        if (graph instanceof JournalEvent event) {
            stream.write(value(event));
        } else if (graph instanceof SequenceValue sequence) {
            stream.write(encoder(sequence.encoder()).record(sequence).value().orElseThrow());
        } else if (graph instanceof CommittedTransaction transaction) {
            try (InputStream lines = new TransactionLines(transaction.events().iterator(), this::value)) {
                lines.transferTo(stream);
            }
        } else {
            throw new IllegalArgumentException("firebird-cdc-json marshals events of the firebird-cdc component, not "
                    + (graph == null ? "null" : graph.getClass().getName())
                    + ": let it stand before steps that change the body");
        }
        if (contentTypeHeader) {
            exchange.getMessage().setHeader(Exchange.CONTENT_TYPE, "application/json");
        }
    }

    private byte[] value(JournalEvent event) {
        return encoder(event.encoder()).value(event);
    }

    private EventEncoder encoder(EventEncoder own) {
        if (changes.isEmpty()) {
            return own;
        }
        Optional<Derived> known = derived.filter(d -> d.of() == own);
        if (known.isEmpty()) {
            if (!(own instanceof JsonEventEncoder json)) {
                throw new IllegalArgumentException("the form of events of "
                        + own.getClass().getName() + " cannot be changed: set no options on" + " firebird-cdc-json");
            }
            known = Optional.of(new Derived(own, json.with(changes)));
            derived = known;
        }
        return known.get().encoder();
    }

    @Override
    public Object unmarshal(Exchange exchange, InputStream stream) {
        throw new UnsupportedOperationException(
                "firebird-cdc-json marshals only; use unmarshal with json to read events");
    }

    /** Whether the header Content-Type is set to application/json; off, since Kafka would get it with each record. */
    public void setContentTypeHeader(boolean contentTypeHeader) {
        this.contentTypeHeader = contentTypeHeader;
    }

    public boolean isContentTypeHeader() {
        return contentTypeHeader;
    }

    public void setProfile(String profile) {
        set("profile", profile);
    }

    public void setDecimals(String decimals) {
        set("decimals", decimals);
    }

    public void setTimes(String times) {
        set("times", times);
    }

    public void setBinary(String binary) {
        set("binary", binary);
    }

    public void setTopicPrefix(String topicPrefix) {
        set("topicPrefix", topicPrefix);
    }

    public void setValueSchema(boolean valueSchema) {
        set("valueSchema", String.valueOf(valueSchema));
    }

    public void setUnavailableValue(String unavailableValue) {
        set("unavailableValue", unavailableValue);
    }

    public void setTrimChar(boolean trimChar) {
        set("trimChar", String.valueOf(trimChar));
    }

    public void setTransactionMetadata(boolean transactionMetadata) {
        set("transactionMetadata", String.valueOf(transactionMetadata));
    }

    public void setIncludeBlobs(boolean includeBlobs) {
        set("includeBlobs", String.valueOf(includeBlobs));
    }

    public void setBlobInlineLimit(String blobInlineLimit) {
        set("blobInlineLimit", blobInlineLimit);
    }

    public void setBlobOverflow(String blobOverflow) {
        set("blobOverflow", blobOverflow);
    }

    private void set(String option, String value) {
        changes.put(option, value);
        derived = Optional.empty();
    }
}
