package io.chimera.bench.fold;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
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
import io.chimera.common.wire.Hello;
import io.chimera.processor.extractor.Extractor;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.StagingAgent;
import io.chimera.processor.staging.StagingPorts;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Extractor and staging of a processor, with an open cycle whose only part is one endless transmission of
 * {@link PartFrames}. The threads of the connection's handler and of {@link #doWork} may differ.
 */
public final class FoldingProcessor {
    private static final long PROCESSOR = 2;
    private static final long QUEUE_SESSION = 1;
    private static final String CLUSTER = "bench";
    private static final int SLOTS = 64;
    private static final QueueMember QUEUE =
            new QueueMember("q1", QUEUE_SESSION, "q1:1", "", 7, "d", Positions.NONE, Positions.NONE, false);

    private final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
    private final Extractor extractor;
    private final StagingAgent staging;

    /**
     * Creates a processor.
     *
     * @param where location of the warehouse
     */
    public FoldingProcessor(ProcessorConfig.Warehouse where) {
        List<Long> owners = List.of(QUEUE_SESSION);
        List<Long> processors = List.of(PROCESSOR);
        Cycle cycle = new Cycle(1, 1, 1_700_000_000_000L, Positions.NONE, owners, processors);
        OpenCycle open = new OpenCycle(cycle, new Assignment(0, owners, processors), new TreeMap<>());
        Cluster cluster = new FixedCluster(
                new ClusterView(1, true, List.of(QUEUE), List.of(), 1, new TreeMap<>(Map.of(1L, open)), LowMark.NONE));
        BatchRing ring = new BatchRing(SLOTS, Extractor.SLOT_LENGTH);
        extractor = new Extractor(Hello.of(PROCESSOR, CLUSTER), new SystemClock(), cluster, ring, counters);
        StagingPorts links = new StagingPorts(
                PROCESSOR,
                new SystemClock(),
                cluster,
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
                        PartFrames.DIGEST,
                        Pipeline.of(
                                new TreeMap<>(Map.of("all", Sections.of(PipelineConfig.class))),
                                Map.of(),
                                PluginHost.ofClassPath())),
                new LetterFiles(Path.of(System.getProperty("java.io.tmpdir")), counters));
    }

    /** Returns the first frame of the queue node's connection. */
    public static Hello hello() {
        return Hello.of(QUEUE_SESSION, CLUSTER);
    }

    /** Returns the handler of the queue node's connection. */
    public ConnectionHandler accept() {
        return extractor.accept();
    }

    /** Folds the frames in the ring; returns 0 when the ring is empty. */
    public int doWork() {
        return staging.doWork();
    }

    /** Returns the number of folded points. */
    public long folded() {
        return counters.get(ProcessorCounter.STAGING_COPIES);
    }

    /** The view of the only cycle; nothing changes the view. */
    private record FixedCluster(ClusterView view) implements Cluster {
        @Override
        public void onView(Runnable listener) {}

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
        public void close() {}
    }
}
