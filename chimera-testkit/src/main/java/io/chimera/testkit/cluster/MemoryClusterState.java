package io.chimera.testkit.cluster;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CopiedJournals;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.JournalSuccession;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Persistent state of a {@link MemoryCluster}, independent of sessions, with the write checks of the real store. Knows
 * neither connections nor epochs. Not thread-safe.
 */
final class MemoryClusterState {
    private final TreeMap<String, JournalGroup> roster = new TreeMap<>();

    /** State of the journal of each registered queue node. */
    private final TreeMap<String, JournalState> journals = new TreeMap<>();

    private JournalLosses losses = JournalLosses.NONE;
    private final TreeMap<Long, OpenCycle> cycles = new TreeMap<>();
    private final TreeMap<Long, LowMark.Totals> verified = new TreeMap<>();
    private final TreeMap<Long, OpenCycle> replays = new TreeMap<>();
    private final TreeMap<String, ReplayRequest> requests = new TreeMap<>();
    private LowMark low = LowMark.NONE;
    private ReplayMark replayed = ReplayMark.NONE;

    MemoryClusterState() {}

    /** Returns the current state with the given live members. */
    ClusterView view(long revision, List<QueueMember> queues, List<ProcessorMember> processors) {
        return new ClusterView(
                revision,
                true,
                queues,
                processors,
                RegisteredNodes.of(roster.size()),
                cycles,
                low,
                new Replays(replayed, replays.values().stream().findFirst(), requests),
                Archives.NONE,
                new Roster(roster),
                copies());
    }

    private CopiedJournals copies() {
        TreeMap<String, Long> copied = new TreeMap<>();
        journals.forEach((id, journal) -> journal.copied().ifPresent(seen -> copied.put(id, seen)));
        return new CopiedJournals(losses, copied);
    }

    /** Returns the part of a state that a node reads: of all commits only the commits of some shards. */
    ClusterView scoped(ClusterView state, Set<ShardId> own) {
        TreeMap<Long, OpenCycle> seen = new TreeMap<>();
        state.cycles().forEach((number, open) -> seen.put(number, scoped(open, own)));
        Replays all = state.replays();
        Replays seenReplays = new Replays(all.mark(), all.open().map(open -> scoped(open, own)), all.requests());
        return new ClusterView(
                state.revision(),
                state.connected(),
                state.queues(),
                state.processors(),
                state.registration(),
                seen,
                state.low(),
                seenReplays,
                state.archives(),
                state.roster(),
                state.journals());
    }

    private OpenCycle scoped(OpenCycle open, Set<ShardId> own) {
        TreeMap<Integer, ShardCommit> seen = new TreeMap<>(open.commits());
        seen.values().removeIf(commit -> !own.contains(commit.id()));
        return new OpenCycle(
                open.cycle(),
                open.assignment(),
                seen,
                verified.containsKey(open.cycle().number()));
    }

    /** Begins a new history and drops the old state. */
    void lose(String history) {
        roster.clear();
        journals.clear();
        losses = JournalLosses.NONE;
        cycles.clear();
        verified.clear();
        replays.clear();
        requests.clear();
        low = LowMark.begin(history);
        replayed = ReplayMark.NONE;
    }

    /** Restores a lost state. */
    void recover(ControlState state) {
        roster.putAll(state.roster().groups());
        cycles.clear();
        cycles.putAll(state.cycles());
        verified.clear();
        replays.clear();
        state.replays().open().ifPresent(open -> replays.put(open.cycle().number(), open));
        requests.putAll(state.replays().requests());
        low = state.low();
        replayed = state.replays().mark();
    }

    /** Returns a copy of the verified and not yet deleted cycles. */
    SortedMap<Long, LowMark.Totals> verified() {
        return new TreeMap<>(verified);
    }

    /** Returns whether the journal of a queue node must not follow the registered journal. */
    boolean isRefused(QueueMember node, ClusterView view) {
        JournalSuccession succession = succession(node);
        return succession == JournalSuccession.OUTDATED
                || succession.mayEndOnlyCopy(node, registered(node), losses.of(node.group()), view);
    }

    /** Registers a queue node; a node with another journal than before has lost the earlier one. */
    void register(QueueMember node) {
        if (succession(node).isLoss()) {
            losses = losses.plus(node.group());
        }
        roster.put(node.id(), node.group());
        journals.put(node.id(), node.journal());
    }

