package org.firebirdcdc.camel;

import java.util.Map;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.support.DefaultMessage;
import org.firebirdcdc.transaction.JournalEvent;

/** One event as body with its own headers, which are made when somebody asks for the first of them. */
final class EventMessage extends DefaultMessage {

    /** Empty when the message, as part of a pooled exchange, carries something else. */
    private Optional<JournalEvent> event;

    EventMessage(CamelContext context, JournalEvent event) {
        super(context);
        this.event = Optional.of(event);
        setBody(event);
    }

    @Override
    protected boolean isPopulateHeadersSupported() {
        return true;
    }

    @Override
    protected void populateInitialHeaders(Map<String, Object> map) {
        event.ifPresent(e -> EventHeaders.of(e, map));
    }

    @Override
    public void reset() {
        super.reset();
        event = Optional.empty();
    }
}
