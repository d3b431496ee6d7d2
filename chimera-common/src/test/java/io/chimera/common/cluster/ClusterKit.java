package io.chimera.common.cluster;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.archive.Archives;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Store operations, members and cycles for {@link ClusterContract}. */
public abstract class ClusterKit {
    static final LowMark.Totals ACCOUNTS = new LowMark.Totals(5, 5, 0, 0, 0, 5);

    /** Connects a node. */
    protected abstract Cluster join();

    /** Connects a coordinator. */
    protected abstract CycleStore lead();

    /** Expires the session of a node; the node keeps running and reconnects. */
    protected abstract void expire(Cluster node);

    /** Expires the session of a coordinator; the coordinator keeps running and reconnects. */
    protected abstract void expire(CycleStore lead);

    /** Raises the epoch without the coordinator's knowledge. */
    protected abstract void overtake(CycleStore lead);

    /** Submits a replay request, like an operator. */
    protected abstract void requestReplay(ReplayRequest request);

    /** Withdraws a replay request, like an operator. */
    protected abstract void withdrawReplay(String id);

    /** Makes the store unreachable for all clients. */
    protected abstract void stop();

    /** Makes the store reachable again, without data loss. */
    protected abstract void start();

    /** Advances a store without threads of its own by one step. */
    protected void step() {}

    /** Returns a coordinator after its election. */
    final CycleStore leading() {
        CycleStore lead = lead();
        until(() -> lead.epoch() > 0 && lead.view().connected());
        return lead;
    }

    final void until(BooleanSupplier condition) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(() -> {
            step();
            return condition.getAsBoolean();
        });
    }

    static ReplayRequest replayOf(long... cycles) {
        List<PastCycle> past = Arrays.stream(cycles)
                .mapToObj(number -> new PastCycle(number, CycleTime.of(number * 10), cut(number), cut(number + 5)))
                .toList();
        return new ReplayRequest("r-1", "", past);
    }

    static Cycle replayCycle(CycleStore lead, long number, long repeated) {
        return new Cycle(
                Cycle.REPLAYS + number,
                lead.epoch(),
                CycleTime.of(repeated * 10),
                cut(9),
                List.of(11L, 12L),
                List.of(21L, 22L),
                Optional.of(new Replay("r-1", repeated, cut(3), "p")));
    }

    final void commitAll(CycleStore lead, Cluster node, long number) {
        assertThat(lead.begin(cycle(lead, number), assignment(0))).isTrue();
        node.commit(commit(number, 0, 21), 0);
        node.commit(commit(number, 1, 22), 0);
        until(() -> lead.view().cycles().get(number) != null
                && lead.view().cycles().get(number).isCommitted());
        until(() -> node.view().cycles().get(number) != null
                && node.view().cycles().get(number).isCommitted());
    }

    /**
     * Waits until all earlier commits of the node were tried: commits of one node take effect in order, so a visible
     * later commit proves the attempt of the earlier commits.
     */
    final void settleCommits(Cluster node, CycleStore lead) {
        ClusterView view = lead.view();
        long next =
                (view.cycles().isEmpty() ? view.low().cycle() : view.cycles().lastKey()) + 1;
        assertThat(lead.begin(cycle(lead, next), assignment(0))).isTrue();
        node.commit(commit(next, 0, 21), 0);
        until(() -> isCommitted(lead, next, 0));
    }

    static boolean isCommitted(CycleStore lead, long cycle, int shard) {
        OpenCycle open = lead.view().cycles().get(cycle);
        return open != null && open.isCommitted(shard);
    }

    /** Queue node with an empty journal. */
    public static QueueMember queue(String id, long session) {
        return queue(id, session, Positions.NONE);
    }

    public static QueueMember queue(String id, long session, Positions positions) {
        return new QueueMember(id, session, "a:1", "h:2", session + 100, "d", Positions.NONE, positions, false);
    }

    /** Returns a copy of a queue node that begins to leave. */
    public static QueueMember leaving(QueueMember node) {
        return new QueueMember(
                node.id(),
                node.group(),
                node.session(),
                node.address(),
                node.http(),
                node.stream(),
                node.digests(),
                node.bases(),
                node.positions(),
                true,
                node.unreachable(),
                node.clockMs(),
                node.past(),
                node.kept(),
                node.journal());
    }

    static boolean isLeaving(Cluster node, long session) {
        return node.view().queue(session).filter(QueueMember::leaving).isPresent();
    }

    /** Returns a view with registered and live queue nodes, and without cycles. */
    public static ClusterView view(Roster roster, QueueMember... live) {
        return new ClusterView(
                1,
                true,
                List.of(live),
                List.of(),
                RegisteredNodes.of(roster.size()),
                new TreeMap<>(),
                LowMark.NONE,
                Replays.NONE,
                Archives.NONE,
                roster,
                CopiedJournals.NONE);
    }

    public static ProcessorMember processor(String id, long session) {
        return new ProcessorMember(id, session, "a:1", "h:2", "d", false);
    }

    static Cycle cycle(CycleStore lead, long number) {
        return new Cycle(number, lead.epoch(), number * 10, cut(number * 5), List.of(11L, 12L), List.of(21L, 22L));
    }

    static Assignment assignment(int version) {
        return new Assignment(version, List.of(11L, 12L + version), List.of(21L, 22L));
    }

    static ShardCommit commit(long cycle, int shard, long session) {
        return new ShardCommit(cycle, shard, session, new ShardCommit.Accounts(1, 2, 3, 4), 5, -6);
    }

    static LowMark mark(long cycle) {
        return new LowMark(cycle, cycle * 10, cut(cycle * 5), ACCOUNTS);
    }

    static Positions cut(long position) {
        return Positions.of(-7, position);
    }
}
