package io.chimera.processor;

import java.util.List;

/**
 * State of a composition that is being built anew, at one moment. Cycles of the pipeline wait for it.
 *
 * @param pipeline whose composition it is
 * @param partitions how many are built
 * @param cycle that is needed next; 0 when it is not known yet where to begin
 * @param last cycle at whose end the state is when it is done
 * @param cyclesDone past cycles that were run
 * @param ageMs time since it began
 */
public record Rebuilding(String pipeline, int partitions, long cycle, long last, int cyclesDone, long ageMs) {
    /** Past cycles that are still to be run; all numbers count, also those of cycles that nobody holds. */
    public long cyclesLeft() {
        return cycle == 0 ? 0 : Math.max(0, last - cycle + 1);
    }

    /** Partitions of all. */
    public static long partitionsOf(List<Rebuilding> all) {
        return all.stream().mapToLong(Rebuilding::partitions).sum();
    }

    /** Cycles left of all. */
    public static long cyclesLeftOf(List<Rebuilding> all) {
        return all.stream().mapToLong(Rebuilding::cyclesLeft).sum();
    }

    /** Seconds since the oldest began; 0 when there is none. */
    public static long ageSecondsOf(List<Rebuilding> all) {
        return all.stream().mapToLong(Rebuilding::ageMs).max().orElse(0) / 1_000;
    }
}
