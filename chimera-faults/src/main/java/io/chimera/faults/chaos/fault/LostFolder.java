package io.chimera.faults.chaos.fault;

import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.Role;
import io.chimera.node.watch.NodeClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Gives up the lost data folder of a queue node like an operator, with {@code chimera cluster remove --lost}, if the
 * node with its empty folder waits for this. One thread.
 */
public final class LostFolder {
    /** The command in a reason, with the id of the node or lane. */
    private static final Pattern COMMAND = Pattern.compile("cluster remove --lost ([^,;\\s]+)");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long LOOK_MS = 200;

    private final ChaosCluster cluster;

    /** Creates an operator of a cluster. */
    public LostFolder(ChaosCluster cluster) {
        this.cluster = cluster;
    }

    /** Result of the wait for a queue node with an empty folder. */
    public enum Result {
        /** The node has joined: its earlier folder had no only copy. */
        JOINED,

        /** The command has given the folder up. */
        GIVEN_UP,

        /** The node neither joined nor named the command in time. */
        TIMED_OUT
    }

    /**
     * Waits at most 30 s until a queue node is ready or names the command, and then runs the command for the named node
     * or lanes.
     *
     * @param host host of the queue node
     */
    public Result giveUp(String host) throws InterruptedException {
        NodeClient client = cluster.client(TIMEOUT);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            if (client.isReady(cluster.http(host))) {
                return Result.JOINED;
            }
            Set<String> lost = lostIn(client.reasons(cluster.http(host)));
            if (!lost.isEmpty()) {
                for (String member : lost) {
                    remove(member);
                }
                return Result.GIVEN_UP;
            }
            Thread.sleep(LOOK_MS);
        }
        return Result.TIMED_OUT;
    }

    /** Returns the ids in the commands that the reasons of a node name. */
    static Set<String> lostIn(String reasons) {
        return COMMAND.matcher(reasons)
                .results()
                .map(command -> command.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void remove(String member) throws InterruptedException {
        String coordinator = cluster.hosts(Role.COORDINATOR).get(0);
        cluster.run(
                coordinator,
                List.of(
                        "cluster",
                        "remove",
                        "--lost",
                        member,
                        "--http",
                        cluster.http(coordinator),
                        "--config",
                        cluster.configurationFile().toString()));
    }
}
