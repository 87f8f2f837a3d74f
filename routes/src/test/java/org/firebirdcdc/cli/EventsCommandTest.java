package org.firebirdcdc.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.firebirdcdc.schema.CatalogFile;
import org.firebirdcdc.testing.Corpus;
import org.firebirdcdc.testing.Corpus.Recording;
import org.firebirdcdc.testing.SegmentBuilder;
import org.firebirdcdc.testing.SmallTables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventsCommandTest {

    private static final Recording BASICS = Corpus.recording("fb40/01-basics");
    private static final Recording BLOBS = Corpus.recording("fb40/04-blobs");
    private static final Recording CYRILLIC = Corpus.recording("fb40/13b-none-cyrillic");
    private static final Recording DDL = Corpus.recording("fb40/07-ddl");
    private static final Recording SCHEMAS = Corpus.recording("fb60/01-schemas");

    @TempDir
    Path scratch;

    @Test
    void lineHoldsPositionTransactionOrderTableOperationTopicKeyAndValue() {
        JsonNode line = basics().lines().get(1);

        assertThat(names(line)).containsExactly("position", "tx", "order", "table", "op", "topic", "key", "value");
        assertThat(line.get("position").asText()).isEqualTo("1:3235");
        assertThat(line.get("tx").asLong()).isEqualTo(15);
        assertThat(line.get("order").asLong()).isEqualTo(1);
        assertThat(line.get("table").asText()).isEqualTo("CUSTOMERS");
        assertThat(line.get("op").asText()).isEqualTo("u");
        assertThat(line.get("topic").asText()).isEqualTo("firebird.CUSTOMERS");
        assertThat(line.get("key")).hasToString("{\"ID\":1}");
        assertThat(line.at("/value/before/FIRST_NAME").asText()).isEqualTo("First1");
        assertThat(line.at("/value/after/FIRST_NAME").asText()).isEqualTo("Renamed1");
        assertThat(line.at("/value/source/version").asText()).isEqualTo(Version.text());
    }

    @Test
    void keyIsNullWhereThereIsNone() {
        assertThat(basics("--set", "keyEnabled=false").lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.get("key").isNull()).isTrue());
    }

    @Test
    void changedKeyIsOneUpdateWithTheNewKey() {
        Recording keys = Corpus.recording("fb40/09-keys");
        List<JsonNode> moved =
                CommandRun.events(keys.segments(scratch), keys, "--include", "COMPOSITE").lines().stream()
                        .filter(line -> line.at("/value/after/V").asText().equals("moved"))
                        .toList();

        assertThat(moved).singleElement().satisfies(line -> {
            assertThat(line.get("op").asText()).isEqualTo("u");
            assertThat(keyOf(line.at("/value/after"))).isEqualTo(line.get("key").toString());
            assertThat(keyOf(line.at("/value/before")))
                    .isNotEqualTo(line.get("key").toString());
        });
    }

    /** The primary key of COMPOSITE. */
    private static String keyOf(JsonNode row) {
        return "{\"B\":" + row.get("B") + ",\"C\":" + row.get("C") + ",\"A\":" + row.get("A") + "}";
    }

    @Test
    void tableOfFirebird6HasItsSchemaBeforeIt() {
        List<JsonNode> lines = CommandRun.events(SCHEMAS.segments(scratch), SCHEMAS, "--include", "SALES\\..*")
                .lines();

        assertThat(lines)
                .extracting(line -> line.get("table").asText())
                .containsOnly("SALES.ORDERS", "SALES.TWIN", "SALES.LINES", "SALES.BY_SYSTEM_PATH");
        assertThat(lines).extracting(line -> line.get("topic").asText()).contains("firebird.SALES.ORDERS");
    }

    @Test
    void excludedTablesAndOtherOperationsAreLeftOut() {
        assertThat(CommandRun.events(SCHEMAS.segments(scratch), SCHEMAS, "--exclude", "(?!PUBLIC).*")
                        .lines())
                .extracting(line -> line.get("table").asText())
                .containsOnly("PUBLIC.ORDERS", "PUBLIC.LOG", "PUBLIC.TWIN");
        assertThat(basics("--set", "operations=u,d").lines())
                .extracting(line -> line.get("op").asText())
                .containsExactly("u", "d", "u");
    }

    @Test
    void sequenceValuesStandBetweenTheTransactions() {
        List<String> lines = basics("--sequences").out().lines().toList();

        assertThat(lines)
                .filteredOn(line -> line.contains("\"op\":\"seq\""))
                .containsExactly(
                        "{\"position\":\"1:3192\",\"op\":\"seq\",\"sequence\":\"RDB$1\",\"value\":1}",
                        "{\"position\":\"1:24984\",\"op\":\"seq\",\"sequence\":\"RDB$1\",\"value\":3}",
                        "{\"position\":\"1:25040\",\"op\":\"seq\",\"sequence\":\"RDB$1\",\"value\":4}");
        assertThat(lines).hasSize(10);
    }

    @Test
    void statementsAreTheCommittedOnesInTheirOrder() {
        List<JsonNode> lines = CommandRun.events(DDL.segments(scratch), DDL, "--ddl", "--include", "NONE")
                .lines();
        List<String> expected = new ArrayList<>();
        DDL.expected().get("transactions").forEach(transaction -> transaction
                .path("ddl")
                .forEach(sql -> expected.add(transaction.get("tra").asLong() + " " + sql.asText())));

        assertThat(lines)
                .extracting(
                        line -> line.get("tx").asLong() + " " + line.get("sql").asText())
                .isEqualTo(expected);
        assertThat(lines).allSatisfy(line -> {
            assertThat(names(line)).containsExactly("position", "tx", "order", "op", "owner", "sql");
            assertThat(line.get("op").asText()).isEqualTo("ddl");
            assertThat(line.get("owner").asText()).isEqualTo("SYSDBA");
        });
    }

    @Test
    void contentsOfBlobsAreThereOnDemandOnly() {
        Path segments = BLOBS.segments(scratch);
        String[] small = {"--include", "DOCS"};
        String[] whole = {"--include", "DOCS", "--blobs"};

        assertThat(afterOf(CommandRun.events(segments, BLOBS, small), 1)
                        .get("BODY")
                        .asText())
                .isEqualTo("__debezium_unavailable_value");
        assertThat(afterOf(CommandRun.events(segments, BLOBS, whole), 4)
                        .get("BODY")
                        .asText())
                .startsWith("Съешь же ещё");
    }

    private static JsonNode afterOf(CommandRun run, int id) {
        return run.lines().stream()
                .map(line -> line.at("/value/after"))
                .filter(row -> row.path("ID").asInt() == id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void transactionWithAnEventThatHasNoFormIsNotPrintedInPart() {
        CommandRun run = CommandRun.events(BLOBS.segments(scratch), BLOBS, "--blobs");

        assertThat(run.exitCode()).isEqualTo(Failures.DAMAGED);
        assertThat(run.err()).contains("segment 5, offset 1068089", "table BIG", "column B", "blobInlineLimit");
        assertThat(run.lines())
                .isNotEmpty()
                .noneSatisfy(line -> assertThat(line.get("table").asText()).isEqualTo("BIG"));
    }

    @Test
    void profileAndOptionsChangeTheForm() {
        CommandRun run = basics("--profile", "fb-streaming", "--set", "topicPrefix=shop");

        assertThat(run.lines()).isNotEmpty().allSatisfy(line -> {
            assertThat(line.get("topic").asText()).isEqualTo("shop.cdc");
            assertThat(line.at("/value/source/tnx").asLong())
                    .isEqualTo(line.get("tx").asLong());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"WIN1251", "windows-1251"})
    void noneCharsetTakesNamesOfFirebirdAndOfJava(String charset) {
        CommandRun run = CommandRun.events(CYRILLIC.segments(scratch), CYRILLIC, "--set", "noneCharset=" + charset);

        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        assertThat(afterOf(run, 1).get("NAME").asText()).isEqualTo("Клиент 1");
    }

    @Test
    void undecodableRecordStopsWithItsPositionAndNothingOfItsTransaction() {
        CommandRun run = CommandRun.events(CYRILLIC.segments(scratch), CYRILLIC);

        assertThat(run.exitCode()).isEqualTo(Failures.DAMAGED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("segment 1, offset 105", "table CLIENTS, column NAME", "Set noneCharset");
    }

    @Test
    void undecodableRecordIsLeftOutAndCountedOnDemand() {
        CommandRun run = CommandRun.events(CYRILLIC.segments(scratch), CYRILLIC, "--set", "onDecodeError=skip");

        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        assertThat(run.lines())
                .extracting(line -> line.get("position").asText())
                .containsExactly("1:222", "1:724");
        assertThat(run.err()).contains("5 record(s) left out");
    }

    @Test
    void undecodableRecordIsPrintedRawOnDemand() {
        CommandRun run = CommandRun.events(CYRILLIC.segments(scratch), CYRILLIC, "--set", "onDecodeError=raw");

        JsonNode raw = run.lines().get(0);
        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        assertThat(run.lines()).hasSize(7);
        assertThat(raw.get("table").asText()).isEqualTo("CLIENTS");
        assertThat(raw.get("op").asText()).isEqualTo("c");
        assertThat(raw.get("key").isNull()).isTrue();
        assertThat(raw.at("/value/raw/before").isNull()).isTrue();
        assertThat(raw.at("/value/raw/after").asText()).startsWith("e000000001000000");
        assertThat(raw.at("/value/error").asText()).contains("column NAME");
    }

    /** Two rows between which one has a text of 120 KB that is no UTF-8 at its end. */
    private CommandRun longMalformedText(String... options) {
        long id = 0x80_0000_0001L;
        Path segments = scratch.resolve("segments");
        Path catalog = scratch.resolve("catalog.json");
        String chunk = "x".repeat(60_000);
        SegmentBuilder.segment(1)
                .committed(5, o -> o.insert(SmallTables.T, SmallTables.row(1))
                        .blobPart(id, chunk, chunk)
                        .u16(1)
                        .raw(0xFF)
                        .u16(0)
                        .insert(SmallTables.T, SmallTables.row(2, id, SmallTables.NULL))
                        .insert(SmallTables.T, SmallTables.row(3)))
                .write(segments);
        CatalogFile.write(catalog, SmallTables.catalog());
        List<String> arguments =
                new ArrayList<>(List.of("events", segments.toString(), "--catalog", catalog.toString(), "--blobs"));
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void longTextThatCannotBeDecodedIsTreatedAsOptionsSay() {
        CommandRun failed = longMalformedText();
        assertThat(failed.exitCode()).isEqualTo(Failures.DAMAGED);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err()).contains("table T, column A");

        CommandRun skipped = longMalformedText("--set", "onDecodeError=skip");
        assertThat(skipped.exitCode()).isEqualTo(Failures.DONE);
        assertThat(skipped.lines())
                .extracting(line -> line.at("/key/ID").asInt())
                .containsExactly(1, 3);

        CommandRun raw = longMalformedText("--set", "onDecodeError=raw");
        assertThat(raw.exitCode()).isEqualTo(Failures.DONE);
        assertThat(raw.lines()).hasSize(3);
        assertThat(raw.lines().get(1).at("/value/error").asText()).contains("column A");

        CommandRun leftOut = longMalformedText("--set", "blobInlineLimit=64KB", "--set", "blobOverflow=placeholder");
        assertThat(leftOut.exitCode()).isEqualTo(Failures.DONE);
        assertThat(leftOut.lines()).hasSize(3);
    }

    /** As a catalog that was read after ALTER TABLE T_ARR DROP B. */
    private Path catalogWithoutAnArrayColumn(Recording types) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        JsonNode catalog =
                mapper.readTree(types.folder().resolve("catalog.json").toFile());
        for (String moment : List.of("at_start", "at_end")) {
            for (JsonNode table : catalog.get(moment).get("tables")) {
                if (table.get("name").asText().equals("T_ARR")) {
                    Iterator<JsonNode> columns = table.get("columns").elements();
                    while (columns.hasNext()) {
                        if (columns.next().get("name").asText().equals("B")) {
                            columns.remove();
                        }
                    }
                }
            }
        }
        return Files.write(scratch.resolve("without.json"), mapper.writeValueAsBytes(catalog));
    }

    @Test
    void contentOfADroppedArrayColumnIsUnavailableAndStopsNothing() throws IOException {
        Recording types = Corpus.recording("fb40/02-types");
        String catalog = catalogWithoutAnArrayColumn(types).toString();
        String segments = types.segments(scratch).toString();

        CommandRun run = CommandRun.of("events", segments, "--catalog", catalog, "--include", "T_ARR", "--blobs");
        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        JsonNode row = run.lines().get(4).at("/value/after");
        assertThat(row.toString())
                .isEqualTo("{\"ID\":1,\"A\":[1,-2,2147483647,0],\"C\":[\"ZA==\",\"/wY=\",\"O5rJ/w==\"],"
                        + "\"__dropped_2\":\"__debezium_unavailable_value\"}");

        CommandRun withSchema = CommandRun.of(
                "events", segments, "--catalog", catalog, "--include", "T_ARR", "--blobs", "--set", "valueSchema=true");
        assertThat(withSchema.exitCode()).isEqualTo(Failures.DONE);
        assertThat(withSchema
                        .lines()
                        .get(4)
                        .at("/value/payload/after/__dropped_2")
                        .isNull())
                .isTrue();
    }

    @Test
    void replacedTextIsCounted() {
        CommandRun run = CommandRun.events(CYRILLIC.segments(scratch), CYRILLIC, "--set", "malformedText=replace");

        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        assertThat(run.out()).contains("\uFFFD");
        assertThat(run.err()).containsPattern("\\d+ text value\\(s\\) with malformed parts replaced");
    }

    @Test
    void startFromChoosesTheFirstSegment() {
        Recording negatives = Corpus.recording("fb40/15-negatives");
        CommandRun run = CommandRun.events(negatives.segments(scratch), negatives, "--set", "startFrom=3");

        assertThat(run.exitCode()).isEqualTo(Failures.DONE);
        assertThat(run.lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.get("position").asText()).matches("[345]:\\d+"));
        assertThat(run.err()).contains("their beginning is not in view");
    }

    @Test
    void directoryIsLeftAsItWas() throws IOException {
        Path copy = scratch.resolve("archive");
        Corpus.copy(BASICS.segments(scratch), copy);
        List<String> before = contents(copy);

        assertThat(CommandRun.events(copy, BASICS).exitCode()).isEqualTo(Failures.DONE);
        assertThat(contents(copy)).isEqualTo(before);
    }

    private static List<String> contents(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<String> all = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                all.add(file.getFileName() + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
            }
            return all;
        }
    }

    @Test
    void missingDirectoryIsAnErrorWithAdvice() {
        CommandRun run = CommandRun.events(scratch.resolve("nowhere"), BASICS);

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("nowhere", "there is no such directory", "journal_archive_directory");
    }

    @Test
    void missingMetadataIsAnErrorWithAdvice() {
        CommandRun run = CommandRun.of("events", BASICS.segments(scratch).toString());

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("no metadata", "--database", "--catalog");
    }

    @Test
    void unusableCatalogIsAnErrorWithAdvice() {
        String missing = scratch.resolve("none.json").toString();
        CommandRun run = CommandRun.of("events", scratch.toString(), "--catalog", missing);

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("none.json", "there is no such file");
    }

    @Test
    void unknownOptionIsAnErrorThatListsTheKnownOnes() {
        CommandRun run = basics("--set", "processed=delete");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains(
                        "processed is not an option of events", "startFrom", "noneCharset", "decimals", "topicPrefix");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "onGap=never",
                "startFrom=yesterday",
                "noneCharset=klingon",
                "malformedText=guess",
                "decimals=roman",
                "operations=c,x",
                "databaseGuid=me",
                "includeTables=(",
                "includeDdl=perhaps",
                "blobInlineLimit=much"
            })
    void valueThatIsNotUnderstoodIsAnErrorThatNamesTheOption(String option) {
        CommandRun run = basics("--set", option);

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains(option.substring(0, option.indexOf('=')));
        assertThat(run.err()).doesNotContain("\tat ");
    }

    @Test
    void optionGivenBothWaysIsAnErrorUnlessBothAgree() {
        assertThat(basics("--include", "A", "--set", "includeTables=B").err()).contains("includeTables is given twice");
        assertThat(basics("--ddl", "--set", "includeDdl=true").exitCode()).isEqualTo(Failures.DONE);
    }

    @Test
    void gapIsAnExceptionOnDemandWithTheSameExitCode() {
        Recording negatives = Corpus.recording("fb40/15-negatives");
        Path gap = negatives.folder().resolve("cases/09-gap");

        assertThat(CommandRun.events(gap, negatives, "--set", "onGap=fail").exitCode())
                .isEqualTo(Failures.GAP);
        assertThat(CommandRun.events(gap, negatives, "--set", "onGap=skip").exitCode())
                .isEqualTo(Failures.DONE);
    }

    @Test
    void passwordIsInNoMessage() {
        CommandRun run = CommandRun.of(
                "events",
                scratch.toString(),
                "--database=no address",
                "--user=sysdba",
                "--password=open sesame",
                "--set",
                "password=other sesame");

        assertThat(run.exitCode()).isEqualTo(Failures.USAGE);
        assertThat(run.err()).contains("password is given twice").doesNotContain("sesame");
    }

    private CommandRun basics(String... options) {
        return CommandRun.events(BASICS.segments(scratch), BASICS, options);
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
