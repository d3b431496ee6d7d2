package io.chimera.bench.tls;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ClusterSecurity;
import io.chimera.bench.load.BodySource;
import io.chimera.bench.load.Feed;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.bench.scale.ClusterCost;
import io.chimera.bench.scale.LoadedCluster;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs clusters of two queue nodes and a processor in parallel, one per kind of protection, and feeds them in turn, so
 * that other load of the machine affects all clusters alike. A cluster without input is idle.
 */
final class TlsRun {
    private static final int QUEUE_NODES = 2;
    private static final int PROCESSORS = 1;
    private static final int BODY_POINTS = 3_000;
    private static final int BODIES = 20;
    private static final int WARMUPS = 3;

    private final ChimeraHome home;
    private final int bodies;
    private final int rounds;
    private final Consumer<String> log;

    /**
     * Creates a run.
     *
     * @param bodies requests per pass
     * @param rounds counted passes of each cluster
     */
    TlsRun(ChimeraHome home, int bodies, int rounds, Consumer<String> log) {
        this.home = home;
        this.bodies = bodies;
        this.rounds = rounds;
        this.log = log;
    }

    /**
     * Returns points per second of processor time of each pass, by protection; round i of all protections was measured
     * together.
     */
    Map<Protection, List<Double>> rates() throws IOException, InterruptedException {
        Path folder = BenchFolder.emptied(home.folder().resolve("chimera-bench/target/tls"));
        PointShape shape = PointShape.TEN_FIELDS;
        Feed points = new Feed(
                BodySource.repeating(PointText.of(shape).lines(BODIES * BODY_POINTS), BODY_POINTS * shape.lineLength()),
                BODY_POINTS);
        Map<Protection, LoadedCluster> clusters = new EnumMap<>(Protection.class);
        Map<Protection, List<Double>> rates = new EnumMap<>(Protection.class);
        try {
            FreePorts ports = new FreePorts(BenchCluster.PORTS * Protection.values().length);
            for (Protection protection : Protection.values()) {
                clusters.put(protection, start(folder.resolve(protection.figure()), protection, ports));
                rates.put(protection, new ArrayList<>());
            }
            for (int round = -WARMUPS; round < rounds; round++) {
                for (Map.Entry<Protection, LoadedCluster> cluster : clusters.entrySet()) {
                    ClusterCost cost = cluster.getValue().pass(points, bodies);
                    log.accept(String.format(
                            Locale.ROOT,
                            "%s, round %d: %,.0f points per CPU-s",
                            cluster.getKey().figure(),
                            round,
                            cost.pointsPerCpuSecond()));
                    if (round >= 0) {
                        rates.get(cluster.getKey()).add(cost.pointsPerCpuSecond());
                    }
                }
            }
        } catch (IOException e) {
            throw new IOException(e.getMessage() + " The logs are in " + folder + ".", e);
        } finally {
            for (LoadedCluster cluster : clusters.values()) {
                cluster.close();
            }
        }
        BenchFolder.delete(folder);
        return rates;
    }

    private LoadedCluster start(Path folder, Protection protection, FreePorts ports)
            throws IOException, InterruptedException {
        ClusterSecurity security =
                ClusterSecurity.of(folder.resolve("ca"), protection.coversNodes(), protection.coversInputs());
        return LoadedCluster.start(home, folder, ClusterPlan.forgetting(QUEUE_NODES, PROCESSORS), ports, security);
    }
}
