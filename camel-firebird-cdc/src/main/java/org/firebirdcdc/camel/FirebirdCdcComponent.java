package org.firebirdcdc.camel;

import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.HealthCheckComponent;
import org.apache.camel.util.ObjectHelper;

/** The component {@code firebird-cdc}. What is set on it holds for all of its endpoints that do not say otherwise. */
@Component("firebird-cdc")
public class FirebirdCdcComponent extends HealthCheckComponent {

    @Metadata(description = "Options that all endpoints share.")
    private FirebirdCdcConfiguration configuration = new FirebirdCdcConfiguration();

    public FirebirdCdcComponent() {}

    public FirebirdCdcComponent(CamelContext context) {
        super(context);
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        if (ObjectHelper.isEmpty(remaining)) {
            throw new IllegalArgumentException(
                    "the directory is missing: write firebird-cdc:/path/to/the/archive/directory");
        }
        FirebirdCdcEndpoint endpoint = new FirebirdCdcEndpoint(uri, this, remaining, configuration.copy());
        setProperties(endpoint, parameters);
        return endpoint;
    }

    public FirebirdCdcConfiguration getConfiguration() {
        return configuration;
    }

    public void setConfiguration(FirebirdCdcConfiguration configuration) {
        this.configuration = configuration;
    }
}
