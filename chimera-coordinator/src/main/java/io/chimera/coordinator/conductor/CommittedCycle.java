package io.chimera.coordinator.conductor;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/**
 * A committed cycle as shown by the status.
 *
 * @param cycle number of the cycle
 * @param timeMs time of its rows
 * @param points records between the previous cut and its own
 * @param aggregated points aggregated into rows
 * @param late points that were too old
 * @param rejected points that could not be aggregated
 * @param filtered points that no pipeline accepts
 * @param rows rows written
 * @param commitLatencyMs time from start to last commit; -1 when another coordinator began the cycle
 * @param skew points aggregated in its heaviest shard divided by points in its mean shard; 1 when no point was
 *     aggregated
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
     * Returns the skew of the newest cycle.
     *
     * @param committed cycles, oldest first
     * @return 1 if none
     */
    public static double lastSkew(List<CommittedCycle> committed) {
        return committed.isEmpty() ? 1 : committed.get(committed.size() - 1).skew();
    }
}
