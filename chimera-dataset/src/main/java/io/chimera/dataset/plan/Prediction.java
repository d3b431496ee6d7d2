package io.chimera.dataset.plan;

import java.util.List;
import java.util.Map;

/**
 * Prediction for a strategy. Times in seconds.
 *
 * @param strategy the strategy
 * @param startSeconds plan, connections, first bytes, and the drain of another strategy before a change
 * @param steadySeconds the slower side of arrival and computation; for a copy with the slowest stage of copying
 * @param tailSeconds end of the job, when not all cores have work
 * @param riskSeconds expected repeated work after failures of workers
 * @param stageSeconds time of each stage alone; for {@link JobStage#RECEIVING_CPU} the time until every byte is
 *     received, 0 when the processor does not limit reception
 * @param bottleneck stage whose limit costs the job the most time
 * @param bottleneckSeconds time that the job would save without the limit of the bottleneck
 * @param savedSeconds time that the job would save by each addition
 * @param starvedShare share of reception that is lost while every core of the workers computes, 0 to 1; 0 where data
 *     nodes receive
 * @param receivingCores cores of each worker for reception only; 0 when reception and computation share the cores
 * @param rangePlans ranges to keep under way from each source to a receiving node
 * @param outBytes bytes read from the source, with expected repeated reads
 * @param cost expected cost in the currency of the prices
 */
public record Prediction(
        Strategy strategy,
        double startSeconds,
        double steadySeconds,
        double tailSeconds,
        double riskSeconds,
        Map<JobStage, Double> stageSeconds,
        JobStage bottleneck,
        double bottleneckSeconds,
        Map<Addition, Double> savedSeconds,
        double starvedShare,
        int receivingCores,
        List<RangePlan> rangePlans,
        double outBytes,
        double cost) {

    /** Returns the time of the job: the sum of start, steady part, tail and risk. */
    public double seconds() {
        return startSeconds + steadySeconds + tailSeconds + riskSeconds;
    }

    /** Returns the time of a stage alone, in seconds. */
    public double stage(JobStage stage) {
        Double seconds = stageSeconds.get(stage);
        return seconds == null ? 0 : seconds;
    }

    /** Returns the time that the job would save by an addition, in seconds. */
    public double saved(Addition addition) {
        Double seconds = savedSeconds.get(addition);
        return seconds == null ? 0 : seconds;
    }
}
