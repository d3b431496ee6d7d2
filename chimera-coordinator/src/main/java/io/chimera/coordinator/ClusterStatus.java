package io.chimera.coordinator;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Roster;
import io.chimera.coordinator.conductor.CommittedCycle;
import io.chimera.coordinator.conductor.ConductorStatus;
import io.chimera.coordinator.conductor.CycleAccounts;
import io.chimera.coordinator.plan.ConfigurationRollout;
import io.chimera.coordinator.watch.Standstill;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of the cluster for people and scripts. Jackson writes it as JSON with names in snake_case. Sessions are hex
 * strings.
 *
 * @param cluster name of the cluster
 * @param coordinator id of the coordinator that produced this status
 * @param connected whether the coordinator is connected to ZooKeeper; if not, the members and cycles are from the last
 *     view
 * @param problem reason why the coordinator cannot work; empty if none
 * @param conductor id of the coordinator that leads, or led last
 * @param epoch epoch of the conductor
 * @param leading whether this coordinator leads; only then are waiting and committed known
 * @param waiting reason why no cycle begins, or an open cycle does not end; null when there is no standstill
 * @param alarms alarms about journal groups, as sentences
 * @param change reason why a wanted configuration is not in force; empty when all configurations agree
 * @param members live nodes: queue nodes, then processors, each sorted by id
 * @param dead registered queue nodes that are not live, sorted by id; a node with all its lanes once
 * @param groups configured journal groups with registered queue nodes, sorted by name
 * @param registered number of registered queue nodes of all journal groups, live or not
 * @param open cycles above the low-water mark, by number
 * @param lastCycle cycle of the low-water mark
 * @param totals accounts of all cycles up to the low-water mark
 * @param unaccounted points of these cycles without an account in any commit; must be 0
 * @param lastCommitLatencyMs time from start to last commit of the newest committed cycle; -1 if none
 * @param committed last cycles that the conductor saw committed, oldest first
 * @param replays replay requests, in the order of execution
 * @param replayed accounts of all replayed cycles; not part of totals
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ClusterStatus(
        String cluster,
        String coordinator,
        boolean connected,
        String problem,
        String conductor,
        long epoch,
        boolean leading,
        @Nullable Standstill waiting,
        List<String> alarms,
        String change,
        List<Member> members,
        List<DeadQueueNode> dead,
        List<GroupSize> groups,
        int registered,
        List<Open> open,
        long lastCycle,
        LowMark.Totals totals,
        long unaccounted,
        long lastCommitLatencyMs,
        List<CommittedCycle> committed,
        List<ReplayStatus> replays,
        LowMark.Totals replayed) {
    /**
     * A live node.
     *
     * @param role queue or processor
     * @param id id of the node
     * @param group journal group of a queue node; empty for a processor
     * @param session session of the node
     * @param address endpoint for other nodes
     * @param http endpoint of health and metrics
     * @param leaving whether the node drains
     * @param copied whether a queue node has shown that other journals hold its records, so that it may be removed
     *     after its death; false for a processor
     * @param excluded whether the node gets no work because its pipelines or plugins differ from the configuration in
     *     force
     * @param difference how the configuration of an excluded node differs, phrased to follow "it"; empty for other
     *     nodes
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Member(
            String role,
            String id,
            String group,
            String session,
            String address,
            String http,
            boolean leaving,
            boolean copied,
            boolean excluded,
            String difference) {}

    /**
     * A registered queue node that is not live, or a registered lane that is not live although its node is.
     *
     * @param id id of the node or lane
     * @param group its journal group; empty while the group is unknown
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record DeadQueueNode(String id, String group) {}

    /**
     * Size of a configured journal group.
     *
     * @param name name of the group
     * @param nodes number of registered queue nodes, live or not
     * @param copies number of copies of a point that queue.acks requires of a group with enough nodes
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record GroupSize(String name, int nodes, int copies) {}

    /**
     * An open cycle.
     *
     * @param cycle number of the cycle
     * @param timeMs time of its rows
     * @param points records between the previous cut and its own; -1 when the previous cut is unknown
     * @param digest configuration digest of the cycle
     * @param attempt number of reassignments
     * @param owners owner of each part
     * @param shards processor and commit of each shard
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Open(
            long cycle,
            long timeMs,
            long points,
            String digest,
            int attempt,
            List<String> owners,
            List<Shard> shards) {}

    /**
     * A shard of a cycle.
     *
     * @param shard number of the shard
     * @param processor id of its processor, or the session in hex when the processor is gone
     * @param committed whether the shard is committed
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Shard(int shard, String processor, boolean committed) {}

    static ClusterStatus of(
            CoordinatorSettings settings,
            ZooKeeperSession session,
            ConductorStatus conductor,
            ConfigurationDigest wanted) {
        ClusterView view = session.view();
        List<Open> open = new ArrayList<>();
        Map<Long, String> names = names(view);
        view.cycles().values().forEach(cycle -> open.add(open(view, cycle, names)));
        return new ClusterStatus(
                settings.zooKeeper().cluster(),
                settings.id(),
                view.connected(),
                session.problem().or(() -> CycleAccounts.problem(view)).orElse(""),
                session.conductor(),
                session.epoch(),
                conductor.epoch() > 0,
                conductor.waiting().orElse(null),
                GroupAlarms.of(view, settings.conductor().copies()),
                ConfigurationRollout.waiting(view, wanted),
                members(view, view.lastDigest().isEmpty() ? wanted : view.lastDigest(), wanted),
                dead(view),
                groups(view, settings.conductor().copies().wanted()),
                view.registered(),
                open,
                view.low().cycle(),
                view.low().totals(),
                view.low().totals().unaccounted(),
                conductor.lastCommitLatencyMs(),
                conductor.committed(),
                view.replays().requests().values().stream()
                        .map(ReplayStatus::of)
                        .toList(),
                view.replays().mark().totals());
    }

    /** Describes why a member gets no work now, phrased to follow "it"; empty for a member with the digest in force. */
    private static String difference(
            boolean isHeld, boolean isWaiting, ConfigurationDigest digest, ConfigurationDigest other) {
        if (isHeld) {
            return "";
        }
        return isWaiting ? "waits until all nodes have its configuration" : digest.difference(other);
    }

    private static List<Member> members(ClusterView view, ConfigurationDigest digest, ConfigurationDigest wanted) {
        List<Member> members = new ArrayList<>();
        view.queues()
                .forEach(queue -> members.add(new Member(
                        "queue",
                        queue.id(),
                        queue.group().name(),
                        Long.toHexString(queue.session()),
                        queue.address(),
                        queue.http(),
                        queue.leaving(),
                        view.journals().isCopied(queue.id(), queue.group()),
                        !queue.holds(digest),
                        difference(queue.holds(digest), queue.holds(wanted), digest, queue.digest()))));
        view.processors()
                .forEach(processor -> members.add(new Member(
                        "processor",
                        processor.id(),
                        "",
                        Long.toHexString(processor.session()),
                        processor.address(),
                        processor.http(),
                        processor.leaving(),
                        false,
                        !processor.holds(digest),
                        difference(processor.holds(digest), processor.holds(wanted), digest, processor.digest()))));
        return members;
    }

    private static List<DeadQueueNode> dead(ClusterView view) {
        Roster roster = view.roster();
        SortedSet<String> dead = new TreeSet<>(roster.ids());
        view.queues().forEach(queue -> dead.remove(queue.id()));
        return dead.stream()
                .filter(id -> roster.nodeOf(id).equals(id) || !dead.contains(roster.nodeOf(id)))
                .map(id -> new DeadQueueNode(
                        id,
                        Optional.ofNullable(roster.groups().get(id))
                                .map(JournalGroup::name)
                                .orElse("")))
                .toList();
    }

    private static List<GroupSize> groups(ClusterView view, int copies) {
        return new TreeSet<>(view.roster().groups().values())
                .stream()
                        .filter(group -> group.laneNumber() == 0)
                        .map(group -> new GroupSize(group.name(), view.in(group).members(), copies))
                        .toList();
    }

    private static Map<Long, String> names(ClusterView view) {
        Map<Long, String> names = new HashMap<>();
        view.queues().forEach(queue -> names.put(queue.session(), queue.id()));
        view.processors().forEach(processor -> names.put(processor.session(), processor.id()));
        return names;
    }

    private static Open open(ClusterView view, OpenCycle open, Map<Long, String> names) {
        Assignment assignment = open.assignment();
        List<Shard> shards = new ArrayList<>();
        for (int shard = 0; shard < open.cycle().shards(); shard++) {
            String processor = name(assignment.processors().get(shard), names);
            shards.add(new Shard(shard, processor, open.isCommitted(shard)));
        }
        return new Open(
                open.cycle().number(),
                open.cycle().timeMs(),
                view.cutBefore(open.cycle().number())
                        .map(before -> open.cycle().cut().recordsSince(before))
                        .orElse(-1L),
                assignment.digest().text(),
                assignment.version(),
                assignment.owners().stream().map(owner -> name(owner, names)).toList(),
                shards);
    }

    private static String name(long session, Map<Long, String> names) {
        return names.getOrDefault(session, Long.toHexString(session));
    }
}
