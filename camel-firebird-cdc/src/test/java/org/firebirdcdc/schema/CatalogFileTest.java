package org.firebirdcdc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.firebirdcdc.journal.DatabaseGuid;
import org.firebirdcdc.journal.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogFileTest {

    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    @TempDir
    Path directory;

    static List<Path> recordedCatalogs() throws IOException {
        try (Stream<Path> files = Files.walk(CORPUS)) {
            return files.filter(file -> file.getFileName().toString().matches("catalog.*\\.json"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("recordedCatalogs")
    void whatWasReadIsReadAgainAfterWriting(Path file) throws IOException {
        for (Catalog catalog : CatalogFile.read(file)) {
            Path copy = directory.resolve("copy.json");
            CatalogFile.write(copy, catalog);

            assertThat(CatalogFile.read(copy)).containsExactly(catalog);
            assertThat(directory).isDirectoryNotContaining("glob:*.tmp");
        }
    }

    @ParameterizedTest
    @MethodSource("recordedCatalogs")
    void writingIsStableByteForByte(Path file) throws IOException {
        Catalog catalog = newest(file);
        byte[] first = bytes(catalog);
        Path copy = Files.write(directory.resolve("copy.json"), first);

        assertThat(bytes(newest(copy))).isEqualTo(first);
        assertThat(new String(first, StandardCharsets.UTF_8)).endsWith("}\n").doesNotContain("\r");
    }

    @ParameterizedTest
    @MethodSource("recordedCatalogs")
    void everyRecordedTableIsReadWithTheNamesOfItsTypes(Path file) throws IOException {
        JsonNode document = new ObjectMapper().readTree(file.toFile());
        JsonNode moment = document.has("at") ? document.get("at") : document.get("at_end");
        Catalog catalog = newest(file);
        int tables = 0;
        for (JsonNode table : moment.get("tables")) {
            if (table.get("kind").textValue().equals("view")) {
                continue;
            }
            tables++;
            Table read = catalog.tables()
                    .get(new ObjectName(
                            table.path("schema").asText(""), table.get("name").textValue()));
            assertThat(read.columns()).hasSameSizeAs(table.get("columns"));
            for (int i = 0; i < read.columns().size(); i++) {
                assertThat(read.columns().get(i).typeName())
                        .isEqualTo(table.get("columns").get(i).get("type").textValue());
            }
        }
        assertThat(catalog.tables()).hasSize(tables);
    }

    @ParameterizedTest
    @MethodSource("recordedCatalogs")
    void theLayoutWorkedOutFromTheColumnsIsThatOfTheServer(Path file) {
        for (Catalog catalog : CatalogFile.read(file)) {
            for (Table table : catalog.tables().values()) {
                RecordFormat recorded = table.format(table.currentFormat()).orElseThrow();
                RecordFormat computed = RecordFormat.compute(recorded.number(), table.columns());

                assertThat(computed.fields()).as("%s %s", file, table).isEqualTo(recorded.fields());
                assertThat(computed.recordLength()).isEqualTo(recorded.recordLength());
                assertThat(computed.bitmapLength()).isEqualTo(recorded.bitmapLength());
            }
        }
    }

    @Test
    void twoMomentsComeOldestFirst() {
        List<Catalog> catalogs = CatalogFile.read(CORPUS.resolve("fb40/07-ddl/catalog.json"));

        assertThat(catalogs).hasSize(2);
        assertThat(catalogs.get(0).table(ObjectName.of("EVOLVE")).orElseThrow().currentFormat())
                .isLessThan(catalogs.get(1)
                        .table(ObjectName.of("EVOLVE"))
                        .orElseThrow()
                        .currentFormat());
    }

    @Test
    void theDatabaseIsDescribed() {
        DatabaseInfo database =
                newest(CORPUS.resolve("fb40/01-basics/catalog.json")).database();

        assertThat(database)
                .isEqualTo(new DatabaseInfo(
                        "",
                        "4.0.5",
                        "13.0",
                        3,
                        "UTF8",
                        Optional.of(DatabaseGuid.parse("{59CE7DE0-3894-45BE-934F-3A3C2D9729ED}")),
                        Optional.of(new Publication(true, true))));
    }

    @Test
    void tablesOfFirebird6AreKnownBySchemaAndName() {
        Catalog catalog = newest(CORPUS.resolve("fb60/01-schemas/catalog.json"));

        assertThat(catalog.schemas()).contains("PUBLIC", "SALES", "Склад");
        assertThat(catalog.tables()).containsKey(new ObjectName("Склад", "ORDERS"));
        assertThat(catalog.tables()).doesNotContainKey(ObjectName.of("ORDERS"));
        assertThat(catalog.table(new ObjectName("SALES", "ORDERS"))
                        .orElseThrow()
                        .column("AMOUNT")
                        .orElseThrow()
                        .domainSchema())
                .isEqualTo("SALES");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> CatalogFile.read(directory.resolve("none.json")))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("none.json")
                .hasMessageContaining("no such file");
    }

    @Test
    void textThatIsNotJsonIsReportedWithItsLine() throws IOException {
        assertThatThrownBy(() -> CatalogFile.read(file("{\n  \"database\": {,}")))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("catalog.json")
                .hasMessageContaining("not JSON")
                .hasMessageContaining("line 2")
                .hasMessageContaining("command 'catalog'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|no JSON object",
                "{}|database is missing",
                "{'database':{}}|at is missing, expected an object with tables",
                "{'database':{},'at_start':{'tables':[]}}|at_end is missing",
                "{'database':{},'at':{}}|at.tables is missing, expected a list",
                "{'database':{'guid':'x'},'at':{'tables':[]}}|database.guid is \"x\", expected a GUID",
                "{'database':{},'at':{'tables':[]}} 1|not JSON",
                "{'database':{},'database':{},'at':{'tables':[]}}|Duplicate field 'database'",
                "{'database':{},'at':{'tables':[{'name':7}]}}|at.tables[0].current_format is missing",
            })
    void whatIsWrongIsTold(String json, String problem) throws IOException {
        assertThatThrownBy(() -> CatalogFile.read(file(json.replace('\'', '"'))))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("catalog.json")
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "xyz|at.tables[0].formats[0].descriptor_hex is \"xyz\", expected pairs of hexadecimal digits",
                "0100|it ends at byte 2, within 1 fields",
                "01000900040000000000|within 1 fields",
                "0100090004000000000004000000|within the number of defaults",
                "01000900040000000000040000000100|within default 1 of 1",
                "010009000400000000000400000001000000090004000000000000000000|the value of default 1 of 1",
                "010009000400000000000400000000000a|1 bytes follow its end",
                "01000d00040000000000040000000000|field 0 has the unknown type 13",
                "01000900080000000000040000000000|field 0 of type INTEGER takes 8 bytes",
                "01000900040000000000020000000000|field 0 at offset 2 overlaps",
                "0100090004000000000000ff00ff0000|field 0 at offset 4278255360 lies outside any record",
                "ffff|within 65535 fields",
            })
    void aDamagedDescriptorIsToldWithItsPlace(String hex, String problem) throws IOException {
        String json = "{'database':{},'at':{'tables':[{'name':'T','relation_id':128,'current_format':1,'columns':[],"
                + "'formats':[{'format':1,'descriptor_hex':'" + hex + "'}]}]}}";

        assertThatThrownBy(() -> CatalogFile.read(file(json.replace('\'', '"'))))
                .isInstanceOf(MetadataException.class)
                .hasMessageContaining("at.tables[0].formats[0].descriptor_hex")
                .hasMessageContaining(problem);
    }

    @Test
    void unknownFieldsAreIgnored() throws IOException {
        Path file =
                file("{\"later\":1,\"database\":{\"name\":\"D\",\"later\":[]},\"at\":{\"tables\":[],\"later\":{}}}");

        assertThat(CatalogFile.read(file))
                .singleElement()
                .satisfies(catalog -> assertThat(catalog.database().name()).isEqualTo("D"));
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("catalog.json"), content);
    }

    private static Catalog newest(Path file) {
        List<Catalog> catalogs = CatalogFile.read(file);
        return catalogs.get(catalogs.size() - 1);
    }

    private static byte[] bytes(Catalog catalog) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CatalogFile.write(out, catalog);
        return out.toByteArray();
    }
}
