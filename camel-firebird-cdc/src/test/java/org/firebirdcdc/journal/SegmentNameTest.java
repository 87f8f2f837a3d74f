package org.firebirdcdc.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentNameTest {

    @Test
    void aNameHasPrefixAndNumber() {
        assertThat(SegmentName.parse("demo.fdb.journal-000000001"))
                .contains(new SegmentName("demo.fdb.journal-000000001", "demo.fdb", 1));
        assertThat(SegmentName.parse("demo.fdb_ACDF8355-196D-4BDB-A704-8104225851F0.journal-000000012"))
                .contains(new SegmentName(
                        "demo.fdb_ACDF8355-196D-4BDB-A704-8104225851F0.journal-000000012",
                        "demo.fdb_ACDF8355-196D-4BDB-A704-8104225851F0",
                        12));
    }

    @ParameterizedTest
    @CsvSource({
        "demo.fdb, demo",
        "demo, demo",
        "my.shop.fdb, my.shop",
        "demo.fdb_ACDF8355-196D-4BDB-A704-8104225851F0, demo",
        "demo_ACDF8355-196D-4BDB-A704-8104225851F0, demo",
        "demo_ACDF8355, demo_ACDF8355"
    })
    void thePrefixTellsTheDatabase(String prefix, String database) {
        assertThat(SegmentName.parse(prefix + ".journal-000000001")
                        .orElseThrow()
                        .database())
                .isEqualTo(database);
    }

    @Test
    void numbersGrowBeyondNineDigitsWithoutZeros() {
        assertThat(SegmentName.parse("x.journal-1000000000").orElseThrow().sequence())
                .isEqualTo(1_000_000_000L);
        assertThat(SegmentName.parse("x.journal-999999999999999999")
                        .orElseThrow()
                        .sequence())
                .isEqualTo(999_999_999_999_999_999L);
    }

    @Test
    void aPrefixMayLookLikeAName() {
        assertThat(SegmentName.parse("a.journal-000000001.journal-000000002"))
                .contains(new SegmentName("a.journal-000000001.journal-000000002", "a.journal-000000001", 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".X.journal-000000003.abc123",
                ".X.journal-000000003",
                "X.journal-000000003.part",
                "X.journal-000000003.filepart",
                "X.journal-000000003~",
                "X.journal-000000003 ",
                "X.journal-00000003",
                "X.journal-0000000003",
                "X.journal-1000000000000000000",
                "X.journal-99999999999999999999999999",
                "X.journal--00000003",
                "X.journal-+00000003",
                "X.journal-00000000x",
                "X.journal-\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668",
                "X.journal-",
                ".journal-000000003",
                "X.JOURNAL-000000003",
                "Xjournal-000000003",
                "X.journal-000000003\n",
                "{ACDF8355-196D-4BDB-A704-8104225851F0}",
                ""
            })
    void namesOfTransferToolsEditorsAndOthersDoNotMatch(String name) {
        assertThat(SegmentName.parse(name)).isEmpty();
    }
}
