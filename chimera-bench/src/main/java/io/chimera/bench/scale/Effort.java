package io.chimera.bench.scale;

import java.util.List;

/**
 * What is measured, and how long.
 *
 * @param bodies of a pass, of up to 3,000 points and up to a megabyte; more where there are more series
 * @param processors numbers of processors beside one queue node
 * @param queueNodes numbers of queue nodes beside two processors, beyond one
 * @param series numbers of series whose points fall into few groups
 * @param groups numbers of series that are a group each
 * @param tags numbers of tags
 */
record Effort(
        int bodies,
        List<Integer> processors,
        List<Integer> queueNodes,
        List<Integer> series,
        List<Integer> groups,
        List<Integer> tags) {
    static final Effort FULL = new Effort(
            1_000,
            List.of(1, 2, 3, 4),
            List.of(2),
            List.of(100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000),
            List.of(100, 1_000, 10_000, 100_000, 1_000_000),
            List.of(1, 2, 4, 8, 16, 32, 64));

    /** Under a minute in all; compilation is a good part of what is measured. */
    static final Effort QUICK = new Effort(
            100,
            List.of(1, 2),
            List.of(2),
            List.of(100, 1_000, 10_000, 100_000),
            List.of(1_000, 10_000),
            List.of(1, 8, 64));
}
