package io.chimera.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.child.KairosReader;
import io.chimera.node.load.LoadRun;
import io.chimera.node.watch.ClusterSnapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DemoFiguresTest {
    private static final LoadRun.Result LOAD = new LoadRun.Result(100, 0, 5_000, 10, 0, 6_000, 2.0);

    @Test
    void isGoodWhenEverythingAgrees() {
        DemoFigures figures = figures(LOAD, 110, 110, 60, 60, 100, 5_000);

        assertThat(figures.isGood()).isTrue();
        assertThat(figures.toMap())
                .containsEntry("points_in", 110L)
                .containsEntry("points_aggregated", 110L)
                .containsEntry("points_rejected", 0L)
                .containsEntry("points_late", 0L)
                .containsEntry("rows_stored", 60L)
                .containsEntry("rows_read_back", 60L)
                .containsEntry("unaccounted", 0L);
    }

    @Test
    void missesPointsThatNoAccountHas() {
        DemoFigures figures = figures(LOAD, 110, 107, 60, 60, 100, 5_000);

        assertThat(figures.unaccounted()).isEqualTo(3);
        assertThat(figures.isGood()).isFalse();
    }

    @Test
    void missesPointsThatWereAcknowledgedButNotAccepted() {
        DemoFigures figures = figures(LOAD, 105, 105, 60, 60, 100, 5_000);

        assertThat(figures.unaccounted()).isEqualTo(5);
    }

    @Test
    void missesRowsThatWereNotReadBack() {
        assertThat(figures(LOAD, 110, 110, 60, 59, 100, 5_000).isGood()).isFalse();
        assertThat(figures(LOAD, 110, 110, 0, 0, 100, 5_000).isGood()).isFalse();
    }

    @Test
    void comparesTheValuesThemselves() {
        assertThat(figures(LOAD, 110, 110, 60, 60, 100, 4_999).isGood()).isFalse();
        assertThat(figures(LOAD, 110, 110, 60, 60, 99, 5_000).isGood()).isFalse();

        // a batch sent twice may have been accepted twice: at-least-once delivery
        LoadRun.Result retried = new LoadRun.Result(100, 0, 5_000, 10, 1, 6_000, 2.0);
        assertThat(figures(retried, 120, 120, 60, 60, 110, 5_500).isGood()).isTrue();
    }

    private static DemoFigures figures(
            LoadRun.Result load, long in, long aggregated, long rows, long read, double count, double sum) {
        ClusterSnapshot end = new ClusterSnapshot(
                3,
                -1,
                0,
                2,
                3,
                in,
                Map.of("q1", 0L),
                in,
                in,
                in,
                rows,
                100,
                1.0,
                Map.of("aggregated", aggregated, "rows", rows),
                "",
                List.of(),
                "");
        return new DemoFigures(
                load,
                10,
                end,
                new KairosReader.Read(read, Map.of("load.value.count", count, "load.value.sum", sum), Map.of()),
                0);
    }
}
