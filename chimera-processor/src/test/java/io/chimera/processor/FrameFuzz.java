package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PointBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Whatever comes over a channel: the processor goes on, its memory is bounded, and a good part is taken afterwards. */
final class FrameFuzz {
    /** What the rig gives the warehouses. */
    private static final long WAREHOUSE_BYTES = 16 << 20;

    private static final PointBytes POINT =
            Records.of("cpu", Map.of("host", "a", "region", "eu"), Map.of("user", 1.5, "note", "text"), timeNs(1));

    @FuzzTest
    void takesAnyFrame(byte[] bytes) {
        try (ProcessorRig rig = rig()) {
            if (bytes.length > 0) {
                rig.queue(1).send(new UnsafeBuffer(bytes));
            }
            rig.run();
            takesGoodPart(rig);
        }
    }

    @Test
    void takesChangedFrames() {
        Random random = new Random(20240518);
        try (ProcessorRig rig = rig()) {
            rig.begin(1, List.of(1L, 2L), List.of(PROCESSOR, 99L));
            QueueNodeFake queue = rig.queue(1);
            for (int i = 0; i < 20_000; i++) {
                if (queue.closed() != null) {
                    queue = rig.queue(1);
                }
                queue.send(changed(frame(random), random));
                rig.run();
                queue.takeAnswers();
                assertThat(rig.node.status().warehouseBytes()).isLessThanOrEqualTo(WAREHOUSE_BYTES);
            }
            assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_BROKEN)).isGreaterThan(100);
            assertThat(rig.count(ProcessorCounter.STAGING_COPIES)).isGreaterThan(500);
            assertThat(rig.errors).isEmpty();
        }
    }

    /** A good DATA or END frame for one of a few parts. */
    private static UnsafeBuffer frame(Random random) {
        long cycle = random.nextInt(12);
        int part = random.nextInt(3);
        int shard = random.nextInt(3);
        if (random.nextInt(4) == 0) {
            UnsafeBuffer end = new UnsafeBuffer(new byte[PartFrame.END_LENGTH]);
            PartFrame.header(end, 0, PartFrame.END, cycle, part, shard, 0, random.nextInt(3), random.nextInt(3), 0);
            return end;
        }
        int count = random.nextInt(4);
        FrameBody body = new FrameBody();
        if (random.nextInt(4) == 0) {
            body.add(true, List.of(point(random))).cut(); // what it defines does not come along
        }
        for (int i = 0; i < count; i++) {
            body.add(true, List.of(point(random)));
            if (random.nextInt(8) == 0) {
                body.reset();
            }
        }
        UnsafeBuffer data = body.cut();
        PartFrame.header(data, 0, PartFrame.DATA, cycle, part, shard, 0, random.nextInt(3), random.nextInt(2), count);
        return data;
    }

    private static PointBytes point(Random random) {
        String[] names = {"user", "system", "note"};
        PointBytes point =
                new PointBytes("cpu").tag("host", "h" + random.nextInt(3)).time(timeNs(1));
        for (int i = random.nextInt(3); i >= 0; i--) {
            int name = random.nextInt(3);
            point.field(names[name], name == 2 ? "t".repeat(random.nextInt(20)) : (Object) random.nextDouble());
        }
        return point;
    }

    private static UnsafeBuffer changed(UnsafeBuffer frame, Random random) {
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            frame.putByte(random.nextInt(frame.capacity()), (byte) random.nextInt(256));
        }
        return frame;
    }

    private static void takesGoodPart(ProcessorRig rig) {
        QueueNodeFake queue = rig.queue(7);
        rig.begin(1, queue);
        queue.send(1, 0, 0, List.of(POINT));
        rig.run();
        assertThat(rig.commit(1, 0).aggregated()).isEqualTo(1);
        assertThat(rig.errors).isEmpty();
    }

    private static ProcessorRig rig() {
        try {
            ProcessorConfig config = ProcessorRig.config(ProcessorConfig.Warehouse.OFF_HEAP, 100_000);
            return new ProcessorRig(
                    Files.createTempDirectory("frame-fuzz"),
                    config,
                    ProcessorRig.pipeline(ProcessorRig.functions("sum")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
