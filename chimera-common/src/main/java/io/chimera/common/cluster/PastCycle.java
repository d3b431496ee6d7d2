package io.chimera.common.cluster;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * Content of a past cycle, kept longer than the cycle itself: enough to read its records from a journal again and to
 * write its rows with the original time. Contains only streams with records in the cycle.
 *
 * @param number number of the cycle
 * @param time timestamp of the rows, and clock for lateness decisions
 * @param parts number of parts, which determines the order of the records; 0 if unknown
 * @param before exclusive lower bound of the sequence numbers, per stream
 * @param cut inclusive upper bound of the sequence numbers, per stream
 * @param groups journal groups of the parts and streams
 */
public record PastCycle(
        long number,
        CycleTime time,
        int parts,
        Positions before,
        Positions cut,

        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = CycleGroups.Unnamed.class)
        CycleGroups groups) {
    /** Refuses a cycle without bounds. */
    public PastCycle {
        requireNonNull(before, "before");
        requireNonNull(cut, "cut");
        groups = groups == null ? CycleGroups.NONE : groups; // a stored form may not name any
    }

    /** Creates a past cycle of the default group alone. */
    public PastCycle(long number, CycleTime time, int parts, Positions before, Positions cut) {
        this(number, time, parts, before, cut, CycleGroups.NONE);
    }

    /** Creates a past cycle with an unknown number of parts. */
    public PastCycle(long number, CycleTime time, Positions before, Positions cut) {
        this(number, time, 0, before, cut);
    }

    /** Timestamp of the rows, ms since 1970. */
    public long timeMs() {
        return time.rowsMs();
    }

    /** Creates the past form of a cycle from the cycle and the previous cut. */
    public static PastCycle of(Cycle cycle, Positions before) {
        Positions.Builder from = Positions.builder();
        Positions.Builder upTo = Positions.builder();
        for (StreamRange range : cycle.cut().since(before)) {
            from.put(range.stream(), range.after());
            upTo.put(range.stream(), range.upTo());
        }
        Positions cut = upTo.build();
        return new PastCycle(
                cycle.number(),
                cycle.time(),
                cycle.parts(),
                from.build(),
                cut,
                cycle.groups().of(cut));
    }

    /** Returns this cycle with the records of the same cycle in other streams. */
    public PastCycle and(PastCycle other) {
        return new PastCycle(
                number,
                time,
                parts,
                before.max(other.before),
                cut.max(other.cut),
                new CycleGroups(groups.parts(), groups.streams().and(other.groups.streams())));
    }

    /** Returns the parts of a journal group. */
    public CycleGroups.Parts parts(JournalGroup group) {
        return groups.of(group, parts);
    }

    /** Number of records. */
    public long points() {
        return cut.recordsSince(before);
    }

    /** Records of the cycle. */
    public CutRange records() {
        return new CutRange(before, cut);
    }

    /** Records of the cycle, stream by stream. */
    public List<StreamRange> ranges() {
        return records().ranges();
    }
}
