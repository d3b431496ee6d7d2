package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.AggregateBlock;
import java.nio.file.Path;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records pre-aggregated by the queue node. */
final class PartialTest {
    @TempDir
    Path folder;

    private ProcessorRig rig;

    @AfterEach
    void close() {
        rig.close();
    }

    private QueueNodeFake start(String... functions) {
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, ProcessorRig.pipeline(ProcessorRig.functions(functions)));
        QueueNodeFake queue = rig.queue(1);
        rig.begin(1, queue);
        return queue;
    }

    private static UnsafeBuffer block(double... values) {
        UnsafeBuffer block = new UnsafeBuffer(new byte[AggregateBlock.LENGTH]);
        AggregateBlock.clear(block, 0);
        for (double value : values) {
            AggregateBlock.fold(block, 0, value);
        }
        return block;
    }

    @Test
    void countLikeTheRecordsThemselves() {
        QueueNodeFake queue = start("count", "min", "max", "sum", "mean", "variance");
        queue.begin(1, 0, 0)
                .data(0, points("a", 2, 4, 4))
                .combined(0, 5, 1, block(4, 5, 5, 7, 9))
                .end();
        rig.run();

        assertThat(queue.takeAnswers()).containsExactly("OK 1/0/0");
        assertThat(rig.store.values())
                .isEqualTo(Map.of(
                        row("count", "a", 1), 8.0,
                        row("min", "a", 1), 2.0,
                        row("max", "a", 1), 9.0,
                        row("sum", "a", 1), 40.0,
                        row("mean", "a", 1), 5.0,
                        row("variance", "a", 1), 4.0));
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(8);
    }

    @Test
    void breakThePartWhenTheyAreOfUndefinedSeriesOrHaveOtherFields() {
        QueueNodeFake queue = start("sum");
        queue.begin(1, 0, 0).combined(0, 5, 1, block(1)).end();
        rig.run();
        queue.begin(1, 0, 0)
                .data(0, points("a", 1))
                .combined(0, 5, 2, new UnsafeBuffer(new byte[2 * AggregateBlock.LENGTH]))
                .end();
        rig.run();

        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_BROKEN)).isEqualTo(2);
        assertThat(rig.store.attempts()).isZero();
    }

    @Test
    void breakThePartWhereTheyDoNotTellEnough() {
        QueueNodeFake queue = start("sum", "p50");
        queue.begin(1, 0, 0)
                .data(0, points("a", 1))
                .combined(0, 5, 1, block(1, 2, 3, 4, 5))
                .end();
        rig.run();

        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_BROKEN)).isEqualTo(1);
    }

    @Test
    void oneGreatNumberHasNoVariance() {
        QueueNodeFake queue = start("variance");
        queue.send(1, 0, 0, points("a", 1e300));
        rig.run();

        assertThat(rig.store.values()).isEqualTo(Map.of(row("variance", "a", 1), 0.0));
    }
}
