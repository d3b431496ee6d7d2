package io.chimera.common.cluster;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * Content of a cycle, decided once and never changed: the records in (previous cut, cut]. The sizes of the two member
 * lists determine the part and shard of each record.
 *
 * <p>A replay cycle repeats a past cycle: the same records and the same time, with the current members and pipelines.
 * Replay cycles have their own sequence of numbers.
 *
 * @param number 1, 2, 3 …; for a replay cycle {@link #REPLAYS} + 1, + 2, + 3 …
 * @param epoch epoch of the beginning conductor
 * @param time timestamp of the rows, and clock for lateness decisions
 * @param cut highest sequence number per stream; a missing stream has no records in this cycle
 * @param queues sessions of the queue nodes at the begin: N
 * @param processors sessions of the processors at the begin: M
 * @param replay reference to the repeated cycle; empty for a live cycle
 * @param groups journal groups of the parts and streams
 */
public record Cycle(
        long number,
        long epoch,
        CycleTime time,
        Positions cut,
        List<Long> queues,
        List<Long> processors,
        Optional<Replay> replay,
        CycleGroups groups) {
    /**
     * Base of the numbers of replay cycles. Live cycles at one per millisecond would reach this number after 30,000
     * years, and JSON readers still represent the number exactly.
     */
    public static final long REPLAYS = 1_000_000_000_000_000L;

    /** Copies the collections. */
    public Cycle {
        requireNonNull(cut, "cut");
        queues = List.copyOf(queues);
        processors = List.copyOf(processors);
        requireNonNull(groups, "groups");
        int grouped = groups.parts().stream().mapToInt(CycleGroups.Parts::count).sum();
        if (!groups.parts().isEmpty() && grouped != queues.size()) {
            throw new IllegalArgumentException(
                    "The groups of cycle " + number + " have " + grouped + " parts, the cycle " + queues.size());
        }
    }

    /** Creates a cycle of the default group alone. */
    public Cycle(
            long number,
            long epoch,
            CycleTime time,
            Positions cut,
            List<Long> queues,
            List<Long> processors,
            Optional<Replay> replay) {
        this(number, epoch, time, cut, queues, processors, replay, CycleGroups.NONE);
    }

    /** Creates a live cycle; its rows carry the clock at its begin. */
    public Cycle(long number, long epoch, long timeMs, Positions cut, List<Long> queues, List<Long> processors) {
        this(number, epoch, CycleTime.of(timeMs), cut, queues, processors, Optional.empty());
    }

    /** Timestamp of every row of the cycle, ms since 1970; increases with every live cycle. */
    public long timeMs() {
        return time.rowsMs();
    }

    /** Returns whether a number belongs to a replay cycle. */
    public static boolean isReplay(long number) {
        return number > REPLAYS;
    }

    /** Number of parts of all groups: N. */
    public int parts() {
        return queues.size();
    }

    /** Returns the parts of each journal group, in the order of the parts. */
    public List<CycleGroups.Parts> partsByGroup() {
        return groups.isDefault() ? List.of(parts(JournalGroup.DEFAULT)) : groups.parts();
    }

    /** Returns the parts of a journal group. */
    public CycleGroups.Parts parts(JournalGroup group) {
        return groups.of(group, parts());
    }

    /**
     * Returns the cycle as the members of a journal group see it: with the streams of this group only. The parts keep
     * their numbers.
     */
    public Cycle in(JournalGroup group) {
        if (groups.isDefault() && group.isDefault()) {
            return this;
        }
        Positions own = groups.streams().in(group, cut);
        Optional<Replay> repeated = replay.map(past -> past.of(groups.streams().in(group, past.before())));
        return new Cycle(number, epoch, time, own, queues, processors, repeated, groups);
    }

    /** Number of shards: M. */
    public int shards() {
        return processors.size();
    }
}
