package io.chimera.faults.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NodeConfigurationTest {
    @Test
    void aSingleGroupHasThreeQueueNodesWithoutSettings() {
        NodeConfiguration single = new NodeConfiguration(false, RowStore.KAIROSDB, true, 1, 1);

        assertThat(single.queueNodes()).isEqualTo(Map.of("main", List.of("q1", "q2", "q3")));
        assertThat(single.clientsPerNode()).isEqualTo(2);
        assertThat(single.requestPause()).isEqualTo(Duration.ofMillis(50));
        assertThat(single.cycle()).isEqualTo(Duration.ofMillis(500));
        for (Role role : Role.values()) {
            assertThat(single.lanesOf(role)).isEqualTo(1);
            assertThat(single.settings(role, "q1")).isEmpty();
        }
    }

    @Test
    void severalGroupsHaveTwoQueueNodesEach() {
        NodeConfiguration several = new NodeConfiguration(false, RowStore.KAIROSDB, true, 3, 1);

        assertThat(several.queueNodes().keySet()).containsExactly("main", "g2", "g3");
        assertThat(several.queueNodes().values())
                .containsExactly(List.of("q1", "q2"), List.of("q3", "q4"), List.of("q5", "q6"));
        assertThat(several.settings(Role.QUEUE, "q2")).isEmpty();
        assertThat(several.settings(Role.QUEUE, "q3")).isEqualTo(Map.of("queue.group", "g2"));
    }

    @Test
    void setsTheLanesOfQueueNodesAndProcessors() {
        NodeConfiguration lanes = new NodeConfiguration(false, RowStore.KAIROSDB, true, 2, 2);

        assertThat(lanes.settings(Role.QUEUE, "q4")).isEqualTo(Map.of("queue.lanes", "2", "queue.group", "g2"));
        assertThat(lanes.settings(Role.PROCESSOR, "p1")).isEqualTo(Map.of("processor.lanes", "2"));
        assertThat(lanes.settings(Role.COORDINATOR, "c1")).isEmpty();
        assertThat(lanes.clientsPerNode()).isEqualTo(3);
        assertThat(lanes.requestPause()).as("12 clients in place of 6").isEqualTo(Duration.ofMillis(100));
        assertThat(lanes.cycle()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aProcessorWithAnArchiveHasOneLane() {
        NodeConfiguration archives = new NodeConfiguration(false, RowStore.ARCHIVE, true, 1, 3);

        assertThat(archives.settings(Role.PROCESSOR, "p1")).isEmpty();
        assertThat(archives.settings(Role.QUEUE, "q1")).isEqualTo(Map.of("queue.lanes", "3"));
    }
}
