package io.chimera.coordinator;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.chimera.common.cluster.Agreement;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The cluster at a moment, for people and scripts: Jackson writes it as JSON with names in snake_case. Sessions are hex
 * strings.
 *
 * @param cluster its name
 * @param coordinator who says this
 * @param connected whether the coordinator sees ZooKeeper; if not, the rest is what it saw last
 * @param problem what keeps it from its work, in words; empty when nothing does
 * @param conductor the coordinator that leads, or led last
 * @param epoch of its lead
 * @param leading whether that is the one who says this; only then are waiting and committed known
 * @param waiting why no cycle begins, or an open cycle does not end; null when cycles do
 * @param alarm what the operator must know although cycles begin; empty when all is well
 * @param change why other pipelines than those in force are wanted and not taken up; empty when none are
 * @param members live nodes: queue nodes, then processors, each by id
 * @param registered number of queue nodes that belong to the group, alive or not
 * @param open cycles above the low-water mark, by number
 * @param lastCycle the last cycle that is committed with all before it
 * @param totals over all cycles up to that one
 * @param unaccounted points of these that no commit accounts for; must be 0
 * @param lastCommitLatencyMs from begin to last commit of the newest cycle that is; -1 when there is none
 * @param committed the last cycles that the conductor saw committed, oldest first
 * @param replays past cycles that were asked for again, in the order in which they run
 * @param replayed accounts of all past cycles that were run again; they are not in totals
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
        Standstill waiting,
        String alarm,
        String change,
        List<Member> members,
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
     * @param id its name
     * @param session of this start of it
     * @param address where other nodes connect
     * @param http where it serves health and metrics
     * @param leaving whether it asked to leave
     * @param excluded whether it gets no work because it does not have the pipelines in force, or a plugin of theirs
     * @param difference in what it differs then, in words that follow "it"; empty otherwise
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Member(
            String role,
            String id,
            String session,
            String address,
            String http,
            boolean leaving,
            boolean excluded,
            String difference) {}

    /**
     * A cycle that is not over.
     *
     * @param cycle its number
     * @param timeMs time of its rows
     * @param points records that its cut names; -1 when the cut before is not known
     * @param digest of the pipelines that it is processed with
     * @param attempt number of times it was assigned anew
     * @param owners who sends each part
     * @param shards who takes each shard, and whether it is committed
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
     * @param shard its number
     * @param processor id of the processor that takes it, or its session when that is gone
     * @param committed whether it is committed
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Shard(int shard, String processor, boolean committed) {}

    static ClusterStatus of(
            CoordinatorSettings settings, ZooKeeperSession session, ConductorStatus conductor, String wanted) {
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
                settings.conductor().copies().alarm(view).orElse(""),
                Changeover.waiting(view, wanted),
                members(view, view.lastDigest().isEmpty() ? wanted : view.lastDigest()),
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

    private static List<Member> members(ClusterView view, String digest) {
        List<Member> members = new ArrayList<>();
        view.queues()
                .forEach(queue -> members.add(new Member(
                        "queue",
                        queue.id(),
                        Long.toHexString(queue.session()),
                        queue.address(),
                        queue.http(),
                        queue.leaving(),
                        !queue.holds(digest),
                        queue.holds(digest) ? "" : Agreement.difference(digest, queue.digest()))));
        view.processors()
                .forEach(processor -> members.add(new Member(
                        "processor",
                        processor.id(),
                        Long.toHexString(processor.session()),
                        processor.address(),
                        processor.http(),
                        processor.leaving(),
                        !processor.holds(digest),
                        processor.holds(digest) ? "" : Agreement.difference(digest, processor.digest()))));
        return members;
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
                        .map(before -> Cuts.points(before, open.cycle().cut()))
                        .orElse(-1L),
                assignment.digest(),
                assignment.version(),
                assignment.owners().stream().map(owner -> name(owner, names)).toList(),
                shards);
    }

    private static String name(long session, Map<Long, String> names) {
        return names.getOrDefault(session, Long.toHexString(session));
    }
}
