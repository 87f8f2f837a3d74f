package org.firebirdcdc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataSourceTest {

    @ParameterizedTest
    @CsvSource({
        "localhost:3050/employee, jdbc:firebird://localhost:3050/employee",
        "db.example.org/employee, jdbc:firebird://db.example.org/employee",
        "//db.example.org/employee, jdbc:firebird://db.example.org/employee",
        "host:3051//data/x.fdb, jdbc:firebird://host:3051//data/x.fdb",
        "host:3050/C:\\data\\x y.fdb, jdbc:firebird://host:3050/C:\\data\\x y.fdb",
        "[::1]:3050/employee, jdbc:firebird://[::1]:3050/employee",
        "jdbc:firebird://h:1/n, jdbc:firebird://h:1/n",
        "jdbc:firebirdsql://h/n, jdbc:firebirdsql://h/n",
        "jdbc:firebird:h/3051:n, jdbc:firebird:h/3051:n",
        "host/n?wireCrypt=DISABLED, jdbc:firebird://host/n",
    })
    void bothFormsOfAnAddressAreUnderstood(String database, String url) {
        assertThat(DatabaseAddress.parse(database, Optional.of("u"), Optional.empty())
                        .url())
                .isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "employee", "jdbc:postgresql://host/db?password=geheim", "host:port/x", "C:\\x.fdb"})
    void whatIsNoAddressIsRefusedWithTheFormsThereAre(String database) {
        assertThatThrownBy(() -> DatabaseAddress.parse(database, Optional.of("u"), Optional.empty()))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("jdbc:firebird://host:3050/name")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void aServerIsNotAskedWithoutUser() {
        assertThatThrownBy(() -> DatabaseAddress.parse("host/n?password=geheim", Optional.of(""), Optional.empty()))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("set the options username and password")
                .hasMessageNotContaining("geheim");
        assertThat(DatabaseAddress.parse("jdbc:firebird:embedded:/data/x.fdb", Optional.empty(), Optional.empty())
                        .url())
                .isEqualTo("jdbc:firebird:embedded:/data/x.fdb");
    }

    @Test
    void optionsWinOverTheUrlAndTheEncodingIsAlwaysUtf8() {
        DatabaseAddress address = DatabaseAddress.parse(
                "jdbc:firebird://h/n?userName=a&password=b%26c&charSet=Cp1251&ENCODING=WIN1251&connectTimeout=3",
                Optional.of("SYSDBA"), Optional.empty());

        assertThat(address.properties())
                .containsEntry("user", "SYSDBA")
                .containsEntry("password", "b&c")
                .containsEntry("encoding", "UTF8")
                .containsEntry("connectTimeout", "3")
                .doesNotContainKeys("charSet", "userName", "ENCODING");
    }

    @Test
    void thePasswordIsInNoDescription() {
        DatabaseAddress address =
                DatabaseAddress.parse("h:3050/n?password=geheim1", Optional.of("u"), Optional.of("geheim2"));

        assertThat(address + " " + MetadataSource.of(address)).doesNotContain("geheim");
    }

    @Test
    void aServerThatIsAwayIsTold() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        MetadataSource away = MetadataSource.of(
                DatabaseAddress.parse("127.0.0.1:" + port + "/x", Optional.of("u"), Optional.of("geheim")));

        assertThatThrownBy(away::readCatalog)
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("127.0.0.1:" + port)
                .hasMessageContaining("that the Firebird server runs")
                .satisfies(e -> assertThat(wholeText(e)).doesNotContain("geheim"));
    }

    @Test
    void anUnknownHostIsTold() {
        MetadataSource unknown = MetadataSource.of(
                DatabaseAddress.parse("no-such-host.invalid/x", Optional.of("u"), Optional.of("geheim")));

        assertThatThrownBy(unknown::readCatalog)
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("no-such-host.invalid")
                .hasMessageContaining("check host and port");
    }

    @Test
    void aHostThatNeverAnswersIsGivenUp() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            MetadataSource source = MetadataSource.of(DatabaseAddress.parse(
                    "127.0.0.1:" + silent.getLocalPort() + "/x?connectTimeout=1", Optional.of("u"), Optional.of("p")));

            assertThatThrownBy(source::readCatalog)
                    .isInstanceOf(MetadataException.class)
                    .hasMessageContaining("check host and port");
        }
    }

    /** Everything that a log would show of it. */
    static String wholeText(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
