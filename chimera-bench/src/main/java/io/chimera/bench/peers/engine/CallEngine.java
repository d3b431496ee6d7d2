package io.chimera.bench.peers.engine;

import io.chimera.apps.voip.VoipSettings;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterLayout;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ClusterPlan.Cycles;
import io.chimera.bench.cluster.NodeMemory;
import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.bench.peers.job.CallPartitions;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * VoIPSTREAM on Chimera: a cluster of processes reads calls from a TCP connection, journals each call, sends calls to
 * the processors of their users, and aggregates alerts per user and cycle. A pass ends when the coordinator has
 * accounted for every call.
 */
public final class CallEngine implements Engine {
    private static final VoipSettings SETTINGS = CallPartitions.SETTINGS;

    private static final String PIPELINE = """
            delivery: exactly_once,
            after: {
              partitions: %d,
              keys: [caller, callee],
              blocks: { score: { type: voip_score, window: %dm, cells: %d, pair_bits: %d, limit: %s } },
              output: [score.alert]
            },
            aggregate: { by: [user] }""".formatted(
                    CallPartitions.COUNT,
                    SETTINGS.window().toMinutes(),
                    SETTINGS.cells(),
                    SETTINGS.pairBits(),
                    SETTINGS.limit());

    private final Workplace workplace;
    private final ProcessCluster cluster;
    private final List<Double> detectorCpuSeconds = new ArrayList<>();

    /** Creates an engine with the given number of processors. */
    public CallEngine(Workplace workplace, int detectors) {
        this.workplace = workplace;
        ClusterPlan plan = ClusterPlan.counting(ClusterLayout.of(1, detectors).shared())
                .cycling(Cycles.every("500ms"))
                .aggregating(PIPELINE.replace('\n', ' '))
                .with(NodeMemory.COMPOSING);
        cluster = new ProcessCluster(workplace, plan, ClusterInput.LINES);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        cluster.start(input -> Feeders.calls(workplace, input));
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        double before = ProcessUsage.cpuSeconds(cluster.processorPids());
        cluster.pass((detectorCpuSeconds.size() + 1L) * workplace.points());
        detectorCpuSeconds.add(ProcessUsage.cpuSeconds(cluster.processorPids()) - before);
    }

    /** Returns the processor time of the processors in each pass. */
    public List<Double> detectorCpuSeconds() {
        return List.copyOf(detectorCpuSeconds);
    }

    @Override
    public List<Long> pids() {
        return cluster.pids();
    }

    @Override
    public List<Long> feederPids() {
        return cluster.feederPids();
    }

    @Override
    public ResultTable finish() throws IOException {
        return cluster.finish();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
