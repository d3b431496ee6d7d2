package io.chimera.archive.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.text.QuestionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QuestionTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 1_700_000_000L * SECOND;

    @Test
    void aFilterAloneIsAQuestion() {
        Question question = read("host 1.2.3.4 and (port 80 or tcp[13] & 2 != 0)");
        assertThat(question.filter()).isEqualTo("host 1.2.3.4 and (port 80 or tcp[13] & 2 != 0)");
        assertThat(question.afterNs()).isEqualTo(Long.MIN_VALUE);
        assertThat(question.beforeNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(question.limit()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aSpanOfTimeStandsBesideIt() {
        Question question = read("host 1.2.3.4 && port 80 && after 3m ago && before 30s ago");
        assertThat(question.filter().strip()).isEqualTo("host 1.2.3.4 && port 80");
        assertThat(question.afterNs()).isEqualTo(NOW - 180 * SECOND);
        assertThat(question.beforeNs()).isEqualTo(NOW - 30 * SECOND - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "after 3m ago and before 30s ago and stream eth0 and limit 5 and (tcp or udp)",
                "(tcp or udp) and after 3m ago and stream eth0 and limit 5 and before 30s ago",
                "after 3m ago and (tcp or udp) and before 30s ago and stream eth0 and limit 5"
            })
    void theOrderDoesNotMatter(String text) {
        Question question = read(text);
        assertThat(question.filter().strip()).isEqualTo("(tcp or udp)");
        assertThat(question.afterNs()).isEqualTo(NOW - 180 * SECOND);
        assertThat(question.beforeNs()).isEqualTo(NOW - 30 * SECOND - 1);
        assertThat(question.stream()).isEqualTo("eth0");
        assertThat(question.limit()).isEqualTo(5);
    }

    @Test
    void aQuestionNeedsNoFilter() {
        assertThat(read("after 3m ago and before 1m ago").filter()).isBlank();
        assertThat(read("").filter()).isBlank();
    }

    @Test
    void timesHaveSeveralForms() {
        assertThat(read("after 2023-11-14T22:13:20Z").afterNs()).isEqualTo(NOW);
        assertThat(read("after 2023-11-14T23:13:20+01:00").afterNs()).isEqualTo(NOW);
        assertThat(read("after 2023-11-14T22:13:20.000000001Z").afterNs()).isEqualTo(NOW + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp or after 3m ago",
                "tcp and limit 5 or udp",
                "not after 3m ago",
                "tcp and not after 3m ago",
                "after",
                "tcp and limit",
                "limit many",
                "after yesterday",
                "after 3m ago and after 1m ago"
            })
    void whatIsAmbiguousOrUnknownIsRefusedWithItsPlace(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(QuestionException.class)
                .hasMessageContaining("At ");
    }

    @Test
    void aQuestionWrittenDownIsTheSame() {
        Question question = read("tcp or udp");
        Question narrowed = new Question(question.filter(), "eth0", NOW, NOW + 5, 7);
        assertThat(read(narrowed.text()).filter().strip()).isEqualTo("(tcp or udp)");
        assertThat(read(narrowed.text()).afterNs()).isEqualTo(NOW);
        assertThat(read(narrowed.text()).beforeNs()).isEqualTo(NOW + 5);
        assertThat(read(narrowed.text()).stream()).isEqualTo("eth0");
        assertThat(read(narrowed.text()).limit()).isEqualTo(7);
        assertThat(read("").text()).isEmpty();
    }

    private static Question read(String text) {
        return Question.parse(text, NOW);
    }
}
