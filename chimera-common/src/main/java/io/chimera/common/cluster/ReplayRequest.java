package io.chimera.common.cluster;

import java.util.List;

/**
 * An operator's wish that past cycles be run again, and how far that has come. The conductor takes the requests in the
 * order of their ids and the cycles of each in their order, one at a time.
 *
 * @param id names the request
 * @param pipeline the only pipeline to run, or empty for all
 * @param cycles what to run, at most {@link #CYCLES_MAX}
 * @param next index of the first cycle that is not dealt with yet
 * @param skipped how many of those before it no journal held any more
 * @param accounts of those that were run
 */
public record ReplayRequest(
        String id, String pipeline, List<PastCycle> cycles, int next, int skipped, LowMark.Totals accounts) {
    /** 200 cycles of ten streams with 60 bytes each are 120 KB: a quarter of what a znode may hold. */
    public static final int CYCLES_MAX = 200;

    /** Requests that may stand at one time: 64 of 200 cycles are three and a half hours of cycles of a second. */
    public static final int REQUESTS_MAX = 64;

    /** Takes an unmodifiable copy and checks the bounds. */
    public ReplayRequest {
        cycles = List.copyOf(cycles);
        if (cycles.isEmpty() || cycles.size() > CYCLES_MAX || next < 0 || next > cycles.size()) {
            throw new IllegalArgumentException("A replay request names 1 to " + CYCLES_MAX + " cycles, not "
                    + cycles.size() + ", and goes on at one of them, not at " + next + ".");
        }
    }

    /** A request of which nothing is done. */
    public ReplayRequest(String id, String pipeline, List<PastCycle> cycles) {
        this(id, pipeline, cycles, 0, 0, LowMark.Totals.ZERO);
    }

    /** Whether every cycle is dealt with. */
    public boolean isDone() {
        return next == cycles.size();
    }

    /** The request after the next cycle was run. */
    public ReplayRequest afterRun(LowMark.Totals cycle) {
        return new ReplayRequest(id, pipeline, cycles, next + 1, skipped, accounts.plus(cycle));
    }

    /** The request after the next cycle was found to be gone. */
    public ReplayRequest afterSkip() {
        return new ReplayRequest(id, pipeline, cycles, next + 1, skipped + 1, accounts);
    }
}
