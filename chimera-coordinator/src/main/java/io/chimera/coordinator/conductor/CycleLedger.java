package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import java.util.LongSummaryStatistics;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the cycles begun and verified during a term. Used by the conductor's thread only. */
final class CycleLedger {
    private static final Logger LOG = LoggerFactory.getLogger(CycleLedger.class);

    private final Counters<CoordinatorCounter> counters;
    private final TreeMap<Long, Long> begunNs = new TreeMap<>();
    private final TreeSet<Long> verified = new TreeSet<>();
    private final CommittedCycles committed;

    CycleLedger(Counters<CoordinatorCounter> counters, CommittedCycles committed) {
        this.counters = counters;
        this.committed = committed;
    }

    void begun(long cycle, long nowNs) {
        begunNs.put(cycle, nowNs);
    }

    boolean isVerified(long cycle) {
        return verified.contains(cycle);
    }

    /** Records the verification of a committed cycle. */
    void verified(OpenCycle open, LowMark.Totals accounts, long nowNs) {
        Cycle cycle = open.cycle();
        verified.add(cycle.number());
        Long beganNs = begunNs.remove(cycle.number());
        long latencyMs = beganNs == null ? -1 : TimeUnit.NANOSECONDS.toMillis(nowNs - beganNs);
        if (beganNs != null) {
            counters.add(CoordinatorCounter.COMMIT_LATENCY_MS, latencyMs);
            counters.increment(CoordinatorCounter.COMMIT_LATENCIES);
        }
        counters.increment(CoordinatorCounter.CYCLES_COMMITTED);
        counters.add(CoordinatorCounter.POINTS_COMMITTED, accounts.points());
        counters.add(CoordinatorCounter.ROWS_COMMITTED, accounts.rows());
        if (accounts.unaccounted() != 0) {
            counters.add(CoordinatorCounter.POINTS_UNACCOUNTED, Math.abs(accounts.unaccounted()));
            LOG.error(
                    "Cycle {} has unaccounted points (points={}, accounted={}). The low-water mark stays below this"
                            + " cycle and the journals delete nothing. Inspect the cycle with chimera cluster account"
                            + " {}, then decide with --replay or --accept.",
                    cycle.number(),
                    accounts.points(),
                    accounts.points() - accounts.unaccounted(),
                    cycle.number());
        }
        committed.add(new CommittedCycle(
                cycle.number(),
                cycle.timeMs(),
                accounts.points(),
                accounts.aggregated(),
                accounts.late(),
                accounts.rejected(),
                accounts.filtered(),
                accounts.rows(),
                latencyMs,
                skew(open)));
    }

    private static double skew(OpenCycle open) {
        LongSummaryStatistics shards = open.commits().values().stream()
                .mapToLong(commit -> commit.accounts().aggregated())
                .summaryStatistics();
        return shards.getSum() == 0 ? 1 : shards.getMax() / shards.getAverage();
    }

    /** Clears the verification of a cycle that is processed again. */
    void reopened(long cycle) {
        verified.remove(cycle);
    }

    /** Removes the cycles up to the new low-water mark. */
    void advanced(long upTo) {
        verified.headSet(upTo, true).clear();
        begunNs.headMap(upTo, true).clear();
    }
}
