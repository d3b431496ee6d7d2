package io.chimera.common.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that a node knows of its cluster at one moment; immutable. Nodes act on the newest view, never on single events, so
 * a missed or repeated event changes nothing.
 *
 * @param revision grows with every change
 * @param connected false while the coordinator cannot be reached: ingest goes on, nothing begins, nothing commits
 * @param queues live queue nodes, ordered by id
 * @param processors live processors, ordered by id
 * @param registered number of queue nodes that belong to the group, alive or not
 * @param cycles live cycles above the low-water mark, by number
 * @param low the low-water mark
 * @param replays what is repeated beside them
 * @param archives archive nodes
 * @param group ids of the queue nodes that belong to the group, alive or not; empty where only their number is known
 */
public record ClusterView(
        long revision,
        boolean connected,
        List<QueueMember> queues,
        List<ProcessorMember> processors,
        int registered,
        SortedMap<Long, OpenCycle> cycles,
        LowMark low,
        Replays replays,
        Archives archives,
        List<String> group) {
    /** Nothing known yet. */
    public static final ClusterView NONE =
            new ClusterView(0, false, List.of(), List.of(), 0, new TreeMap<>(), LowMark.NONE);

    /** Takes unmodifiable copies. */
    public ClusterView {
        queues = List.copyOf(queues);
        processors = List.copyOf(processors);
        cycles = Collections.unmodifiableSortedMap(new TreeMap<>(cycles));
        group = List.copyOf(group);
    }

    /** A cluster of which only the size of the group is known. */
    public ClusterView(
            long revision,
            boolean connected,
            List<QueueMember> queues,
            List<ProcessorMember> processors,
            int registered,
            SortedMap<Long, OpenCycle> cycles,
            LowMark low,
            Replays replays,
            Archives archives) {
        this(revision, connected, queues, processors, registered, cycles, low, replays, archives, List.of());
    }

    /** A cluster without archive nodes. */
    public ClusterView(
            long revision,
            boolean connected,
            List<QueueMember> queues,
            List<ProcessorMember> processors,
            int registered,
            SortedMap<Long, OpenCycle> cycles,
            LowMark low,
            Replays replays) {
        this(revision, connected, queues, processors, registered, cycles, low, replays, Archives.NONE);
    }

    /** A cluster of archive nodes alone. */
    public static ClusterView of(long revision, Archives archives) {
        return new ClusterView(
                revision, true, List.of(), List.of(), 0, new TreeMap<>(), LowMark.NONE, Replays.NONE, archives);
    }

    /** The same, connected or not, in a later revision. */
    public ClusterView connected(boolean isConnected) {
        return new ClusterView(
                revision + 1, isConnected, queues, processors, registered, cycles, low, replays, archives, group);
    }

    /** The same as another revision. */
    public ClusterView at(long other) {
        return new ClusterView(other, connected, queues, processors, registered, cycles, low, replays, archives, group);
    }

    /** The same with some of the queue nodes only. */
    public ClusterView with(List<QueueMember> some) {
        return new ClusterView(
                revision, connected, some, processors, registered, cycles, low, replays, archives, group);
    }

    /** A cluster without replays. */
    public ClusterView(
            long revision,
            boolean connected,
            List<QueueMember> queues,
            List<ProcessorMember> processors,
            int registered,
            SortedMap<Long, OpenCycle> cycles,
            LowMark low) {
        this(revision, connected, queues, processors, registered, cycles, low, Replays.NONE);
    }

    /** Every cycle there is work for: the live ones by number, then the replay cycle if there is one. */
    public List<OpenCycle> open() {
        List<OpenCycle> open = new ArrayList<>(cycles.values());
        replays.open().ifPresent(open::add);
        return open;
    }

    /** An open cycle, live or not, by its number. */
    public Optional<OpenCycle> open(long cycle) {
        return Cycle.isReplay(cycle)
                ? replays.open().filter(open -> open.cycle().number() == cycle)
                : Optional.ofNullable(cycles.get(cycle));
    }

    /** Whether a cycle, live or not, lies below its mark. */
    public boolean isOver(long cycle) {
        return cycle <= (Cycle.isReplay(cycle) ? replays.mark().cycle() : low.cycle());
    }

    /**
     * Cut that a cycle begins above.
     *
     * @param cycle number of the cycle
     * @return the cut of the cycle before; empty when that one is not known (any more)
     */
    public Optional<SortedMap<Long, Long>> cutBefore(long cycle) {
        if (Cycle.isReplay(cycle)) {
            return open(cycle).flatMap(open -> open.cycle().replay()).map(Replay::before);
        }
        if (cycle - 1 == low.cycle()) {
            return Optional.of(low.cut());
        }
        return Optional.ofNullable(cycles.get(cycle - 1))
                .map(open -> open.cycle().cut());
    }

    /** Number of the newest live cycle; 0 before the first. */
    public long newest() {
        return cycles.isEmpty() ? low.cycle() : cycles.lastKey();
    }

    /** The cut of the newest live cycle. */
    public SortedMap<Long, Long> lastCut() {
        return cycles.isEmpty()
                ? low.cut()
                : cycles.get(cycles.lastKey()).cycle().cut();
    }

    /** Digest of the pipelines of the newest live cycle: those in force. Empty before the first. */
    public String lastDigest() {
        return cycles.isEmpty()
                ? low.digest()
                : cycles.get(cycles.lastKey()).assignment().digest();
    }

    /** The live queue node of a session. */
    public Optional<QueueMember> queue(long session) {
        return queues.stream().filter(member -> member.session() == session).findFirst();
    }

    /** The live processor of a session. */
    public Optional<ProcessorMember> processor(long session) {
        return processors.stream().filter(member -> member.session() == session).findFirst();
    }
}
