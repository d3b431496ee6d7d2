package io.chimera.coordinator.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Distributes the shards of a cycle among processors in proportion to their weights. A processor has 1 to {@link
 * #UNITS_MAX} shards, so a cycle of n processors has at most 8 × n shards; equal weights give one shard each. Pure.
 */
public final class ShardShares {
    /** Maximum number of shards of a processor in a new cycle. */
    public static final int UNITS_MAX = 8;

    /** Smaller numbers of shards are preferred to an imbalance that is smaller by no more than this ratio. */
    private static final double TOLERANCE = 1.1;

    private ShardShares() {}

    /** Returns the number of shards of each processor: the smallest numbers that are nearly as even as any. */
    public static int[] units(double[] weights) {
        double best = Double.MAX_VALUE;
        for (int most = 1; most <= UNITS_MAX; most++) {
            best = Math.min(best, imbalance(units(weights, most), weights));
        }
        int most = 1;
        while (imbalance(units(weights, most), weights) > best * TOLERANCE) {
            most++;
        }
        return units(weights, most);
    }

    private static int[] units(double[] weights, int most) {
        double largest = Arrays.stream(weights).max().orElse(1);
        return Arrays.stream(weights)
                .mapToInt(weight -> (int) Math.max(1, Math.round(weight / largest * most)))
                .toArray();
    }

    /**
     * Returns the time of the slowest processor over the time with a perfect distribution; 1 is perfect.
     *
     * @param units shards of each processor
     * @param weights weight of each processor, more than 0
     */
    public static double imbalance(int[] units, double[] weights) {
        double slowest = 0;
        for (int i = 0; i < units.length; i++) {
            slowest = Math.max(slowest, units[i] / weights[i]);
        }
        return slowest * Arrays.stream(weights).sum() / Arrays.stream(units).sum();
    }

    /** Returns the session of each shard: first one shard of each processor, then the second shards, and so on. */
    public static List<Long> shards(List<Long> sessions, int[] units) {
        List<Long> shards = new ArrayList<>();
        for (int round = 0; round < UNITS_MAX; round++) {
            for (int i = 0; i < units.length; i++) {
                if (units[i] > round) {
                    shards.add(sessions.get(i));
                }
            }
        }
        return shards;
    }
}
