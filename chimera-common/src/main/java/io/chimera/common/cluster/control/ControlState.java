package io.chimera.common.cluster.control;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Control state stored only in ZooKeeper's tree and essential to the cluster: the content of cycles, and the set of
 * finished cycles. Each queue node keeps a copy in its data folder as a source to rebuild the tree. Commits are not
 * copied: a shard with a lost commit is processed again and writes the same rows.
 *
 * @param low the low-water mark
 * @param epoch highest epoch of a conductor with a begun cycle
 * @param roster registered queue nodes
 * @param cycles open cycles by number, without their commits
 * @param replays the replay mark, the open replay cycle and the unfinished requests
 */
public record ControlState(LowMark low, long epoch, Roster roster, SortedMap<Long, OpenCycle> cycles, Replays replays) {
    /** Empty state. */
    public static final ControlState NONE =
            new ControlState(LowMark.NONE, 0, Roster.NONE, new TreeMap<>(), Replays.NONE);

    /** Copies the collections. */
    public ControlState {
        cycles = Collections.unmodifiableSortedMap(new TreeMap<>(cycles));
    }

    /** Extracts the control state of a view. */
    public static ControlState of(ClusterView view) {
        SortedMap<Long, OpenCycle> cycles = new TreeMap<>();
        view.cycles().forEach((number, open) -> cycles.put(number, uncommitted(open)));
        SortedMap<String, ReplayRequest> requests = new TreeMap<>(view.replays().requests());
        requests.values().removeIf(ReplayRequest::isDone);
        Optional<OpenCycle> replay = view.replays().open().map(ControlState::uncommitted);
        long epoch = view.open().stream()
                .mapToLong(open -> open.cycle().epoch())
                .max()
                .orElse(0);
        return new ControlState(
                view.low(),
                epoch,
                view.roster(),
                cycles,
                new Replays(view.replays().mark(), replay, requests));
    }

    private static OpenCycle uncommitted(OpenCycle open) {
        return new OpenCycle(open.cycle(), open.assignment(), new TreeMap<>());
    }

    /** Returns a copy with the journal groups that an earlier state knows, for nodes whose group is unknown. */
    public ControlState resolvedBy(ControlState earlier) {
        return new ControlState(low, epoch, roster.resolvedBy(earlier.roster), cycles, replays);
    }

    /** Returns a copy without a registered queue node. */
    public ControlState without(String queueNode) {
        return new ControlState(low, epoch, roster.without(queueNode), cycles, replays);
    }

    /** Returns a copy with at least this epoch. */
    public ControlState atLeast(long least) {
        return least <= epoch ? this : new ControlState(low, least, roster, cycles, replays);
    }

    /** Number of the newest begun cycle. */
    public long newest() {
        return cycles.isEmpty() ? low.cycle() : cycles.lastKey();
    }

    /** Cut of the newest begun cycle. */
    public Positions lastCut() {
        return cycles.isEmpty()
                ? low.cut()
                : cycles.get(cycles.lastKey()).cycle().cut();
    }

    /** Position of this state. */
    public ControlMark mark() {
        return ControlMark.of(low.history(), low.cycle(), newest());
    }

    /** Returns whether the state has every cycle between the mark and the newest cycle. */
    public boolean isWhole() {
        return cycles.isEmpty() || (cycles.firstKey() == low.cycle() + 1 && newest() - low.cycle() == cycles.size());
    }

    /** Total number of reassignments of the open cycles; increases while the set of cycles is unchanged. */
    public long reassignments() {
        return cycles.values().stream()
                .mapToLong(open -> open.assignment().version())
                .sum();
    }
}