    /** A registration of a recovery has no identity, like a registration of an earlier release. */
    private JournalSuccession succession(QueueMember node) {
        return roster.containsKey(node.id())
                ? JournalSuccession.of(node.journal(), registered(node))
                : JournalSuccession.SAME;
    }

    private JournalState registered(QueueMember node) {
        return journals.getOrDefault(node.id(), JournalState.NONE);
    }

    /** Takes note of a changed journal; the registration of a removed node stays missing. */
    void update(QueueMember node) {
        journals.replace(node.id(), node.journal());
    }

    /** Removes queue nodes; their groups lose the journals. See {@code ZooKeeperSession.unregister}. */
    boolean unregister(Collection<String> ids, JournalLosses seen) {
        List<String> registered = ids.stream().filter(roster::containsKey).toList();
        for (String id : registered) {
            JournalGroup group = roster.get(id);
            if (losses.of(group) != seen.of(group)) {
                throw new ChimeraException(Category.WARN, "The journal group " + group + " lost another journal.");
            }
        }
        for (String id : registered) {
            losses = losses.plus(roster.remove(id));
            journals.remove(id);
        }
        return !registered.isEmpty();
    }

    void request(ReplayRequest request) {
        requests.put(request.id(), request);
    }

    void withdraw(String id) {
        requests.remove(id);
    }

    /**
     * Writes a commit, unless the shard is already committed or the cycle reassigned; returns whether the commit was
     * written.
     */
    boolean commit(ShardCommit commit, int assignmentVersion) {
        OpenCycle open = lineOf(commit.cycle()).get(commit.cycle());
        if (open == null || open.assignment().version() != assignmentVersion || open.isCommitted(commit.shard())) {
            return false;
        }
        SortedMap<Integer, ShardCommit> all = new TreeMap<>(open.commits());
        all.put(commit.shard(), commit);
        lineOf(commit.cycle()).put(commit.cycle(), new OpenCycle(open.cycle(), open.assignment(), all));
        return true;
    }

    /** See {@link CycleStore#begin}. */
    boolean begin(Cycle cycle, Assignment assignment) {
        long live = cycles.isEmpty() ? low.cycle() : cycles.lastKey();
        long last = Cycle.isReplay(cycle.number()) ? replayed.cycle() : live;
        if (cycle.number() != last + 1
                || lineOf(cycle.number()).containsKey(cycle.number())
                || assignment.version() != 0) {
            return false;
        }
        lineOf(cycle.number()).put(cycle.number(), new OpenCycle(cycle, assignment, new TreeMap<>()));
        return true;
    }

    /** See {@link CycleStore#assign}. */
    boolean assign(long cycle, Assignment next) {
        OpenCycle open = lineOf(cycle).get(cycle);
        if (open == null || open.assignment().version() + 1 != next.version()) {
            return false;
        }
        lineOf(cycle).put(cycle, new OpenCycle(open.cycle(), next, open.commits()));
        return true;
    }

    /** See {@link CycleStore#verify}. */
    boolean verify(long cycle, LowMark.Totals accounts) {
        OpenCycle open = cycles.get(cycle);
        return open != null
                && open.isCommitted()
                && accounts.equals(verified.merge(cycle, accounts, (old, added) -> old));
    }

    /** See {@link CycleStore#reopen}. */
    boolean reopen(long cycle, Assignment next) {
        OpenCycle open = cycles.get(cycle);
        if (open == null || open.assignment().version() + 1 != next.version()) {
            return false;
        }
        cycles.put(cycle, new OpenCycle(open.cycle(), next, new TreeMap<>()));
        verified.remove(cycle);
        return true;
    }

    /** See {@link CycleStore#advance}. */
    boolean advance(LowMark mark) {
        if (mark.cycle() <= low.cycle()) {
            return mark.equals(low);
        }
        low = mark;
        cycles.headMap(mark.cycle(), true).clear();
        verified.headMap(mark.cycle(), true).clear();
        return true;
    }

    /** See {@link CycleStore#advanceReplay}. */
    boolean advanceReplay(ReplayMark mark, Optional<ReplayRequest> request) {
        boolean isKnown =
                request.isEmpty() || requests.containsKey(request.get().id());
        if (mark.cycle() < replayed.cycle() || !isKnown) {
            return false;
        }
        replayed = mark;
        replays.headMap(mark.cycle(), true).clear();
        request.ifPresent(noted -> requests.put(noted.id(), noted));
        return true;
    }

    private SortedMap<Long, OpenCycle> lineOf(long cycle) {
        return Cycle.isReplay(cycle) ? replays : cycles;
    }
}
