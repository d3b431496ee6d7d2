package io.chimera.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.config.pipeline.RowsConfig;
import io.chimera.common.wire.PointBytes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups with similar names have separate rows, from the frames to the store. */
final class RowIdentityTest {
    @TempDir
    Path folder;

    private ProcessorRig rig;
    private QueueNodeFake queue;

    @BeforeEach
    void begin() {
        rig = new ProcessorRig(
                folder, ProcessorRig.CONFIG, ProcessorRig.pipeline(ProcessorRig.functions("count", "top")));
        queue = rig.queue(1);
        rig.begin(1, queue);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static PointBytes point(String metric, Map<String, String> tags, String field, Object value) {
        return Records.of(metric, tags, Map.of(field, value), ProcessorRig.timeNs(1));
    }

    private Map<String, Double> rows(PointBytes... points) {
        queue.send(1, 0, 0, List.of(points));
        rig.run();
        return rig.store.values();
    }

    private static String at() {
        return "@" + ProcessorRig.timeMs(1);
    }

    @Test
    void keepsMetricAndFieldApartWhereBothHaveDots() {
        Map<String, String> tags = Map.of("host", "a");

        assertThat(rows(
                        point("disk.io", tags, "read", 1.0),
                        point("disk", tags, "io.read", 2.0),
                        point("disk", tags, "io.read", 3.0),
                        point("disk", tags, "io%2Eread", 4.0)))
                .isEqualTo(Map.of(
                        "disk.io.read.count{host=a}" + at(), 1.0,
                        "disk.io%2Eread.count{host=a}" + at(), 2.0,
                        "disk.io%252Eread.count{host=a}" + at(), 1.0));
    }

    @Test
    void keepsAGroupWithoutTagsApartFromOneThatIsTaggedAsIfItHadNone() {
        String pipeline = "all";

        assertThat(rows(
                        point("m", Map.of(), "v", 1.0),
                        point("m", Map.of("chimera", pipeline), "v", 2.0),
                        point("m", Map.of("chimera", pipeline), "v", 3.0),
                        point("m", Map.of("group_chimera", pipeline), "v", 4.0)))
                .isEqualTo(Map.of(
                        "m.v.count{chimera=" + pipeline + "}" + at(), 1.0,
                        "m.v.count{group_chimera=" + pipeline + "}" + at(), 2.0,
                        "m.v.count{group_group_chimera=" + pipeline + "}" + at(), 1.0));
    }

    @Test
    void keepsTextsApartFromTagsThatHaveTheirNames() {
        assertThat(rows(
                        point("m", Map.of("value", "t"), "v", "s"),
                        point("m", Map.of("group_value", "t"), "v", "s"),
                        point("m", Map.of("top_value", "s"), "v", "t"),
                        point("m", Map.of("h", "a"), "v", ""),
                        point("m", Map.of("h", "a"), "v", "(empty)")))
                .containsEntry("m.v.top{group_value=t, value=s}" + at(), 1.0)
                .containsEntry("m.v.top{group_group_value=t, value=s}" + at(), 1.0)
                .containsEntry("m.v.top{top_value=s, value=t}" + at(), 1.0)
                .containsEntry("m.v.top{h=a, value=(empty)}" + at(), 1.0)
                .containsEntry("m.v.top{h=a, value=%(empty)}" + at(), 1.0)
                .hasSize(5 + 4);
    }

    @Test
    void setsTheRowsOfPipelinesApartByPrefixAndTags() {
        rig.close();
        AggregateConfig count = ProcessorRig.functions("count");
        PipelineConfig plain = Sections.of(PipelineConfig.class, "aggregate", count, "stores", List.of("memory"));
        rig = new ProcessorRig(
                folder,
                ProcessorRig.CONFIG,
                new TreeMap<>(Map.of(
                        "hosts", plain.withRows(new RowsConfig("hosts.", Map.of("per", "host"))),
                        "series", plain.withRows(Sections.of(RowsConfig.class, "tags", Map.of("per", "series"))))));
        queue = rig.queue(1);
        rig.begin(1, queue);
        List<PointBytes> points = List.of(
                point("m", Map.of("per", "host"), "v", 1.0),
                point("m", Map.of(), "v", 2.0),
                point("m", Map.of(), "v", 3.0));
        queue.begin(1, 0, 0).data(0, points).data(1, false, points).end();
        rig.run();

        assertThat(rig.store.values())
                .isEqualTo(Map.of(
                        "hosts.m.v.count{group_per=host, per=host}" + at(), 1.0,
                        "hosts.m.v.count{per=host}" + at(), 2.0,
                        "m.v.count{group_per=host, per=series}" + at(), 1.0,
                        "m.v.count{per=series}" + at(), 2.0));
    }
}
