package io.chimera.common.cluster;

import java.util.List;

/**
 * Request of an operator to replay past cycles, with its progress. The conductor handles the requests in the order of
 * their ids, and the cycles of each request in order, one at a time.
 *
 * @param id identifies the request
 * @param pipeline only pipeline to replay, or empty for all
 * @param cycles cycles to replay, at most {@link #CYCLES_MAX}
 * @param next index of the first unhandled cycle
 * @param skipped number of handled cycles without records in any journal
 * @param accounts accounts of the replayed cycles
 */
public record ReplayRequest(
        String id, String pipeline, List<PastCycle> cycles, int next, int skipped, LowMark.Totals accounts) {
    /**
     * Maximum number of cycles of a request. 200 cycles of ten streams with 60 bytes each are 120 KB, a quarter of the
     * maximum size of a znode.
     */
    public static final int CYCLES_MAX = 200;

    /** Maximum number of requests at a time. 64 requests of 200 one-second cycles cover three and a half hours. */
    public static final int REQUESTS_MAX = 64;

    /** Copies the list and checks the bounds. */
    public ReplayRequest {
        cycles = List.copyOf(cycles);
        if (cycles.isEmpty() || cycles.size() > CYCLES_MAX || next < 0 || next > cycles.size()) {
            throw new IllegalArgumentException("A replay request must name 1 to " + CYCLES_MAX + " cycles, not "
                    + cycles.size() + ", and its next index must be in the list, not " + next + ".");
        }
    }

    /** Creates a new request without progress. */
    public ReplayRequest(String id, String pipeline, List<PastCycle> cycles) {
        this(id, pipeline, cycles, 0, 0, LowMark.Totals.ZERO);
    }

    /** Returns whether every cycle is handled. */
    public boolean isDone() {
        return next == cycles.size();
    }

    /** Returns the request after the replay of its next cycle. */
    public ReplayRequest afterRun(LowMark.Totals cycle) {
        return new ReplayRequest(id, pipeline, cycles, next + 1, skipped, accounts.plus(cycle));
    }

    /** Returns the request after its next cycle was skipped. */
    public ReplayRequest afterSkip() {
        return new ReplayRequest(id, pipeline, cycles, next + 1, skipped + 1, accounts);
    }
}
