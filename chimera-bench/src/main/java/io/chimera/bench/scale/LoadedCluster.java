package io.chimera.bench.scale;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ClusterSecurity;
import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.bench.load.Feed;
import io.chimera.bench.load.HttpConnections;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Cluster that receives points at full speed. One thread. */
public final class LoadedCluster implements AutoCloseable {
    /**
     * Number of connections, and so of requests of 3,000 points that wait for a sync: 1.4 million points/s with a sync
     * every 100 ms. The requests are 50 MB; an input accepts 64 MiB.
     */
    private static final int CONNECTIONS = 48;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Resolution of processor time, the minimum of any measurement. */
    private static final double CPU_SECONDS_MIN = 0.01;

    private final BenchCluster cluster;
    private final ClusterSecurity security;

    /** Opened by the first pass, because an input closes connections without requests. */
    private HttpConnections connections;

    private long sent;

    private LoadedCluster(BenchCluster cluster, ClusterSecurity security) {
        this.cluster = cluster;
        this.security = security;
    }

    /**
     * Starts a cluster without TLS.
     *
     * @param folder folder for journals and logs
     */
    static LoadedCluster start(ChimeraHome home, Path folder, ClusterPlan plan)
            throws IOException, InterruptedException {
        return start(home, folder, plan, new FreePorts(BenchCluster.PORTS), ClusterSecurity.none());
    }

    /**
     * Starts a cluster.
     *
     * @param folder folder for journals and logs
     * @param ports source of {@link BenchCluster#PORTS} free ports
     * @param security TLS of the connections
     */
    public static LoadedCluster start(
            ChimeraHome home, Path folder, ClusterPlan plan, FreePorts ports, ClusterSecurity security)
            throws IOException, InterruptedException {
        LoadedCluster fed =
                new LoadedCluster(new BenchCluster(home, folder, plan, ports, ClusterInput.INFLUX, security), security);
        try {
            fed.cluster.start();
            return fed;
        } catch (IOException | InterruptedException | RuntimeException e) {
            fed.close();
            throw e;
        }
    }

    /** Sends the given number of bodies and waits until all their points are stored. */
    public ClusterCost pass(Feed feed, long bodies) throws IOException, InterruptedException {
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
        return new ClusterCost(points, took, wall);
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
