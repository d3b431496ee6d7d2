package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.PointBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Frames of any content leave the processor alive, its memory bounded, and valid parts processed. */
final class FrameFuzz {
    /** Warehouse limit of the rig. */
    private static final long WAREHOUSE_BYTES = 16 << 20;

    private static final int FIELDS_MAX = 3;

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
        takesChanged(FrameFuzz::frame, new Random(20240518), 1);
    }

    /** A pipeline that accepts partial entries folds every valid block into its groups, whatever the content. */
    @Test
    void takesChangedFramesWithPartials() {
        takesChanged(FrameFuzz::partials, new Random(20240519), 2);
    }

    /** Sends frames, of which one in {@code oneIn} is corrupted. */
    private static void takesChanged(Function<Random, UnsafeBuffer> frames, Random random, int oneIn) {
        try (ProcessorRig rig = rig()) {
            rig.begin(1, List.of(1L, 2L), List.of(PROCESSOR, 99L));
            QueueNodeFake queue = rig.queue(1);
            for (int i = 0; i < 20_000; i++) {
                if (queue.closed() != null) {
                    queue = rig.queue(1);
                }
                UnsafeBuffer frame = frames.apply(random);
                queue.send(random.nextInt(oneIn) == 0 ? changed(frame, random) : frame);
                rig.run();
                queue.takeAnswers();
                assertThat(rig.node.status().warehouseBytes()).isLessThanOrEqualTo(WAREHOUSE_BYTES);
            }
            assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_BROKEN)).isGreaterThan(100);
            assertThat(rig.count(ProcessorCounter.STAGING_COPIES)).isGreaterThan(500);
            assertThat(rig.errors).isEmpty();
        }
    }

    /**
     * Returns a DATA frame with records and partial entries; the partial entries claim arbitrary numbers of records and
     * primary records.
     */
    private static UnsafeBuffer partials(Random random) {
        FrameBody body = new FrameBody();
        body.add(true, List.of(point(random)));
        UnsafeBuffer data = body.cut();
        UnsafeBuffer frame = new UnsafeBuffer(new byte[data.capacity() + 3 * PartialFlyweight.lengthOf(FIELDS_MAX)]);
        frame.putBytes(0, data, 0, data.capacity());
        int at = data.capacity();
        int records = 1;
        for (int i = random.nextInt(4); i > 0; i--) {
            int fields = 1 + random.nextInt(FIELDS_MAX);
            int together = 1 + random.nextInt(5);
            PartialFlyweight.put(
                    frame,
                    at,
                    random.nextInt(2),
                    random.nextInt(2),
                    random.nextInt(50) == 0 ? random.nextInt() : together,
                    random.nextInt(together + 1),
                    random.nextLong(),
                    fields,
                    blocks(random, fields));
            at += PartialFlyweight.lengthOf(fields);
            records += together;
        }
        PartFrame.header(
                frame,
                0,
                PartFrame.DATA,
                new PartId(random.nextInt(12), random.nextInt(3), random.nextInt(3)),
                0,
                random.nextInt(3),
                random.nextInt(2),
                random.nextInt(20) == 0 ? random.nextInt(9) : records);
        PartFrame.fingerprint(frame, 0, ProcessorRig.DIGEST.fingerprint());
        return new UnsafeBuffer(frame, 0, at);
    }

    private static UnsafeBuffer blocks(Random random, int fields) {
        UnsafeBuffer blocks = new UnsafeBuffer(new byte[AggregateBlock.LENGTH * fields]);
        for (int word = 0; word < blocks.capacity(); word += Long.BYTES) {
            double any = random.nextInt(10) == 0 ? Double.longBitsToDouble(random.nextLong()) : random.nextInt(100);
            blocks.putLong(word, random.nextInt(3) == 0 ? random.nextInt(5) : Double.doubleToRawLongBits(any));
        }
        return blocks;
    }

    /** Returns a valid DATA or END frame for one of a few parts. */
    private static UnsafeBuffer frame(Random random) {
        long cycle = random.nextInt(12);
        int part = random.nextInt(3);
        int shard = random.nextInt(3);
        if (random.nextInt(4) == 0) {
            UnsafeBuffer end = new UnsafeBuffer(new byte[PartFrame.END_LENGTH]);
            PartFrame.header(
                    end, 0, PartFrame.END, new PartId(cycle, part, shard), 0, random.nextInt(3), random.nextInt(3), 0);
            PartFrame.fingerprint(end, 0, ProcessorRig.DIGEST.fingerprint());
            return end;
        }
        int count = random.nextInt(4);
        FrameBody body = new FrameBody();
        if (random.nextInt(4) == 0) {
            body.add(true, List.of(point(random))).cut(); // the definitions of this frame are not sent
        }
        for (int i = 0; i < count; i++) {
            body.add(true, List.of(point(random)));
            if (random.nextInt(8) == 0) {
                body.reset();
            }
        }
        UnsafeBuffer data = body.cut();
        PartFrame.header(
                data,
                0,
                PartFrame.DATA,
                new PartId(cycle, part, shard),
                0,
                random.nextInt(3),
                random.nextInt(2),
                count);
        PartFrame.fingerprint(data, 0, ProcessorRig.DIGEST.fingerprint());
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
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
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
