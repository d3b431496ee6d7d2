package io.chimera.common.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything up to here is verified: no cycle up to this one is ever replayed by itself, journals may let go of it.
 *
 * @param cycle the last cycle of the verified prefix; 0 before the first
 * @param timeMs time of that cycle
 * @param cut its cut
 * @param digest of the pipelines that it was processed with; empty where nobody said
 * @param totals accounts of all cycles of the prefix
 * @param history name of the tree's cycles, given when the tree is made: cycle 7 of another history is another cycle. Empty in trees of
 *     earlier releases
 */
public record LowMark(
        long cycle, long timeMs, SortedMap<Long, Long> cut, String digest, Totals totals, String history) {
    /** Before the first cycle. */
    public static final LowMark NONE = new LowMark(0, 0, new TreeMap<>(), Totals.ZERO);

    /** Takes an unmodifiable copy. */
    public LowMark {
        cut = Collections.unmodifiableSortedMap(new TreeMap<>(cut));
    }

    /** A mark of a history without a name. */
    public LowMark(long cycle, long timeMs, SortedMap<Long, Long> cut, String digest, Totals totals) {
        this(cycle, timeMs, cut, digest, totals, "");
    }

    /** A mark that does not say with which pipelines. */
    public LowMark(long cycle, long timeMs, SortedMap<Long, Long> cut, Totals totals) {
        this(cycle, timeMs, cut, "", totals);
    }

    /** The mark of a history in which no cycle has begun. */
    public static LowMark begin(String history) {
        return new LowMark(0, 0, new TreeMap<>(), "", Totals.ZERO, history);
    }

    /**
     * Accounts over all cycles of the verified prefix.
     *
     * @param points records that the cuts name
     * @param aggregated of these, those that went into rows
     * @param late of these, those too old
     * @param rejected of these, those that could not be aggregated
     * @param filtered of these, those that no pipeline takes
     * @param rows rows written
     */
    public record Totals(long points, long aggregated, long late, long rejected, long filtered, long rows) {
        /** Nothing yet. */
        public static final Totals ZERO = new Totals(0, 0, 0, 0, 0, 0);

        /** These accounts with one more cycle. */
        public Totals plus(OpenCycle cycle, long points) {
            Totals sum = new Totals(this.points + points, aggregated, late, rejected, filtered, rows);
            for (ShardCommit commit : cycle.commits().values()) {
                sum = new Totals(
                        sum.points,
                        sum.aggregated + commit.aggregated(),
                        sum.late + commit.late(),
                        sum.rejected + commit.rejected(),
                        sum.filtered + commit.filtered(),
                        sum.rows + commit.rows());
            }
            return sum;
        }

        /** These accounts and others. */
        public Totals plus(Totals other) {
            return new Totals(
                    points + other.points,
                    aggregated + other.aggregated,
                    late + other.late,
                    rejected + other.rejected,
                    filtered + other.filtered,
                    rows + other.rows);
        }

        /** Points that no commit accounts for. Anything but 0 is a defect. */
        public long unaccounted() {
            return points - aggregated - late - rejected - filtered;
        }
    }
}
