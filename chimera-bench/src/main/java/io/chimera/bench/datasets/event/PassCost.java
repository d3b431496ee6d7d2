package io.chimera.bench.datasets.event;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Measures the computation of an event on this machine, so that a measurement can choose its length. */
public final class PassCost {
    private static final int PASSES = 1_000;
    private static final int JETS = 6;
    private static final int ENERGY_FROM = 500_000;
    private static final int MOMENTUM_MAX = 200_000;
    private static final long WARMUP_NS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long MEASURED_NS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final double NS_PER_S = 1e9;

    private PassCost() {}

    /** Returns the processor time of a pass over an event in seconds. */
    public static double seconds() {
        DijetSearch search = new DijetSearch();
        SplittableRandom random = new SplittableRandom(EventLines.SEED);
        for (int jet = 0; jet < JETS; jet++) {
            for (int value = 0; value < DijetSearch.VALUES - 1; value++) {
                search.set(value, random.nextInt(-MOMENTUM_MAX, MOMENTUM_MAX));
            }
            search.set(DijetSearch.VALUES - 1, ENERGY_FROM);
            search.add();
        }
        secondsPerPass(search, WARMUP_NS);
        return secondsPerPass(search, MEASURED_NS);
    }

    private static double secondsPerPass(DijetSearch search, long durationNs) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long startNs = threads.getCurrentThreadCpuTime();
        long spentNs = 0;
        long passes = 0;
        double sum = 0;
        while (spentNs < durationNs) {
            sum += search.mass(PASSES);
            passes += PASSES;
            spentNs = threads.getCurrentThreadCpuTime() - startNs;
        }
        if (!(sum > 0)) {
            throw new IllegalStateException("the computation found no mass");
        }
        return spentNs / NS_PER_S / passes;
    }
}
