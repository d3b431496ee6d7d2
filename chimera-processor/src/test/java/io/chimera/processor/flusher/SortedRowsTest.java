package io.chimera.processor.flusher;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowOrder;
import io.chimera.api.model.Tags;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows in the order of their identity, with any number of passes. */
final class SortedRowsTest {
    private int passes;

    private List<Row> sorted(List<Row> rows, int selectedMax, int wanted) {
        SortedRows sorted = new SortedRows(
                () -> {
                    passes++;
                    return new ListedRows(rows);
                },
                selectedMax);
        List<Row> all = new ArrayList<>();
        boolean hasMore = true;
        while (hasMore) {
            List<Row> some = new ArrayList<>();
            hasMore = sorted.fill(some, wanted);
            assertThat(some).hasSizeLessThanOrEqualTo(wanted);
            all.addAll(some);
        }
        return all;
    }

    private static List<Row> rows(int count) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(Row.ofLong("m" + i % 3, Tags.of(Map.of("host", "h" + i)), 1, i));
        }
        return rows;
    }

    @Test
    void givesTheSameOrderForEachOrderOfTheShardAndEachBatchSize() {
        List<Row> expected = new ArrayList<>(rows(1_000));
        expected.sort(RowOrder.BY_IDENTITY);
        List<Row> shuffled = rows(1_000);
        Random random = new Random(1);
        for (int selectedMax : new int[] {1, 7, 100, 499, 500, 1_000, 5_000}) {
            Collections.shuffle(shuffled, random);
            assertThat(sorted(shuffled, selectedMax, 64))
                    .as("selected %d", selectedMax)
                    .isEqualTo(expected);
            assertThat(sorted(shuffled, selectedMax, 10_000)).isEqualTo(expected);
        }
    }

    @Test
    void takesOnePassForAShardThatFits() {
        assertThat(sorted(rows(100), 100, 10)).hasSize(100);
        assertThat(passes).isEqualTo(1);
    }

    @Test
    void givesNothingForAnEmptyShard() {
        assertThat(sorted(List.of(), 100, 10)).isEmpty();
        assertThat(passes).isEqualTo(1);
    }
}
