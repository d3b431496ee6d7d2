package io.chimera.faults.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.identity.LaneId;
import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.PrefixWatch;
import io.chimera.faults.chaos.cluster.PrefixWatch.Mark;
import io.chimera.faults.chaos.cluster.PrefixWatch.Prefix;
import io.chimera.faults.chaos.load.ClientLoad;
import io.chimera.node.Json;
import io.chimera.node.watch.NodeClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Kills all queue nodes of a journal group, and checks that the other groups continue without them. One thread.
 *
 * <p>Cycles with parts of the dead group wait for the group, and the coordinators begin such cycles until the sessions
 * of its nodes have ended. So under load the check covers acknowledgements only. Between two cycles, the clients pause
 * until the sessions have ended; afterwards cycles of the other groups must be committed.
 */
public final class GroupOutage {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofMillis(200);

    /** Time without an open cycle and without a new cycle after the last point: some periods. */
    private static final long QUIET_MS = 3_000;

    private final ChaosCluster cluster;
    private final ClientLoad load;
    private final PrefixWatch watch;
    private final NodeClient client;
    private final List<String> findings = new ArrayList<>();
    private int continued;
    private int waited;

    /**
     * Creates the outage.
     *
     * @param load its clients pause and continue
     * @param watch reports the committed cycles
     */
    public GroupOutage(ChaosCluster cluster, ClientLoad load, PrefixWatch watch) {
        this.cluster = cluster;
        this.load = load;
        this.watch = watch;
        client = cluster.client(TIMEOUT);
    }

    /** Returns descriptions of violations: another group did not continue. */
    public List<String> findings() {
        return List.copyOf(findings);
    }

    /** Returns the number of outages during which cycles of the other groups were committed. */
    public int continued() {
        return continued;
    }

    /** Returns the number of outages during which an open cycle with a part of the dead group waited. */
    public int waited() {
        return waited;
    }

    /** Kills the queue nodes under load, and waits until the clients of the other groups get acknowledgements. */
    Injector.Undo kill(String group) throws InterruptedException {
        List<String> nodes = killAll(group);
        checkAcknowledgements(group);
        return () -> nodes.forEach(cluster::start);
    }

    /**
     * Pauses the clients until no cycle is open, kills the queue nodes, and waits until cycles of the other groups are
     * committed.
     */
    Injector.Undo killBetweenCycles(String group) throws InterruptedException {
        load.pause(PATIENCE);
        awaitQuiet();
        List<String> nodes = killAll(group);
        awaitEndOfSessions(nodes);
        load.resume(others(group));
        checkAcknowledgements(group);
        checkCycles(group);
        return () -> {
            nodes.forEach(cluster::start);
            load.resume();
        };
    }

    private List<String> killAll(String group) throws InterruptedException {
        List<String> nodes = cluster.groups().get(group);
        for (String node : nodes) {
            cluster.process(node).kill();
        }
        return nodes;
    }

    private Set<String> others(String group) {
        return cluster.groups().entrySet().stream()
                .filter(other -> !other.getKey().equals(group))
                .flatMap(other -> other.getValue().stream())
                .collect(Collectors.toSet());
    }

    /** Waits until all cycles are committed and no further cycle begins; on a time-out the check sees open cycles. */
    private void awaitQuiet() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Prefix quiet = watch.prefix();
        long quietNs = System.nanoTime();
        while (System.nanoTime() - quietNs < Duration.ofMillis(QUIET_MS).toNanos()
                && System.nanoTime() - deadline < 0) {
            Thread.sleep(LOOK.toMillis());
            Prefix now = watch.prefix();
            if (now.low() != now.begun() || now.begun() != quiet.begun()) {
                quiet = now;
                quietNs = System.nanoTime();
            }
        }
    }

    private void awaitEndOfSessions(List<String> nodes) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (hasMember(status(), nodes)) {
            if (System.nanoTime() - deadline > 0) {
                findings.add("The sessions of the killed queue nodes " + nodes + " did not end.");
                return;
            }
            Thread.sleep(LOOK.toMillis());
        }
    }

    private void checkAcknowledgements(String group) throws InterruptedException {
        if (!load.awaitAcknowledged(others(group), PATIENCE)) {
            findings.add(
                    "Clients of other journal groups got no acknowledgement while the group " + group + " was dead.");
        }
    }

    private void checkCycles(String group) throws InterruptedException {
        Mark mark = watch.mark();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (watch.await(mark, LOOK) < 0) {
            if (hasLostOwner(status())) {
                waited++;
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                findings.add("No cycle of the other journal groups was committed while the group " + group
                        + " was dead, although no open cycle had its parts.");
                return;
            }
        }
        continued++;
    }

    /** Returns the status of the leading coordinator; an empty object when none answers as the leader. */
    private JsonNode status() throws InterruptedException {
        for (String coordinator : cluster.coordinators()) {
            try {
                JsonNode status = client.status(coordinator, "coordinator");
                if (status.path("leading").asBoolean()) {
                    return status;
                }
            } catch (ChimeraException e) {
                // the other coordinator may lead
            }
        }
        return Json.read("status", "{}");
    }

    /** Returns whether a node is a member; true without a list of members. */
    static boolean hasMember(JsonNode status, List<String> nodes) {
        if (!status.path("members").isArray()) {
            return true;
        }
        for (JsonNode member : status.path("members")) {
            if (nodes.stream()
                    .anyMatch(node -> LaneId.isOf(node, member.path("id").asText()))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a part of an open cycle belongs to a queue node that is no member. */
    static boolean hasLostOwner(JsonNode status) {
        Set<String> members = new TreeSet<>();
        status.path("members").forEach(member -> members.add(member.path("id").asText()));
        for (JsonNode cycle : status.path("open")) {
            for (JsonNode owner : cycle.path("owners")) {
                if (!members.contains(owner.asText())) {
                    return true;
                }
            }
        }
        return false;
    }
}
