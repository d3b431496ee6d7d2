package io.chimera.bench.peers.engine;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.peers.counting.CountingStore;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Cluster of processes with counting stores, and a process that writes to the only input. One thread. */
final class ProcessCluster implements AutoCloseable {
    private final Workplace workplace;
    private final BenchCluster cluster;
    private PeerProcess feeder;

    ProcessCluster(Workplace workplace, ClusterPlan plan, ClusterInput input) {
        this.workplace = workplace;
        cluster =
                new BenchCluster(workplace.home(), workplace.folder(), plan, new FreePorts(BenchCluster.PORTS), input);
    }

    /** Starts the nodes, then the feeder of the input. */
    void start(NewFeeder newFeeder) throws IOException, InterruptedException {
        cluster.start(processor -> List.of("-D" + CountingStore.RESULTS + "=" + results(processor)));
        feeder = newFeeder.to(cluster.inputs().get(0));
    }

    private Path results(String processor) {
        return workplace.folder().resolve(processor + ".results");
    }

    /** Sends all points once, and waits until the given number of points since the start is accounted for. */
    void pass(long aggregated) throws IOException, InterruptedException {
        feeder.go();
        feeder.awaitDone();
        cluster.awaitAggregated(aggregated);
    }

    List<Long> pids() {
        return cluster.pids();
    }

    List<Long> processorPids() {
        return cluster.pids(cluster.processors());
    }

    List<Long> feederPids() {
        return feeder == null ? List.of() : List.of(feeder.pid());
    }

    /** Stops all processes and reads the results. */
    ResultTable finish() throws IOException {
        close();
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

    /** Starts a feeder for an address. */
    interface NewFeeder {
        PeerProcess to(String input) throws IOException;
    }
}
