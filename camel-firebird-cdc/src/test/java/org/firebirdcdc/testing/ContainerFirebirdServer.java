package org.firebirdcdc.testing;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.firebirdsql.testcontainers.FirebirdContainer;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.Container;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container. Databases and archives lie in a folder of this machine that is bound into the container; the
 * account {@code firebird} inside, to which the server gives what it creates, gets the numbers of the user who runs the
 * tests, so that these can read and delete segments.
 */
final class ContainerFirebirdServer extends FirebirdServer {

    private static final String IMAGE = System.getProperty("firebird.cdc.server.image", "firebirdsql/firebird:5.0.3");
    private static final String DATA = "/firebird-cdc";
    private static final Duration RESTART = Duration.ofMinutes(1);

    private final FirebirdContainer<?> container;
    private final Path data;
    private final Path replicationConf;

    private ContainerFirebirdServer(FirebirdContainer<?> container, Path data, Path replicationConf) {
        this.container = container;
        this.data = data;
        this.replicationConf = replicationConf;
    }

    static ContainerFirebirdServer launch() {
        try {
            Path data = Files.createTempDirectory("firebird-cdc");
            open(data);
            Path conf = Files.writeString(data.resolve("replication.conf"), "database\n{\n}\n");
            Object user = Files.getAttribute(data, "unix:uid");
            Object group = Files.getAttribute(data, "unix:gid");
            String start = "sed -i 's/^firebird:\\([^:]*\\):[0-9]*:[0-9]*:/firebird:\\1:" + user + ":" + group
                    + ":/' /etc/passwd && sed -i 's/^firebird:\\([^:]*\\):[0-9]*:/firebird:\\1:" + group
                    + ":/' /etc/group && exec entrypoint.sh firebird";
            FirebirdContainer<?> container = new FirebirdContainer<>(
                            DockerImageName.parse(IMAGE).asCompatibleSubstituteFor(FirebirdContainer.PROJECT_IMAGE))
                    .withUsername(USER)
                    .withPassword(PASSWORD)
                    .withFileSystemBind(data.toString(), DATA, BindMode.READ_WRITE)
                    .withFileSystemBind(conf.toString(), "/opt/firebird/replication.conf", BindMode.READ_WRITE)
                    .withCreateContainerCmdModifier(command -> command.withEntrypoint("/bin/sh", "-c", start));
            container.start();
            return new ContainerFirebirdServer(container, data, conf);
        } catch (IOException e) {
            throw new IllegalStateException("the container's folder cannot be made", e);
        }
    }

    private static void open(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Override
    public String host() {
        return container.getHost();
    }

    @Override
    public int port() {
        // a container that is started again is given another port
        Ports.Binding[] bindings = container
                .getCurrentContainerInfo()
                .getNetworkSettings()
                .getPorts()
                .getBindings()
                .get(ExposedPort.tcp(FirebirdContainer.FIREBIRD_PORT));
        return Integer.parseInt(bindings[0].getHostPortSpec());
    }

    @Override
    TestDatabase create(String name, DatabaseOptions options) throws IOException {
        Path home = Files.createDirectory(data.resolve(name));
        Path archive = Files.createDirectory(home.resolve("archive"));
        Path journal = Files.createDirectory(home.resolve("journal"));
        open(home);
        open(archive);
        open(journal);
        String inside = DATA + "/" + name;
        String file = inside + "/" + name + ".fdb";
        Files.writeString(
                replicationConf,
                """

                database = %s
                {
                \tjournal_directory = %s/journal
                \tjournal_archive_directory = %s/archive
                \tjournal_segment_size = %d
                \tjournal_archive_timeout = %d
                \t%s
                }
                """
                        .formatted(
                                file,
                                inside,
                                inside,
                                options.segmentSize(),
                                options.archiveTimeout(),
                                String.join("\n\t", options.replication())),
                StandardOpenOption.APPEND);
        String script =
                """
                create database 'inet://localhost/%s' user '%s' password '%s' page_size 8192 default character set %s;
                alter database enable publication;
                alter database include all to publication;
                commit;
                """
                        .formatted(file, USER, PASSWORD, options.charset());
        try {
            Container.ExecResult result =
                    container.execInContainer("sh", "-c", "printf '%s' \"$0\" | /opt/firebird/bin/isql -q -b", script);
            if (result.getExitCode() != 0) {
                throw new IOException("cannot create " + name + ": " + result.getStdout() + result.getStderr());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("creation of " + name + " was interrupted", e);
        }
        return new TestDatabase(this, name, file, archive);
    }

    @Override
    public void crash() {
        container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
        container
                .getDockerClient()
                .startContainerCmd(container.getContainerId())
                .exec();
        Awaitility.await("the server in the container that was started again")
                .atMost(RESTART)
                .ignoreExceptions()
                .until(() -> container
                                .execInContainer(
                                        "bash", "-c", "exec 3<>/dev/tcp/localhost/" + FirebirdContainer.FIREBIRD_PORT)
                                .getExitCode()
                        == 0);
    }

    @Override
    public void close() {
        container.stop();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
