package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.points;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.chimera.common.wire.PointBytes;
import io.chimera.processor.pipeline.TopGroups;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heaviest groups reported by a processor. */
final class TopGroupsTest {
    @TempDir
    Path folder;

    private ProcessorRig rig;

    @BeforeEach
    void start() {
        rig = new ProcessorRig(folder);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static List<PointBytes> many(String host, int count) {
        return points(
                host, DoubleStream.iterate(0, value -> value + 1).limit(count).toArray());
    }

    @Test
    void areNoneBeforeTheFirstCycle() {
        assertThat(rig.node.status().heaviest()).isEqualTo(TopGroups.NONE);
    }

    @Test
    void areCountedOverPartsAndShards() {
        QueueNodeFake q1 = rig.queue(1);
        QueueNodeFake q2 = rig.queue(2);
        rig.begin(1, List.of(1L, 2L), List.of(PROCESSOR, PROCESSOR));
        q1.begin(1, 0, 0).data(0, many("a", 7)).data(0, many("b", 2)).end();
        q2.begin(1, 0, 1).data(0, many("a", 5)).end();
        q1.begin(1, 1, 0).data(0, many("c", 9)).end();
        q2.begin(1, 1, 1).end();
        rig.run();

        TopGroups heaviest = rig.node.status().heaviest();
        assertThat(heaviest.cycle()).isEqualTo(1);
        assertThat(heaviest.points()).isEqualTo(23);
        assertThat(heaviest.groups())
                .extracting(group -> group.key().tags().asMap().get("host"), TopGroups.Group::values)
                .containsExactly(tuple("a", 12L), tuple("c", 9L), tuple("b", 2L));
    }

    @Test
    void areTheTenHeaviestOfTheNewestCycle() {
        QueueNodeFake queue = rig.queue(1);
        rig.begin(1, queue);
        queue.send(1, 0, 0, many("old", 100));
        rig.run();
        List<PointBytes> points = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            points.addAll(many("h" + i, i));
        }
        Collections.shuffle(points, new java.util.Random(1));
        rig.begin(2, queue);
        queue.send(2, 0, 0, points);
        rig.run();

        assertThat(rig.node.status().heaviest().groups())
                .extracting(TopGroups.Group::values)
                .containsExactly(30L, 29L, 28L, 27L, 26L, 25L, 24L, 23L, 22L, 21L);
    }
}
