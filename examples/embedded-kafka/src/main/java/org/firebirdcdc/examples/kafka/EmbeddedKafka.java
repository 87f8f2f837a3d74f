package org.firebirdcdc.examples.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A real Kafka broker with its controller in this JVM, built from Kafka's own artifacts.
 *
 * <p>It listens on free ports of the loopback address, keeps its data in a directory that the caller chooses, and creates
 * topics (one partition) when they are first used. It can be stopped and started again: address and data stay. Not for
 * use by several threads at once.
 */
public final class EmbeddedKafka implements AutoCloseable {

    private static final int NODE_ID = 1;
    private static final String CONTROLLER = "CONTROLLER";

    /** Always the same one, since data of an earlier broker is served only under its own cluster. */
    private static final String CLUSTER_ID = "ZmlyZWJpcmQtY2RjLWRldg";

    /** What ties the broker to this object; it cannot be set by options. */
    private static final Set<String> OWN_OPTIONS = Set.of(
            "process.roles",
            "node.id",
            "listeners",
            "advertised.listeners",
            "listener.security.protocol.map",
            "controller.listener.names",
            "controller.quorum.voters",
            "log.dirs");

    private final Map<String, String> configuration;
    private final String bootstrapServers;
    private Optional<KafkaRaftServer> server = Optional.empty();

    private EmbeddedKafka(Path directory, Map<String, String> options) throws IOException {
        for (String name : OWN_OPTIONS) {
            if (options.containsKey(name)) {
                throw new IllegalArgumentException("option " + name + " belongs to the embedded broker: leave it out");
            }
        }
        Path data = Files.createDirectories(directory).toRealPath();
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        int[] ports = freePorts();
        bootstrapServers = host + ":" + ports[0];
        configuration = configuration(data, bootstrapServers, host + ":" + ports[1], options);
        format(data);
    }

    /** Starts a broker that keeps its data in {@code directory}, as {@link #start(Path, Map)} without options. */
    public static EmbeddedKafka start(Path directory) throws IOException {
        return start(directory, Map.of());
    }

    /**
     * Starts a broker and waits until it serves.
     *
     * @param directory where the data is; it is created if need be, and data of an earlier broker is served again
     * @param options broker settings such as {@code message.max.bytes}; they go before the defaults of this class
     * @throws IllegalArgumentException if an option sets listeners, roles or directories
     * @throws IOException if the directory cannot be written or no port is free
     */
    public static EmbeddedKafka start(Path directory, Map<String, String> options) throws IOException {
        EmbeddedKafka kafka = new EmbeddedKafka(directory, options);
        kafka.start();
        return kafka;
    }

    /** {@code host:port} for clients; the same before and after a restart. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Starts the stopped broker on its address and data and waits until it serves; does nothing if it runs. */
    public void start() {
        if (server.isEmpty()) {
            KafkaRaftServer started = new KafkaRaftServer(new KafkaConfig(configuration, false), Time.SYSTEM);
            try {
                started.startup();
            } catch (RuntimeException e) {
                started.shutdown();
                throw e;
            }
            server = Optional.of(started);
        }
    }

    /** Stops the broker and waits until its port is closed and its data is on disk; does nothing if it is stopped. */
    public void stop() {
        server.ifPresent(running -> {
            running.shutdown();
            running.awaitShutdown();
        });
        server = Optional.empty();
    }

    /** Stops the broker; its data stays. */
    @Override
    public void close() {
        stop();
    }

    private static Map<String, String> configuration(
            Path data, String brokerAddress, String controllerAddress, Map<String, String> options) {
        Map<String, String> all = new HashMap<>();
        all.put("auto.create.topics.enable", "true");
        // one node: internal topics have one replica, and no group waits for a second member
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "1");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.num.partitions", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("group.initial.rebalance.delay.ms", "0");
        // the cleaner would take 128 MiB of heap at once
        all.put("log.cleaner.enable", "false");
        all.put("num.io.threads", "2");
        all.put("num.network.threads", "2");
        all.putAll(options);
        all.put("process.roles", "broker,controller");
        all.put("node.id", Integer.toString(NODE_ID));
        all.put("listeners", "PLAINTEXT://" + brokerAddress + "," + CONTROLLER + "://" + controllerAddress);
        all.put("advertised.listeners", "PLAINTEXT://" + brokerAddress);
        all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT");
        all.put("controller.listener.names", CONTROLLER);
        all.put("controller.quorum.voters", NODE_ID + "@" + controllerAddress);
        all.put("log.dirs", data.toString());
        return Map.copyOf(all);
    }

    private static void format(Path data) throws IOException {
        try {
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                    .setNodeId(NODE_ID)
                    .setClusterId(CLUSTER_ID)
                    .setControllerListenerName(CONTROLLER)
                    .addDirectory(data.toString())
                    .setMetadataLogDirectory(data.toString())
                    .setIgnoreFormatted(true)
                    .run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot prepare " + data + " for a broker: " + e.getMessage(), e);
        }
    }

    /**
     * Two ports that are free now. They lie below the range from which systems choose ports of outgoing connections, so
     * that none of those can take the port of a broker that is being restarted.
     */
    private static int[] freePorts() throws IOException {
        try (ServerSocket broker = bindToFreePort();
                ServerSocket controller = bindToFreePort()) {
            return new int[] {broker.getLocalPort(), controller.getLocalPort()};
        }
    }

    private static ServerSocket bindToFreePort() throws IOException {
        IOException last = new IOException("no free port");
        for (int attempt = 0; attempt < 100; attempt++) {
            ServerSocket socket = new ServerSocket();
            try {
                int port = ThreadLocalRandom.current().nextInt(10_240, 32_768);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return socket;
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        throw last;
    }
}
