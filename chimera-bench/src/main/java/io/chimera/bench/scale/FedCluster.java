package io.chimera.bench.scale;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.apps.node.child.FreePorts;
import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ClusterSecurity;
import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.bench.load.HttpConnections;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A cluster that is sent points as fast as it takes them. One thread. */
public final class FedCluster implements AutoCloseable {
    /**
     * So many requests of 3,000 points may wait for a sync: 1.4 million points a second at 100 ms. They are 50 MB; an input
     * holds 64 MiB.
     */
    private static final int CONNECTIONS = 48;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The clock of processor time ticks that often; what took less took that. */
    private static final double CPU_SECONDS_MIN = 0.01;

    private final BenchCluster cluster;
    private final ClusterSecurity security;

    /** Opened by the first pass: an input closes connections on which no request comes. */
    private HttpConnections connections;

    private long sent;

    private FedCluster(BenchCluster cluster, ClusterSecurity security) {
        this.cluster = cluster;
        this.security = security;
    }

    /**
     * Starts one.
     *
     * @param folder takes journals and logs
     */
    static FedCluster start(ChimeraHome home, Path folder, ClusterPlan plan) throws IOException, InterruptedException {
        return start(home, folder, plan, new FreePorts(BenchCluster.PORTS), ClusterSecurity.none());
    }

    /**
     * Starts one.
     *
     * @param folder takes journals and logs
     * @param ports has {@link BenchCluster#PORTS} left
     * @param security which connections use TLS
     */
    public static FedCluster start(
            ChimeraHome home, Path folder, ClusterPlan plan, FreePorts ports, ClusterSecurity security)
            throws IOException, InterruptedException {
        FedCluster fed =
                new FedCluster(new BenchCluster(home, folder, plan, ports, ClusterInput.INFLUX, security), security);
        try {
            fed.cluster.start();
            return fed;
        } catch (IOException | InterruptedException | RuntimeException e) {
            fed.close();
            throw e;
        }
    }

    /** Sends so many bodies and waits until all their points are stored. */
    public Cost pass(Feed feed, long bodies) throws IOException, InterruptedException {
        if (connections == null) {
            connections = new HttpConnections(cluster.inputs(), CONNECTIONS, security.senders());
        }
        long points = bodies * feed.bodyPoints();
        double cpu = ProcessUsage.cpuSeconds(cluster.pids());
        long startNs = System.nanoTime();
        connections.sendAll(PATIENCE, bodies, feed.bodies());
        sent += points;
        cluster.awaitAggregated(sent);
        double wall = (System.nanoTime() - startNs) / (double) TimeUnit.SECONDS.toNanos(1);
        double took = Math.max(CPU_SECONDS_MIN, ProcessUsage.cpuSeconds(cluster.pids()) - cpu);
        return new Cost(points, took, wall);
    }

    @Override
    public void close() throws IOException {
        try {
            if (connections != null) {
                connections.close();
            }
        } finally {
            cluster.close();
        }
    }
}
