package io.chimera.archive.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.text.QuestionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clauses in addition to a filter. */
final class QuestionReaderTest {
    private static final long NOW = 1_800_000_000_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    @Test
    void takesTheClausesOutAndLeavesTheFilterWhereItWas() {
        String text = "host 192.0.2.1 and after 5m ago and stream eth0 and before 2027-01-15T08:00:00Z and limit 100";
        Question question = Question.parse(text, NOW);
        assertThat(question.filter()).hasSameSizeAs(text).startsWith("host 192.0.2.1 ");
        assertThat(question.filter().strip()).isEqualTo("host 192.0.2.1");
        assertThat(question.stream()).isEqualTo("eth0");
        assertThat(question.afterNs()).isEqualTo(NOW - 300 * SECOND);
        assertThat(question.beforeNs()).isEqualTo(NOW - 1);
        assertThat(question.limit()).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp | tcp",
                "after 1h ago | ''",
                "after 1h ago and tcp | tcp",
                "tcp and after 1h ago and udp | tcp   and udp",
                "limit 5 after now (tcp or udp) | (tcp or udp)",
                "tcp or udp and after 1h ago | tcp or udp",
                "stream=a and limit 5 | stream=a",
                "note=\"after all\" and limit 5 | note=\"after all\"",
            })
    void leavesAFilter(String text, String filter) {
        String left = Question.parse(text, NOW).filter().strip();
        assertThat(left.replaceAll("\\s+", " ")).isEqualTo(filter.replaceAll("\\s+", " "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp or after 5m ago | 8 | the whole question",
                "not after 5m ago | 5 | the whole question",
                "after 5m ago and tcp or udp | 22 | the whole question",
                "after 5m | 7 | Expected 'ago'",
                "after yesterday | 7 | Expected a time",
                "limit 0 | 7 | Expected a number",
                "limit 5 and limit 6 | 19 | given twice",
                "stream | 7 | name of a stream",
            })
    void saysWhereItDoesNotUnderstandAndWhatToDo(String text, int character, String part) {
        assertThatThrownBy(() -> Question.parse(text, NOW)).isInstanceOfSatisfying(QuestionException.class, e -> {
            assertThat(e.position() + 1).as(e.getMessage()).isEqualTo(character);
            assertThat(e).hasMessageContaining(part);
        });
    }
}
