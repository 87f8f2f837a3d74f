package org.firebirdcdc.camel;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.FailedToCreateConsumerException;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.ScheduledPollEndpoint;
import org.firebirdcdc.schema.MetadataException;

/**
 * Capture committed changes of Firebird databases from their replication journal.
 */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "firebird-cdc",
        title = "Firebird CDC",
        syntax = "firebird-cdc:directory",
        category = {Category.DATABASE},
        consumerOnly = true,
        headersClass = FirebirdCdcConstants.class)
public class FirebirdCdcEndpoint extends ScheduledPollEndpoint {

    @UriPath(
            description =
                    "Directory of the archived segments: the journal_archive_directory of replication.conf, or a copy"
                            + " of it; never the journal_directory.")
    @Metadata(required = true)
    private String directory;

    @UriParam
    private FirebirdCdcConfiguration configuration;

    /** Another default than that of the base class, whose option this is. */
    @UriParam(
            label = "consumer,scheduler",
            defaultValue = "true",
            description =
                    "If greedy is enabled, then the consumer polls again at once when the previous poll delivered something.")
    private boolean greedy = true;

    public FirebirdCdcEndpoint(
            String uri, FirebirdCdcComponent component, String directory, FirebirdCdcConfiguration configuration) {
        super(uri, component);
        this.directory = directory;
        this.configuration = configuration;
        super.setGreedy(greedy);
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        FirebirdCdcConsumer consumer;
        try {
            consumer = new FirebirdCdcConsumer(this, processor);
        } catch (IllegalArgumentException | MetadataException e) {
            // a wrong option is told with the endpoint that has it
            throw new FailedToCreateConsumerException(this, e);
        }
        configureConsumer(consumer);
        return consumer;
    }

    @Override
    public Producer createProducer() {
        throw new UnsupportedOperationException("firebird-cdc reads a replication journal: use it in from, not in to");
    }

    @Override
    public boolean isGreedy() {
        return greedy;
    }

    @Override
    public void setGreedy(boolean greedy) {
        this.greedy = greedy;
        super.setGreedy(greedy);
    }

    public String getDirectory() {
        return directory;
    }

    public void setDirectory(String directory) {
        this.directory = directory;
    }

    /**
     * @throws IllegalArgumentException if the directory is no path
     */
    Path directoryPath() {
        try {
            return Path.of(directory);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("directory " + directory + " is not a path: " + e.getReason(), e);
        }
    }

    public FirebirdCdcConfiguration getConfiguration() {
        return configuration;
    }

    public void setConfiguration(FirebirdCdcConfiguration configuration) {
        this.configuration = configuration;
    }
}
