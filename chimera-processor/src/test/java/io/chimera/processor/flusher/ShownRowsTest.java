package io.chimera.processor.flusher;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ShownRowsTest {
    private final List<Row> written = IntStream.range(0, 100)
            .mapToObj(i -> Row.ofDouble("m" + i % 10, Tags.of(Map.of("host", "h" + i / 10)), 1, i))
            .toList();

    private void assertFound(List<Row> shown) {
        ShownRows rows = new ShownRows(shown);
        for (Row row : written) {
            assertThat(rows.of(row)).isEqualTo(shown.contains(row) ? row : null);
        }
    }

    @Test
    void findsRowsInTheOrderInWhichTheyWereWritten() {
        assertFound(List.copyOf(written));
    }

    @Test
    void findsRowsInAnyOrderThoughSomeAreMissing() {
        for (int seed = 0; seed < 20; seed++) {
            List<Row> shown = new ArrayList<>(written);
            Collections.shuffle(shown, new Random(seed));
            assertFound(shown.subList(0, 100 - seed));
        }
    }

    @Test
    void findsWhatFollowsAMissingRowInOrder() {
        List<Row> shown = new ArrayList<>(written);
        shown.subList(40, 60).clear();
        shown.remove(0);
        assertFound(shown);
    }

    @Test
    void takesNoRowOfAnotherTypeOrTimeForTheSame() {
        Tags tags = Tags.of(Map.of("host", "a"));
        ShownRows rows = new ShownRows(List.of(Row.ofLong("m", tags, 1, 7), Row.ofDouble("m", tags, 2, 7)));

        assertThat(rows.of(Row.ofDouble("m", tags, 1, 7))).isNull();
        assertThat(rows.of(Row.ofLong("m", Tags.of(Map.of("host", "b")), 1, 7))).isNull();
        assertThat(rows.of(Row.ofLong("m", Tags.of(Map.of("host", "a")), 1, 8))).isEqualTo(Row.ofLong("m", tags, 1, 7));
    }
}
