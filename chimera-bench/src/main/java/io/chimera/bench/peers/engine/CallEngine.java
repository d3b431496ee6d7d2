package io.chimera.bench.peers.engine;

import io.chimera.apps.node.child.FreePorts;
import io.chimera.apps.voip.VoipSettings;
import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.NodeMemory;
import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.bench.peers.counting.CountingStore;
import io.chimera.bench.peers.job.CallPartitions;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * VoIPSTREAM on Chimera: a cluster of processes that takes calls over a TCP connection, with each of them in the journal, calls
 * sent to the processors of their users, and alerts aggregated per user and cycle. A pass is over when the coordinator
 * has accounted for every call.
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
    private final BenchCluster cluster;
    private final List<Double> detectorCpuSeconds = new ArrayList<>();
    private PeerProcess feeder;

    /** Chimera with so many processors. */
    public CallEngine(Workplace workplace, int detectors) {
        this.workplace = workplace;
        ClusterPlan plan = new ClusterPlan(
                true,
                1,
                detectors,
                1,
                "500ms",
                "interval",
                PIPELINE.replace('\n', ' '),
                "type: counting",
                NodeMemory.COMPOSING);
        cluster = new BenchCluster(
                workplace.home(), workplace.folder(), plan, new FreePorts(BenchCluster.PORTS), ClusterInput.LINES);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        cluster.start(processor -> List.of("-D" + CountingStore.RESULTS + "=" + results(processor)));
        feeder = Feeders.calls(workplace, cluster.inputs().get(0));
    }

    private Path results(String processor) {
        return workplace.folder().resolve(processor + ".results");
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        double before = ProcessUsage.cpuSeconds(cluster.processorPids());
        feeder.go();
        feeder.awaitDone();
        cluster.awaitAggregated((detectorCpuSeconds.size() + 1L) * workplace.points());
        detectorCpuSeconds.add(ProcessUsage.cpuSeconds(cluster.processorPids()) - before);
    }

    /** Processor time that the processors took in each pass. */
    public List<Double> detectorCpuSeconds() {
        return List.copyOf(detectorCpuSeconds);
    }

    @Override
    public List<Long> pids() {
        return cluster.pids();
    }

    @Override
    public List<Long> feederPids() {
        return feeder == null ? List.of() : List.of(feeder.pid());
    }

    @Override
    public ResultTable finish() throws IOException, InterruptedException {
        feeder.close();
        cluster.close();
        ResultTable results = new ResultTable();
        for (String processor : cluster.processors()) {
            results.add(ResultTable.read(results(processor)));
        }
        return results;
    }

    @Override
    public void close() {
        if (feeder != null) {
            feeder.close();
        }
        cluster.close();
    }
}
