package io.chimera.faults.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ArchivedRowsTest {
    private static final long TIME_MS = 1_700_000_000_000L;

    private final ArchivedRows rows = new ArchivedRows();

    @Test
    void aRowThatIsInTwoArchivesCountsOnceAsItWasWrittenLast() {
        row("p1", "k", "count", 2, "10:00:00.000000001");
        row("p2", "k", "count", 2, "10:00:00.000000002");
        row("p2", "k", "sum", 7, "10:00:00.000000002");
        end("p1", 0);
        assertThat(rows.merged()).isEqualTo(new StoredRows(Map.of("k", series(2)), Map.of("k", series(7)), List.of()));
        assertThat(rows.inSeveral()).isEqualTo(1);
    }

    @Test
    void twoValuesOfOneRowAreAContradictionOfWhichTheLaterCounts() {
        row("p1", "k", "count", 3, "10:00:00.2");
        row("p2", "k", "count", 2, "10:00:00.1");
        assertThat(rows.merged().counts()).isEqualTo(Map.of("k", series(3)));
        assertThat(rows.merged().contradictions()).singleElement().asString().contains("3.0 in p1", "2.0 in p2");
    }

    @Test
    void aRowTwiceInOneAnswerIsAContradiction() {
        row("p1", "k", "count", 3, "10:00:00.1");
        row("p1", "k", "count", 3, "10:00:00.2");
        assertThat(rows.merged().contradictions()).singleElement().asString().contains("two rows");
    }

    @Test
    void anAnswerThatIsDamagedOrNotWholeIsAContradiction() {
        end("p1", 2);
        rows.takeLine("p2", "{\"error\":\"it was cut off\"}");
        assertThat(rows.merged().contradictions()).hasSize(2).last().asString().contains("it was cut off");
    }

    private static SortedMap<Long, Double> series(double value) {
        return new TreeMap<>(Map.of(TIME_MS, value));
    }

    private void row(String archive, String key, String function, int value, String written) {
        rows.takeLine(archive, """
                {"time":"2023-11-14T22:13:20Z","stream":"points","metric":"chaos.v.%s","tags":{"key":"%s"},"value":%d,\
                "type":"long","written":"2023-11-14T%sZ"}""".formatted(function, key, value, written));
    }

    private void end(String archive, int damaged) {
        rows.takeLine(archive, "{\"query\":{\"points\":1,\"intervals_damaged\":" + damaged + "}}");
    }
}
