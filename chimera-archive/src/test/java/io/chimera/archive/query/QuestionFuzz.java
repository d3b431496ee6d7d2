package io.chimera.archive.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.filter.PacketFilter;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.point.Points;
import io.chimera.archive.query.text.QuestionException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Arbitrary questions are accepted, or refused with a place. The text form of a question is parsed to an equal
 * question, and a filter of points evaluates a point without an error.
 */
final class QuestionFuzz {
    private static final long NOW_NS = 1_700_000_000_000_000_000L;
    private static final List<String> WORDS = List.of(
            "after",
            "before",
            "stream",
            "limit",
            "and",
            "&&",
            "or",
            "||",
            "not",
            "!",
            "(",
            ")",
            "now",
            "5m",
            "999999999w",
            "1ns",
            "ago",
            "2026-01-31T12:00:00Z",
            "2026-01-31",
            "1678-01-01",
            "2262-04-11T23:47:16.854775807Z",
            "1677-09-21T00:12:43.145224192Z",
            "0",
            "1",
            "9223372036854775807",
            "-1",
            "eth0",
            "udp",
            "port",
            "53",
            "host",
            "metric",
            "=",
            "!=",
            "<",
            "<=",
            ">",
            ">=",
            "cpu",
            "load",
            "count",
            "up",
            "note",
            "stream=s1",
            "\"two words\"",
            "\"",
            "0.75",
            "1e400",
            "-0",
            "9007199254740993",
            "true",
            "NaN",
            "Infinity",
            "0x1p-3",
            "18446744073709551615");

    @FuzzTest(maxDuration = "1m")
    void anyText(FuzzedDataProvider data) {
        check(data.consumeRemainingAsString());
    }

    @FuzzTest(maxDuration = "1m")
    void anyWords(FuzzedDataProvider data) {
        StringBuilder text = new StringBuilder();
        for (int words = data.consumeInt(0, 40); words > 0; words--) {
            text.append(data.pickValue(WORDS)).append(data.consumeBoolean() ? " " : "");
        }
        check(text.toString());
    }

    @Test
    void wordsInAnyOrder() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int words = random.nextInt(14); words > 0; words--) {
                text.append(WORDS.get(random.nextInt(WORDS.size()))).append(random.nextInt(8) == 0 ? "" : " ");
            }
            check(text.toString());
        }
    }

    private static void check(String text) {
        points(text);
        Question question;
        try {
            question = Question.parse(text, NOW_NS);
        } catch (QuestionException e) {
            assertThat(e.position()).as(text).isBetween(0, text.length());
            return;
        }
        assertThat(question.filter()).hasSameSizeAs(text);
        if (points(question.filter()) || isOfPackets(question.filter())) {
            Question again = Question.parse(question.text(), 0);
            assertThat(again.stream()).as(text).isEqualTo(question.stream());
            assertThat(again.afterNs()).as(text).isEqualTo(question.afterNs());
            assertThat(again.beforeNs()).as(text).isEqualTo(question.beforeNs());
            assertThat(again.limit()).as(text).isEqualTo(question.limit());
        }
    }

    /** Returns true for a valid filter of points. */
    private static boolean points(String text) {
        try {
            PointFilter filter = PointFilter.compile(text);
            filter.matches(Points.cpu());
            filter.probe();
            return true;
        } catch (QuestionException e) {
            assertThat(e.position()).as(text).isBetween(0, text.length());
            return false;
        }
    }

    private static boolean isOfPackets(String text) {
        try {
            PacketFilter.compile(text, LinkTypes.ETHERNET);
            return true;
        } catch (QuestionException e) {
            return false;
        }
    }
}
