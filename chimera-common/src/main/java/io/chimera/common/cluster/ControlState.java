package io.chimera.common.cluster;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What ZooKeeper's tree alone knows and the work depends on: the content of cycles, and which of them are over. Each queue node keeps a
 * copy in its data folder, from which the tree can be rebuilt. Commits are left out: a shard whose commit is lost is done again and
 * writes the same rows.
 *
 * @param low the low-water mark
 * @param epoch highest epoch of a conductor that began a cycle
 * @param group ids of the queue nodes that belong to the group
 * @param cycles open cycles by number, without their commits
 * @param replays the replay mark, the open replay cycle and the requests that are not done
 */
public record ControlState(
        LowMark low, long epoch, List<String> group, SortedMap<Long, OpenCycle> cycles, Replays replays) {
    /** Nothing known. */
    public static final ControlState NONE = new ControlState(LowMark.NONE, 0, List.of(), new TreeMap<>(), Replays.NONE);

    /** Takes unmodifiable copies. */
    public ControlState {
        group = List.copyOf(group);
        cycles = Collections.unmodifiableSortedMap(new TreeMap<>(cycles));
    }

    /** The control state that a view shows. */
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
                view.group(),
                cycles,
                new Replays(view.replays().mark(), replay, requests));
    }

    private static OpenCycle uncommitted(OpenCycle open) {
        return new OpenCycle(open.cycle(), open.assignment(), new TreeMap<>());
    }

    /** The same with at least this epoch. */
    public ControlState atLeast(long least) {
        return least <= epoch ? this : new ControlState(low, least, group, cycles, replays);
    }

    /** Number of the newest cycle that had begun. */
    public long newest() {
        return cycles.isEmpty() ? low.cycle() : cycles.lastKey();
    }

    /** The cut of that cycle. */
    public SortedMap<Long, Long> lastCut() {
        return cycles.isEmpty()
                ? low.cut()
                : cycles.get(cycles.lastKey()).cycle().cut();
    }

    /** How far it reaches. */
    public ControlMark mark() {
        return ControlMark.of(low.history(), low.cycle(), newest());
    }

    /** Whether no cycle is missing between the mark and the newest one. */
    public boolean isWhole() {
        return cycles.isEmpty() || (cycles.firstKey() == low.cycle() + 1 && newest() - low.cycle() == cycles.size());
    }

    /** Sum over the open cycles of the times that they were assigned anew; grows while cycles stay the same. */
    public long reassignments() {
        return cycles.values().stream()
                .mapToLong(open -> open.assignment().version())
                .sum();
    }
}
