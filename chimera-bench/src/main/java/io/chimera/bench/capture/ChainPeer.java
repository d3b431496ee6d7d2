package io.chimera.bench.capture;

import io.chimera.bench.cluster.BenchCluster;
import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.cluster.ClusterPlan;
import io.chimera.bench.cluster.ProcessUsage;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Process with a cluster whose queue node turns packets of an interface into flows, until standard input ends. Its
 * argument is the folder of the cluster. For each input byte the process prints the number of received packets, the
 * number of dropped packets, and the processor time of all nodes in seconds.
 */
public final class ChainPeer {
    private ChainPeer() {}

    /** Runs the process. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (BenchCluster cluster = new BenchCluster(
                ChimeraHome.find(),
                Path.of(arguments[0]),
                ClusterPlan.forgetting(1, 1),
                new FreePorts(BenchCluster.PORTS),
                ClusterInput.PACKETS)) {
            cluster.start();
            System.out.println(LivePeer.READY);
            while (System.in.read() >= 0) {
                Map<String, Double> metrics = cluster.metrics("q1");
                double dropped =
                        Math.max(of(metrics, "packets_dropped_ring"), of(metrics, "packets_dropped_interface"));
                System.out.println(LivePeer.MARK + " " + (long) of(metrics, "packets") + " " + (long) dropped + " "
                        + ProcessUsage.cpuSeconds(cluster.pids()));
            }
        }
    }

    private static double of(Map<String, Double> metrics, String counter) throws IOException {
        Double value = metrics.get("chimera_capture_" + counter + "_total");
        if (value == null) {
            throw new IOException("The queue node has no capture counter " + counter + ".");
        }
        return value;
    }
}
