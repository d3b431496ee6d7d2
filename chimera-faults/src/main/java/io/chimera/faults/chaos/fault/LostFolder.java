package io.chimera.faults.chaos.fault;

import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.Role;
import io.chimera.node.watch.NodeClient;
import java.time.Duration;
import java.util.List;

/**
 * Gives up the lost data folder of a queue node like an operator, with {@code chimera cluster remove --lost}, if the
 * node with its empty folder waits for this. One thread.
 */
public final class LostFolder {
    private static final String COMMAND = "cluster remove --lost";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long LOOK_MS = 200;

    private final ChaosCluster cluster;

    /** Creates an operator of a cluster. */
    public LostFolder(ChaosCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Waits until a queue node is ready or names the command, and then runs the command; ends without a result after 30
     * s.
     *
     * @param host host of the queue node
     * @return whether the command ran
     */
    public boolean giveUp(String host) throws InterruptedException {
        NodeClient client = cluster.client(TIMEOUT);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0 && !client.isReady(cluster.http(host))) {
            if (client.reasons(cluster.http(host)).contains(COMMAND)) {
                String coordinator = cluster.hosts(Role.COORDINATOR).get(0);
                String configuration = cluster.configurationFile().toString();
                cluster.run(
                        coordinator,
                        List.of(
                                "cluster",
                                "remove",
                                "--lost",
                                host,
                                "--http",
                                cluster.http(coordinator),
                                "--config",
                                configuration));
                return true;
            }
            Thread.sleep(LOOK_MS);
        }
        return false;
    }
}
