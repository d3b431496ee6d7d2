package io.chimera.bench.scale.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.peers.job.ResultTable;
import org.junit.jupiter.api.Test;

final class SeriesCountsTest {
    private static final int SERIES = 3;

    private final ResultTable stored = new ResultTable();

    @Test
    void nothingIsLostOrDoubledWhenEachSeriesHasItsPoints() {
        add(0, 4);
        add(1, 2);
        add(1, 1);
        add(2, 3);

        assertThat(SeriesCounts.of(stored, SERIES, 10)).isEqualTo(new SeriesCounts(0, 0));
    }

    @Test
    void aLostPointDoesNotHideADoubledPoint() {
        add(0, 3);
        add(1, 4);

        assertThat(SeriesCounts.of(stored, SERIES, 9)).isEqualTo(new SeriesCounts(3, 1));
    }

    private void add(int series, int count) {
        stored.total("scale,host=host_0000000%d,rack=rack_0%d".formatted(series, series), "usage_user")
                .add(count, 0, 0, 0, 0, 0);
    }
}
