package io.chimera.processor.pipeline;

import java.util.List;

/**
 * Progress of a state rebuild of a composition. Cycles of the pipeline wait for the rebuild.
 *
 * @param pipeline name of the pipeline with the composition
 * @param partitions number of partitions in rebuild
 * @param cycle next past cycle to run; 0 until the first cycle is known
 * @param last cycle at whose end the rebuild is complete
 * @param cyclesDone past cycles already run
 * @param ageMs time since the start of the rebuild
 */
public record Rebuilding(String pipeline, int partitions, long cycle, long last, int cyclesDone, long ageMs) {
    /**
     * Returns the number of past cycles still to run. Every cycle number counts, including cycles without data on any
     * node.
     */
    public long cyclesLeft() {
        return cycle == 0 ? 0 : Math.max(0, last - cycle + 1);
    }

    /** Returns the total number of partitions in rebuild. */
    public static long partitionsOf(List<Rebuilding> all) {
        return all.stream().mapToLong(Rebuilding::partitions).sum();
    }

    /** Returns the total number of cycles left. */
    public static long cyclesLeftOf(List<Rebuilding> all) {
        return all.stream().mapToLong(Rebuilding::cyclesLeft).sum();
    }

    /** Returns the age in seconds of the oldest rebuild; 0 for an empty list. */
    public static long ageSecondsOf(List<Rebuilding> all) {
        return all.stream().mapToLong(Rebuilding::ageMs).max().orElse(0) / 1_000;
    }
}
