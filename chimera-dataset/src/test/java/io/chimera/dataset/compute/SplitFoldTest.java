package io.chimera.dataset.compute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SplitFoldTest {
    private static final byte[] NAME = "m".getBytes(US_ASCII);
    private static final long WINDOW_NS = 1_000_000_000;
    private static final long BYTES_MAX = 64L << 20;

    private final List<Long> starts = new ArrayList<>();

    private static SplitFold fold(PieceSink out, long bytesMax) {
        return fold(out, bytesMax, new ChunkPool(false, bytesMax, Integer.MAX_VALUE));
    }

    private static SplitFold fold(PieceSink out, long bytesMax, ChunkPool pool) {
        return fold(out, bytesMax, pool, (bytes, offset, length, line, reason) -> {});
    }

    private static SplitFold fold(PieceSink out, long bytesMax, ChunkPool pool, SplitFold.Rejects rejects) {
        PipelineConfig config = Sections.of(
                PipelineConfig.class, "aggregate", Sections.of(AggregateConfig.class, "functions", List.of("sum")));
        List<JobPipeline> pipelines =
                Pipeline.of(new TreeMap<>(Map.of("all", config)), Map.of(), PluginHost.ofClassPath()).stream()
                        .map(pipeline -> JobPipeline.of(pipeline, "*"))
                        .toList();
        return new SplitFold(pipelines, new Windows(WINDOW_NS), pool, bytesMax, out, rejects);
    }

    private static void point(SplitFold fold, long timeNs) {
        assertThat(end(fold, timeNs)).isEqualTo(PointSink.OK);
    }

    private static int end(SplitFold fold, long timeNs) {
        fold.begin(10);
        fold.metric(NAME, 0, NAME.length);
        fold.field(NAME, 0, NAME.length, FieldType.LONG.code(), 1);
        fold.time(timeNs);
        return fold.end();
    }

    /** The end of its window would be a negative number, and a cluster would drop its rows. */
    @Test
    void refusesATimeWhoseWindowDoesNotEnd() throws IOException {
        List<String> reasons = new ArrayList<>();
        SplitFold fold = fold(
                (pipeline, startNs, body, length) -> starts.add(startNs),
                BYTES_MAX,
                new ChunkPool(false, BYTES_MAX, Integer.MAX_VALUE),
                (bytes, offset, length, line, reason) -> reasons.add(reason));
        long lastNs = Long.MAX_VALUE - Long.MAX_VALUE % WINDOW_NS - 1;
        point(fold, lastNs);
        for (long lateNs : new long[] {lastNs + 1, Long.MAX_VALUE}) {
            int ended = end(fold, lateNs);
            assertThat(ended).isEqualTo(PointSink.TIME_OUT_OF_RANGE);
            fold.reject(NAME, 0, NAME.length, 1, PointSink.reasonOf(ended));
        }
        fold.finish();

        assertThat(starts).containsExactly(lastNs + 1 - WINDOW_NS);
        assertThat(fold.accepted()).isEqualTo(1);
        assertThat(reasons).hasSize(2).allMatch(reason -> reason.contains("window"));
    }

    @Test
    void handsOverTheWindowsInTheOrderOfTime() throws IOException {
        SplitFold fold = fold((pipeline, startNs, body, length) -> starts.add(startNs), BYTES_MAX);
        point(fold, 7 * WINDOW_NS);
        point(fold, 3 * WINDOW_NS + 5);
        fold.finish();

        assertThat(starts).containsExactly(3 * WINDOW_NS, 7 * WINDOW_NS);
    }

    @Test
    void handsOverTheOldestUsedWindowWhenManyAreOpen() throws IOException {
        SplitFold fold = fold((pipeline, startNs, body, length) -> starts.add(startNs), BYTES_MAX);
        for (int i = 0; i <= SplitFold.WINDOWS_MAX; i++) {
            point(fold, (SplitFold.WINDOWS_MAX - i) * WINDOW_NS);
        }
        fold.finish();

        assertThat(starts).hasSize(SplitFold.WINDOWS_MAX + 1).startsWith(SplitFold.WINDOWS_MAX * WINDOW_NS, 0L);
    }

    @Test
    void tellsAFailureAtTheNextCheckAndNotToTheParser() {
        SplitFold fold = fold(
                (pipeline, startNs, body, length) -> {
                    throw new IOException("no space");
                },
                BYTES_MAX);
        assertThatCode(() -> {
                    for (int i = 0; i < 60_000; i++) {
                        point(fold, i % 100 * WINDOW_NS);
                    }
                })
                .doesNotThrowAnyException();

        assertThatThrownBy(fold::check).isInstanceOf(IOException.class).hasMessageContaining("no space");
        assertThatThrownBy(fold::finish).hasMessageContaining("no space");
    }

    @Test
    void tellsTooLittleMemoryAsAFailure() {
        SplitFold fold = fold((pipeline, startNs, body, length) -> {}, 1);
        point(fold, 0);

        assertThatThrownBy(fold::finish).isInstanceOf(IOException.class).hasMessageContaining("more memory");
    }

    @Test
    void anUnfinishedSplitGivesItsMemoryBack() throws IOException {
        ChunkPool pool = new ChunkPool(false, BYTES_MAX, Integer.MAX_VALUE);
        SplitFold fold = fold((pipeline, startNs, body, length) -> {}, BYTES_MAX, pool);
        for (int i = 0; i < 60_000; i++) {
            point(fold, i % 10 * WINDOW_NS);
        }
        fold.check();
        assertThat(pool.bytesUsed()).isPositive();

        fold.close();

        assertThat(pool.bytesUsed()).isZero();
    }
}
