package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.common.config.ProcessorConfig;
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
