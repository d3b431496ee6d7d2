package io.chimera.bench.peers;

/**
 * Amount of work per engine.
 *
 * @param points points of the input; whole chunks for every task of an engine
 * @param warmups uncounted passes over the input
 * @param passes counted passes; the median is reported
 */
public record PeersEffort(int points, int warmups, int passes) {
    static final PeersEffort FULL = new PeersEffort(3_000_000, 4, 3);

    /** Less than a minute per engine; the results include compilation. */
    static final PeersEffort QUICK = new PeersEffort(600_000, 3, 1);

    /** Returns the total number of passes. */
    public int all() {
        return warmups + passes;
    }
}
