package io.chimera.dataset.plan;

/**
 * Measurement of the computation: the format of the data set decoded, and all pipelines of the job applied.
 *
 * @param eventsPerCoreSecond events per second and core
 * @param bytesPerEvent mean length of an event in bytes as stored at the source
 */
public record ComputationSample(double eventsPerCoreSecond, double bytesPerEvent) {
    /**
     * Checks the values.
     *
     * @param eventsPerCoreSecond more than 0
     * @param bytesPerEvent more than 0
     */
    public ComputationSample {
        if (!(eventsPerCoreSecond > 0) || !(bytesPerEvent > 0)) {
            throw new IllegalArgumentException(eventsPerCoreSecond + " events per second and core of " + bytesPerEvent
                    + " bytes; expected positive values");
        }
    }

    /** Returns the bytes per second and core. */
    double bytesPerCoreSecond() {
        return eventsPerCoreSecond * bytesPerEvent;
    }
}
