package io.chimera.dataset.plan;

/**
 * Times that a job loses once, at its start, as sampled. Times in seconds.
 *
 * @param planSeconds time to list the objects and to search the splits
 * @param rampSeconds time that the connections lose until they reach their rate, less the round trip
 * @param warmUpSeconds time that each core loses until the Java machine has compiled the computation
 */
public record JobStart(double planSeconds, double rampSeconds, double warmUpSeconds) {
    /** No loss: the rest of a running job. */
    public static final JobStart NONE = new JobStart(0, 0, 0);

    /**
     * Checks the values.
     *
     * @param planSeconds at least 0
     * @param rampSeconds at least 0
     * @param warmUpSeconds at least 0
     */
    public JobStart {
        if (!(planSeconds >= 0) || !(rampSeconds >= 0) || !(warmUpSeconds >= 0)) {
            throw new IllegalArgumentException("start of a job: plan " + planSeconds + " s, connections " + rampSeconds
                    + " s, computation " + warmUpSeconds + " s; expected at least 0");
        }
    }

    /** Returns the start with another time for the plan. */
    JobStart planned(double seconds) {
        return new JobStart(seconds, rampSeconds, warmUpSeconds);
    }

    /** Returns the start as if a stage had no limit. */
    JobStart without(JobStage stage) {
        return new JobStart(
                planSeconds,
                stage == JobStage.SOURCE ? 0 : rampSeconds,
                stage == JobStage.COMPUTING_CPU ? 0 : warmUpSeconds);
    }
}
