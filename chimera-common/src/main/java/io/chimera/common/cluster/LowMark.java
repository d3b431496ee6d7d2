package io.chimera.common.cluster;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Low-water mark: all cycles up to the mark are verified. No such cycle is replayed automatically, and journals may
 * delete the records up to the mark.
 *
 * @param cycle number of the last cycle of the verified prefix; 0 before the first
 * @param timeMs time of this cycle
 * @param cut cut of this cycle
 * @param digest digest of the pipelines of this cycle; empty if unspecified
 * @param totals accounts of all cycles of the prefix
 * @param history name of the tree's history of cycles, assigned at the creation of the tree: the same cycle number in
 *     another history is another cycle. Empty in trees of earlier releases
 * @param streams journal group of each stream of the cut
 */
public record LowMark(
        long cycle,
        long timeMs,
        Positions cut,
        ConfigurationDigest digest,
        Totals totals,
        String history,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) StreamGroups streams) {
    /** Before the first cycle. */
    public static final LowMark NONE = new LowMark(0, 0, Positions.NONE, Totals.ZERO);

    /** Refuses a mark without a cut. */
    public LowMark {
        requireNonNull(cut, "cut");
        streams = streams == null ? StreamGroups.NONE : streams; // a stored form may not name any
    }

    /** Creates a mark of the default group alone. */
    public LowMark(long cycle, long timeMs, Positions cut, ConfigurationDigest digest, Totals totals, String history) {
        this(cycle, timeMs, cut, digest, totals, history, StreamGroups.NONE);
    }

    /** Creates a mark without a history name. */
    public LowMark(long cycle, long timeMs, Positions cut, ConfigurationDigest digest, Totals totals) {
        this(cycle, timeMs, cut, digest, totals, "");
    }

    /** Creates a mark without a digest and a history name. */
    public LowMark(long cycle, long timeMs, Positions cut, Totals totals) {
        this(cycle, timeMs, cut, ConfigurationDigest.NONE, totals);
    }

    /** Returns the mark as the members of a journal group see it: with the streams of this group only. */
    public LowMark in(JournalGroup group) {
        return streams.isEmpty() && group.isDefault()
                ? this
                : new LowMark(cycle, timeMs, streams.in(group, cut), digest, totals, history, streams);
    }

    /** Creates the mark of a history without cycles. */
    public static LowMark begin(String history) {
        return new LowMark(0, 0, Positions.NONE, ConfigurationDigest.NONE, Totals.ZERO, history);
    }

    /**
     * Accounts of all cycles of the verified prefix.
     *
     * @param points records within the cuts
     * @param aggregated records aggregated into rows
     * @param late records refused as too old
     * @param rejected records rejected by the aggregation
     * @param filtered records not selected by any pipeline
     * @param rows rows written
     */
    public record Totals(long points, long aggregated, long late, long rejected, long filtered, long rows) {
        /** Empty accounts. */
        public static final Totals ZERO = new Totals(0, 0, 0, 0, 0, 0);

        /** Returns the sum of these accounts and one more cycle. */
        public Totals plus(OpenCycle cycle, long points) {
            Totals sum = new Totals(this.points + points, aggregated, late, rejected, filtered, rows);
            for (ShardCommit commit : cycle.commits().values()) {
                sum = new Totals(
                        sum.points,
                        sum.aggregated + commit.accounts().aggregated(),
                        sum.late + commit.accounts().late(),
                        sum.rejected + commit.accounts().rejected(),
                        sum.filtered + commit.accounts().filtered(),
                        sum.rows + commit.rows());
            }
            return sum;
        }

        /** Returns the sum of these and other accounts. */
        public Totals plus(Totals other) {
            return new Totals(
                    points + other.points,
                    aggregated + other.aggregated,
                    late + other.late,
                    rejected + other.rejected,
                    filtered + other.filtered,
                    rows + other.rows);
        }

        /** Number of points without an account in any commit. A value other than 0 is a defect. */
        public long unaccounted() {
            return points - aggregated - late - rejected - filtered;
        }
    }
}
