package io.chimera.coordinator;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/**
 * A cycle that is over, as the status shows it.
 *
 * @param cycle its number
 * @param timeMs time of its rows
 * @param points records that its cut names
 * @param aggregated of these, those that went into rows
 * @param late of these, those too old
 * @param rejected of these, those that could not be aggregated
 * @param filtered of these, those that no pipeline takes
 * @param rows rows written
 * @param commitLatencyMs from its begin to its last commit; -1 when another coordinator began it
 * @param skew points aggregated in its heaviest shard over those in its mean shard; 1 when all are equal
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record CommittedCycle(
        long cycle,
        long timeMs,
        long points,
        long aggregated,
        long late,
        long rejected,
        long filtered,
        long rows,
        long commitLatencyMs,
        double skew) {
    /**
     * Skew of the newest cycle.
     *
     * @param committed oldest first
     * @return 1 when there is none
     */
    public static double lastSkew(List<CommittedCycle> committed) {
        return committed.isEmpty() ? 1 : committed.get(committed.size() - 1).skew();
    }
}
