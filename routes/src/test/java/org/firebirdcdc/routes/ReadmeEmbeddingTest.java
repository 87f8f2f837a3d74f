package org.firebirdcdc.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.firebirdcdc.camel.FirebirdCdcConsumer;
import org.firebirdcdc.docs.Readme;
import org.firebirdcdc.testing.FirebirdServer;
import org.firebirdcdc.testing.TestDatabase;
import org.firebirdcdc.testing.WithFirebirdServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java route of README.md compiles and runs; only the addresses are those of the test's server. */
@WithFirebirdServer
class ReadmeEmbeddingTest {

    @TempDir
    Path directory;

    @Test
    void theRouteRunsInAnyCamelApplication(FirebirdServer server) throws Exception {
        TestDatabase database = server.createDatabase("embedded");
        database.execute(
                "create table CUSTOMERS (ID integer primary key, NAME varchar(20))",
                "insert into CUSTOMERS values (1, 'Zoë')");
        String route = Readme.example("embed")
                .replace("/data/shop-archive", database.archiveDirectory().toString())
                .replace("localhost:3050//data/shop.fdb", database.address());
        assertThat(route)
                .contains(database.address(), database.archiveDirectory().toString());

        try (URLClassLoader classes = compile(route);
                DefaultCamelContext context = new DefaultCamelContext()) {
            context.addRoutes((RoutesBuilder)
                    classes.loadClass("Embedded").getDeclaredConstructor().newInstance());
            context.start();
            FirebirdCdcConsumer consumer =
                    (FirebirdCdcConsumer) context.getRoutes().get(0).getConsumer();
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(consumer.getDeliveredEvents())
                    .isEqualTo(1));
            assertThat(consumer.getErrorCounter()).isZero();
        }
    }

    private URLClassLoader compile(String route) throws Exception {
        Path source = Files.writeString(
                directory.resolve("Embedded.java"),
                """
                import org.apache.camel.builder.RouteBuilder;

                public class Embedded extends RouteBuilder {
                    @Override
                    public void configure() {
                        %s
                    }
                }
                """
                        .formatted(route));
        StringWriter problems = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        boolean compiled = compiler.getTask(
                        problems,
                        null,
                        null,
                        List.of(
                                "-proc:none",
                                "-encoding",
                                "UTF-8",
                                "-classpath",
                                System.getProperty("java.class.path"),
                                "-d",
                                directory.toString()),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                .call();
        assertThat(compiled).as("%s%n%s", route, problems).isTrue();
        return new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader());
    }
}
