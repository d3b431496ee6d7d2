package io.chimera.processor;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.PointBytes;
import io.chimera.processor.extractor.Extractor;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.StagingAgent;
import io.chimera.processor.staging.StagingPorts;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.testkit.cluster.MemoryCluster;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The path from an arriving frame to its points in the warehouse allocates no memory. */
final class StagingAllocationTest {
    private static final int POINTS = 100;
    private static final int ROUND = 1000;
    private static final int ROUNDS = 6;
    /** Offset of the index in a frame. */
    private static final int INDEX = 20;

    private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
    private final MemoryCluster cluster = MemoryCluster.immediate();

    /** Accepts the processor's HELLO and the credit. */
    private static final class Sink implements Connection {
        private long consumed;

        @Override
        public boolean offer(DirectBuffer buffer, int offset, int length) {
            return true;
        }

        @Override
        public void consumed(int bytes) {
            consumed += bytes;
        }

        @Override
        public boolean hasCaughtUp() {
            return true;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            throw new IllegalStateException("The processor closed the connection.");
        }

        @Override
        public String remote() {
            return "queue node";
        }
    }

    @Test
    void extractsAndFoldsWithoutAllocating() {
        foldWithoutAllocating(AggregateConfig.DEFAULT, ProcessorConfig.Warehouse.ON_HEAP);
    }

    @Test
    void extractsAndFoldsOffHeapByTagsAndAgeWithoutAllocating() {
        foldWithoutAllocating(
                Sections.of(AggregateConfig.class, "by", List.of("host"), "late_after", Duration.ofDays(1)),
                ProcessorConfig.Warehouse.OFF_HEAP);
    }

    private void foldWithoutAllocating(AggregateConfig aggregate, ProcessorConfig.Warehouse where) {
        Sink sink = new Sink();
        BatchRing ring = new BatchRing(8, Extractor.SLOT_LENGTH);
        MemoryCluster.Node link = cluster.join();
        cluster.join().announce(ProcessorRig.member(1));
        Extractor extractor =
                new Extractor(Hello.of(ProcessorRig.PROCESSOR, "test"), new ManualClock(), link, ring, counters);
        StagingAgent staging = staging(link, ring, extractor, aggregate, where);
        ConnectionHandler handler = extractor.accept();
        handler.onOpen(sink);
        UnsafeBuffer hello = new UnsafeBuffer(new byte[Hello.of(1, "test").length()]);
        Hello.of(1, "test").encode(hello, 0);
        handler.onFrame(sink, hello, 0, hello.capacity());
        UnsafeBuffer frame = frame();

        run(handler, sink, staging, frame, 0, ROUND);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long leastAllocated = Long.MAX_VALUE;
        for (int round = 1; round < ROUNDS; round++) { // the JVM's own one-off allocations occur only in some rounds
            long before = threads.getCurrentThreadAllocatedBytes();
            run(handler, sink, staging, frame, round * ROUND, (round + 1) * ROUND);
            leastAllocated = Math.min(leastAllocated, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(counters.get(ProcessorCounter.STAGING_COPIES)).isEqualTo((long) ROUNDS * ROUND * POINTS);
        assertThat(sink.consumed).isEqualTo((long) ROUNDS * ROUND * frame.capacity() + hello.capacity());
        assertThat(leastAllocated).as("bytes allocated for 100,000 points").isZero();
    }

    private static void run(
            ConnectionHandler handler, Sink sink, StagingAgent staging, UnsafeBuffer frame, int from, int to) {
        for (int index = from; index < to; index++) {
            frame.putInt(INDEX, index, LITTLE_ENDIAN);
            handler.onFrame(sink, frame, 0, frame.capacity());
            staging.doWork();
        }
    }

    private static UnsafeBuffer frame() {
        FrameBody body = new FrameBody();
        for (int i = 0; i < POINTS; i++) {
            PointBytes point = Records.of(
                    "cpu",
                    Map.of("host", "h" + i % 20, "region", "eu"),
                    i % 3 == 0
                            ? Map.of("user", i * 0.5, "system", (long) i, "up", true)
                            : Map.of("user", i * 0.5, "note", "t".repeat(i)),
                    ProcessorRig.timeNs(1));
            body.add(true, List.of(point));
        }
        UnsafeBuffer frame = body.cut();
        PartFrame.header(frame, 0, PartFrame.DATA, new PartId(1, 0, 0), 0, 1, 0, POINTS);
        PartFrame.fingerprint(frame, 0, new ConfigurationDigest("d").fingerprint());
        return frame;
    }

    private StagingAgent staging(
            MemoryCluster.Node link,
            BatchRing ring,
            Extractor extractor,
            AggregateConfig aggregate,
            ProcessorConfig.Warehouse where) {
        MemoryCluster.Lead conductor = cluster.lead();
        List<Long> owners = List.of(1L);
        List<Long> processors = List.of(ProcessorRig.PROCESSOR);
        conductor.begin(
                new Cycle(1, conductor.epoch(), ProcessorRig.timeMs(1), Positions.NONE, owners, processors),
                new Assignment(0, owners, processors));
        PipelineConfig pipeline = Sections.of(PipelineConfig.class, "aggregate", aggregate, "stores", List.of());
        StagingPorts links = new StagingPorts(
                ProcessorRig.PROCESSOR,
                new ManualClock(),
                link,
                ring,
                extractor::sender,
                shard -> false,
                () -> null,
                List::of,
                cycle -> {},
                old -> {},
                counters,
                error -> {
                    throw new IllegalStateException(error);
                });
        return new StagingAgent(
                links,
                new ChunkPool(where == ProcessorConfig.Warehouse.OFF_HEAP, 16 << 20, 100_000),
                new ConfigurationRegistry<>(
                        new ConfigurationDigest("d"),
                        Pipeline.of(new TreeMap<>(Map.of("all", pipeline)), Map.of(), PluginHost.ofClassPath())),
                new LetterFiles(Path.of(System.getProperty("java.io.tmpdir")), counters));
    }
}
