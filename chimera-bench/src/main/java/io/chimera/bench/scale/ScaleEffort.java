package io.chimera.bench.scale;

import java.util.List;

/**
 * Measured values and duration.
 *
 * @param bodies bodies per pass, of up to 3,000 points and up to a megabyte; more bodies for more series
 * @param processors numbers of processors with one queue node
 * @param queueNodes numbers of queue nodes above one, with two processors
 * @param series numbers of series in few groups
 * @param groups numbers of series with one group each
 * @param tags numbers of tags
 */
record ScaleEffort(
        int bodies,
        List<Integer> processors,
        List<Integer> queueNodes,
        List<Integer> series,
        List<Integer> groups,
        List<Integer> tags) {
    static final ScaleEffort FULL = new ScaleEffort(
            1_000,
            List.of(1, 2, 3, 4),
            List.of(2),
            List.of(100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000),
            List.of(100, 1_000, 10_000, 100_000, 1_000_000),
            List.of(1, 2, 4, 8, 16, 32, 64));

    /** Less than a minute in total; compilation is a large part of the results. */
    static final ScaleEffort QUICK = new ScaleEffort(
            100,
            List.of(1, 2),
            List.of(2),
            List.of(100, 1_000, 10_000, 100_000),
            List.of(1_000, 10_000),
            List.of(1, 8, 64));
}
