package org.firebirdcdc.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalPositionTest {

    @Test
    void ordersBySegmentThenByOffset() {
        JournalPosition position = new JournalPosition(9, 1000);
        assertThat(position.isBefore(new JournalPosition(10, 48))).isTrue();
        assertThat(position.isBefore(new JournalPosition(9, 1001))).isTrue();
        assertThat(position.isBefore(position)).isFalse();
        assertThat(position).isGreaterThan(JournalPosition.START);
    }

    @Test
    void parsingIsTheInverseOfWriting() {
        JournalPosition position = new JournalPosition(12, 345);
        assertThat(JournalPosition.parse(position.toString())).isEqualTo(position);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "1",
                "1:",
                ":1",
                "1:2:3",
                "+1:2",
                "01:2",
                "1:-2",
                "a:b",
                " 1:2",
                "99999999999999999999:1"
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> JournalPosition.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
