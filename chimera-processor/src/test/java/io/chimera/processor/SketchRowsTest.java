package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.chimera.api.model.Row;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.wire.HistogramBytes;
import io.chimera.common.wire.PointBytes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions based on sketches, from the frames to the store. */
final class SketchRowsTest {
    @TempDir
    Path folder;

    private ProcessorRig rig;

    @AfterEach
    void close() {
        rig.close();
    }

    private static PointBytes point(Map<String, String> tags, double latency, String path) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("latency", latency);
        fields.put("path", path);
        return Records.of("http", tags, fields, ProcessorRig.timeNs(1));
    }

    private ProcessorRig rig(ProcessorConfig.Warehouse where, String... functions) {
        return new ProcessorRig(
                folder, ProcessorRig.config(where, 1_000), ProcessorRig.pipeline(ProcessorRig.functions(functions)));
    }

    @Test
    void makesARowOfEachFunctionAndOfEachFrequentText() {
        rig = rig(ProcessorConfig.Warehouse.OFF_HEAP, "p50", "distinct", "top2");
        QueueNodeFake queue = rig.queue(1);
        rig.begin(1, queue);
        Map<String, String> tags = Map.of("host", "a", "value", "taken");
        queue.send(
                1, 0, 0, List.of(point(tags, 7, "/a"), point(tags, 7, "/a"), point(tags, 7, ""), point(tags, 7, "")));
        rig.run();

        String at = "@" + ProcessorRig.timeMs(1);
        String group = "host=a, value=taken";
        assertThat(rig.store.values())
                .isEqualTo(Map.of(
                        "http.latency.p50{" + group + "}" + at, 7.0,
                        "http.latency.distinct{" + group + "}" + at, 1.0,
                        "http.path.distinct{" + group + "}" + at, 2.0,
                        "http.path.top2{group_value=taken, host=a, value=(empty)}" + at, 2.0,
                        "http.path.top2{group_value=taken, host=a, value=/a}" + at, 2.0));
        assertThat(rig.store.rows()).allSatisfy(row -> assertThat(row.isLong())
                .isEqualTo(!row.metric().endsWith(".p50")));
        assertThat(rig.node.status().warehouseBytes()).isZero();
    }

    @Test
    void makesRowsOfHistograms() {
        rig = rig(ProcessorConfig.Warehouse.OFF_HEAP, "count", "sum", "min", "max", "mean", "variance", "p50");
        QueueNodeFake queue = rig.queue(1);
        rig.begin(1, queue);
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            points.add(histogram("a", HistogramBytes.exponential(5, i + 1, 1000)));
        }
        points.add(histogram("b", HistogramBytes.explicit(new double[] {10, 20}, 5, 15, 15)));
        points.add(histogram("b", HistogramBytes.exponential(3)));
        queue.send(1, 0, 0, points);
        rig.run();

        Map<String, Double> values = rig.store.values();
        assertThat(values)
                .containsEntry(row("count", "a"), 800.0)
                .containsEntry(row("sum", "a"), 400.0 * 401 / 2 + 400_000)
                .containsEntry(row("min", "a"), 1.0)
                .containsEntry(row("max", "a"), 1000.0)
                .containsEntry(row("mean", "a"), (400.0 * 401 / 2 + 400_000) / 800)
                .containsEntry(row("count", "b"), 3.0)
                .containsEntry(row("p50", "b"), 12.5)
                .doesNotContainKey(row("variance", "a")); // a histogram does not tell
        assertThat(values.get(row("p50", "a"))).isCloseTo(400, within(5.0));
        assertThat(rig.node.status().warehouseBytes()).isZero();
    }

    private static String row(String function, String host) {
        return "http.latency." + function + "{host=" + host + "}@" + ProcessorRig.timeMs(1);
    }

    private static PointBytes histogram(String host, byte[] bytes) {
        return Records.of("http", Map.of("host", host), Map.of("latency", bytes), ProcessorRig.timeNs(1));
    }

    @Test
    void writesTheSameRowsHoweverOftenAndWhereverACycleIsAggregated() {
        List<List<Row>> all = new ArrayList<>();
        for (int run = 0; run < 4; run++) {
            rig = rig(
                    run % 2 == 0 ? ProcessorConfig.Warehouse.ON_HEAP : ProcessorConfig.Warehouse.OFF_HEAP,
                    "p50",
                    "p999",
                    "distinct",
                    "top20");
            QueueNodeFake[] queues = {rig.queue(1), rig.queue(2)};
            rig.begin(1, List.of(1L, 2L), List.of(PROCESSOR));
            for (int turn = 0; turn < 2; turn++) {
                int part = (turn + run / 2) % 2; // the order of arrival of the parts does not matter
                Random random = new Random(part);
                QueueNodeFake.Sending sending = queues[part].begin(1, 0, part);
                for (int i = 0; i < 300; i++) {
                    List<PointBytes> points = new ArrayList<>();
                    for (int j = 0; j < 10; j++) {
                        String path = "/" + (int) Math.pow(1 - random.nextDouble(), -1.2);
                        points.add(point(Map.of("host", "h" + i % 3), Math.exp(random.nextGaussian()), path));
                    }
                    sending.data(0, points);
                }
                sending.end();
            }
            rig.run();
            all.add(rig.store.rows());
            if (run < 3) {
                rig.close();
            }
        }
        assertThat(all.get(0)).hasSize(3 * (2 + 2 + 20));
        assertThat(all).allSatisfy(rows -> assertThat(rows).isEqualTo(all.get(0)));
    }
}
