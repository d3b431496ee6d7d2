package io.chimera.bench.jmh;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.processor.extractor.Extractor;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.StagingAgent;
import io.chimera.processor.staging.StagingPorts;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures a point's path through a processor on one thread: a frame arrives, is copied into a slot of the extractor,
 * and staging checks its records and aggregates their fields. The series are defined beforehand, as in all of a
 * transmission except its start.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StagingBenchmark {
    private static final int POINTS = PointText.SERIES;

    /** Frame size at which a queue node sends a frame. */
    private static final int FRAME_LENGTH = 64 << 10;

    /** Position of the index in a frame. */
    private static final int INDEX = 20;

    private static final long PROCESSOR = 2;
    private static final QueueMember QUEUE =
            new QueueMember("q1", 1, "q1:1", "", 7, "d", Positions.NONE, Positions.NONE, false);

    private final Frames fourFields = Frames.of(PointShape.FOUR_FIELDS);
    private final Frames tenFields = Frames.of(PointShape.TEN_FIELDS);
    private final Processor onHeap = new Processor(ProcessorConfig.Warehouse.ON_HEAP, fourFields);
    private final Processor onHeap346 = new Processor(ProcessorConfig.Warehouse.ON_HEAP, tenFields);
    private final Processor offHeap = new Processor(ProcessorConfig.Warehouse.OFF_HEAP, fourFields);

    /** Aggregates into a warehouse on the heap. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int onHeap() {
        return onHeap.take(fourFields.others);
    }

    /** Aggregates points with 10 fields into a warehouse on the heap. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int onHeap346() {
        return onHeap346.take(tenFields.others);
    }

    /** Aggregates into an off-heap warehouse. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int offHeap() {
        return offHeap.take(fourFields.others);
    }

    /**
     * Frames of points, filled as by a queue node.
     *
     * @param first frames at the start of a transmission: each record with the definition of its series
     * @param others later frames: each series once more, without definitions
     */
    private record Frames(List<UnsafeBuffer> first, List<UnsafeBuffer> others) {
        static Frames of(PointShape shape) {
            PointRecords records = PointRecords.of(shape, 2 * POINTS);
            List<UnsafeBuffer> first = new ArrayList<>();
            List<UnsafeBuffer> others = new ArrayList<>();
            int position = 0;
            int points = 0;
            while (position < records.length()) {
                int pointsMax = points < POINTS ? POINTS - points : POINTS;
                List<UnsafeBuffer> frames = points < POINTS ? first : others;
                UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME_LENGTH));
                int length = PartFrame.HEADER_LENGTH;
                int count = 0;
                while (position < records.length() && count < pointsMax) {
                    int entry = Entries.length(records.buffer(), position);
                    if (length + entry > FRAME_LENGTH) {
                        break;
                    }
                    frame.putBytes(length, records.buffer(), position, entry);
                    count += Entries.kind(records.buffer(), position) == BodyLayout.RECORD ? 1 : 0;
                    length += entry;
                    position += entry;
                }
                PartFrame.header(frame, 0, PartFrame.DATA, new PartId(1, 0, 0), 0, 1, 0, count);
                PartFrame.fingerprint(frame, 0, new ConfigurationDigest("d").fingerprint());
                frames.add(new UnsafeBuffer(frame, 0, length));
                points += count;
            }
            return new Frames(first, others);
        }
    }

    /** Extractor and staging, with an open cycle whose only part is one endless transmission. */
    private static final class Processor implements Connection, Cluster {
        private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
        private final ConnectionHandler handler;
        private final StagingAgent staging;
        private final ClusterView view;
        private int index;
        private long points;

        Processor(ProcessorConfig.Warehouse where, Frames frames) {
            List<Long> owners = List.of(1L);
            List<Long> processors = List.of(PROCESSOR);
            Cycle cycle = new Cycle(1, 1, 1_700_000_000_000L, Positions.NONE, owners, processors);
            OpenCycle open = new OpenCycle(cycle, new Assignment(0, owners, processors), new TreeMap<>());
            view = new ClusterView(
                    1, true, List.of(QUEUE), List.of(), 1, new TreeMap<>(Map.of(1L, open)), LowMark.NONE);
            BatchRing ring = new BatchRing(64, Extractor.SLOT_LENGTH);
            Extractor extractor = new Extractor(Hello.of(PROCESSOR, "bench"), new SystemClock(), this, ring, counters);
            handler = extractor.accept();
            StagingPorts links = new StagingPorts(
                    PROCESSOR,
                    new SystemClock(),
                    this,
                    ring,
                    extractor::sender,
                    shard -> false,
                    () -> null,
                    List::of,
                    newer -> {},
                    old -> {},
                    counters,
                    error -> {
                        throw new IllegalStateException(error);
                    });
            staging = new StagingAgent(
                    links,
                    new ChunkPool(where == ProcessorConfig.Warehouse.OFF_HEAP, 256 << 20, 1_000_000),
                    new ConfigurationRegistry<>(
                            new ConfigurationDigest("d"),
                            Pipeline.of(
                                    new TreeMap<>(Map.of("all", Sections.of(PipelineConfig.class))),
                                    Map.of(),
                                    PluginHost.ofClassPath())),
                    new LetterFiles(Path.of(System.getProperty("java.io.tmpdir")), counters));
            connect();
            take(frames.first);
        }

        private void connect() {
            Hello hello = Hello.of(1, "bench");
            UnsafeBuffer frame = new UnsafeBuffer(new byte[hello.length()]);
            hello.encode(frame, 0);
            handler.onOpen(this);
            handler.onFrame(this, frame, 0, frame.capacity());
        }

        int take(List<UnsafeBuffer> frames) {
            for (int i = 0; i < frames.size(); i++) {
                UnsafeBuffer frame = frames.get(i);
                frame.putInt(INDEX, index++, LITTLE_ENDIAN);
                handler.onFrame(this, frame, 0, frame.capacity());
                staging.doWork();
            }
            points += POINTS;
            if (counters.get(ProcessorCounter.STAGING_COPIES) != points) {
                throw new IllegalStateException("Only " + counters.get(ProcessorCounter.STAGING_COPIES) + " points of "
                        + points + " were folded.");
            }
            return index;
        }

        @Override
        public void onView(Runnable listener) {}

        @Override
        public ClusterView view() {
            return view;
        }

        @Override
        public void announce(QueueMember self) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void announce(ProcessorMember self) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void announce(ArchiveMember self) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void commit(ShardCommit commit, int assignmentVersion) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean offer(DirectBuffer buffer, int offset, int length) {
            return true;
        }

        @Override
        public void consumed(int bytes) {}

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
            return "bench";
        }
    }
}
