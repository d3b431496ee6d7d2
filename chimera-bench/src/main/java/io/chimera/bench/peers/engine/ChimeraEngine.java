package io.chimera.bench.peers.engine;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.peers.counting.CountingStore;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.child.FreePorts;
import io.chimera.node.child.KairosReader;
import io.chimera.node.child.KairosServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Chimera in real processes: a cluster fed over HTTP, with every point in the journal before its acknowledgement, and
 * rows read back from the store before a cycle is committed. A pass ends when the coordinator has accounted for all its
 * points.
 */
public final class ChimeraEngine implements Engine {
    private final Workplace workplace;
    private final ChimeraSetup setup;
    private final PointShape shape;
    private final FreePorts ports = new FreePorts(BenchCluster.PORTS + 1);
    private final String store = ports.next();
    private final BenchCluster cluster;
    private final long startMs = System.currentTimeMillis();
    private ChildProcess kairos;
    private PeerProcess feeder;
    private int passes;

    /** Creates an engine with a setup. */
    public ChimeraEngine(Workplace workplace, ChimeraSetup setup, PointShape shape) {
        this.workplace = workplace;
        this.setup = setup;
        this.shape = shape;
        cluster = new BenchCluster(workplace.home(), workplace.folder(), setup.plan(store), ports);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        if (setup.toKairosDb()) {
            startKairosDb();
        }
        cluster.start(processor -> List.of("-D" + CountingStore.RESULTS + "=" + results(processor)));
        feeder = Feeders.http(workplace, cluster.inputs());
    }

    private void startKairosDb() throws InterruptedException {
        Path folder = workplace.folder().resolve("kairosdb");
        kairos = ChildProcess.start(
                "KairosDB",
                KairosServer.command(workplace.home(), store, folder),
                folder,
                workplace.folder().resolve("kairosdb.log"));
        KairosReader reader = new KairosReader(store);
        kairos.awaitReady(reader::isReady);
    }

    private Path results(String processor) {
        return workplace.folder().resolve(processor + ".results");
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        passes++;
        feeder.go();
        feeder.awaitDone();
        cluster.awaitAggregated((long) passes * workplace.points());
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
        ResultTable results = new ResultTable();
        if (setup.toKairosDb()) {
            results.add(KairosResults.read(new KairosReader(store), shape, startMs));
        }
        feeder.close();
        cluster.close();
        if (!setup.toKairosDb()) {
            for (String processor : cluster.processors()) {
                results.add(ResultTable.read(results(processor)));
            }
        }
        return results;
    }

    @Override
    public void close() {
        if (feeder != null) {
            feeder.close();
        }
        cluster.close();
        if (kairos != null) {
            kairos.close();
        }
    }
}
