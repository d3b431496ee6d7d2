package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.CyclePeriods;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the period of cycles between two bounds (rule 1 of docs/protocol.md). A cycle takes {@code fixed + slope ×
 * points} from its begin to its last commit. The fixed part (writes to ZooKeeper, frames and batches of the store that
 * every cycle needs) is the cost of the cycle; a longer period divides this cost among more points.
 *
 * <pre>
 *   condition                                                             next period
 *   fewer than {@link #SETTLED} cycles measured since the last change     same
 *   fixed more than period / 5                                            twice the period
 *   fixed less than period / 20, and half the points take at most
 *   half a period                                                         half the period
 *   otherwise                                                             same
 * </pre>
 *
 * <p>After a doubling, fixed is more than a tenth of the new period. So only a change of the cost itself, by half,
 * leads back. The slope is the slope of a line through recent cycles, where newer cycles count more. The slope is
 * learned from cycles with different numbers of points; while the numbers are alike, the last slope counts, and 0
 * before the first. So the first doubling may be an attempt: it shows the slope, and is taken back when fixed is less
 * than a twentieth of the longer period. A term begins with the shortest period. The choice follows from cycles,
 * commits and the clock of the conductor only. Used by the conductor's thread only.
 */
final class PeriodRule {
    /** Cycles between two changes: enough to see the effect of a change. */
    static final int SETTLED = 4;

    private static final Logger LOG = LoggerFactory.getLogger(PeriodRule.class);

    private static final double NS_PER_MS = 1e6;
    private static final int LONGER_SHARE = 5;
    private static final int SHORTER_SHARE = 20;

    /** Share of the sums that remains after each cycle: the last eight cycles count for two thirds. */
    private static final double KEPT = 0.875;

    /** Minimum relative standard deviation of the points for a slope; a doubling has a third. */
    private static final double SPREAD_MIN = 0.25;

    private final CyclePeriods bounds;
    private Duration period;
    private int sinceChange;
    private double weight;
    private double pointsMean;
    private double nsMean;
    private double pointsSquares;
    private double products;
    private double slope;

    /** Begins with the shortest period. */
    PeriodRule(CyclePeriods bounds) {
        this.bounds = bounds;
        period = bounds.least();
    }

    /** Returns the current period. */
    Duration period() {
        return period;
    }

    /** Adds a measured cycle, and chooses the period. */
    void measured(CycleCost cost) {
        if (bounds.least().equals(bounds.most())) {
            return;
        }
        add((double) cost.points(), (double)
                Math.min(cost.tookNs(), bounds.most().toNanos()));
        sinceChange++;
        Duration next = next();
        if (!next.equals(period)) {
            LOG.info(
                    "Cycle period changes: every_ms={} before_ms={} fixed_ms={} ns_per_point={}.",
                    next.toMillis(),
                    period.toMillis(),
                    Math.round(fixedNs() / NS_PER_MS),
                    Math.round(slope));
            period = next;
            sinceChange = 0;
        }
    }

    private Duration next() {
        if (sinceChange < SETTLED) {
            return period;
        }
        double periodNs = (double) period.toNanos();
        double fixedNs = fixedNs();
        if (fixedNs > periodNs / LONGER_SHARE) {
            return bounds.longer(period);
        }
        boolean isCheap = fixedNs < periodNs / SHORTER_SHARE;
        boolean isFast = fixedNs + slope * pointsMean / 2 <= periodNs / 2;
        return isCheap && isFast ? bounds.shorter(period) : period;
    }

    /** Returns the part of the time of a cycle that does not grow with its points. */
    double fixedNs() {
        return Math.max(0, nsMean - slope * pointsMean);
    }

    private void add(double points, double ns) {
        weight = weight * KEPT + 1;
        double off = points - pointsMean;
        pointsMean += off / weight;
        nsMean += (ns - nsMean) / weight;
        pointsSquares = pointsSquares * KEPT + off * (points - pointsMean);
        products = products * KEPT + off * (ns - nsMean);
        double spread = Math.sqrt(pointsSquares / weight);
        if (spread > SPREAD_MIN * pointsMean) {
            slope = Math.max(0, products / pointsSquares);
        }
        slope = pointsMean > 0 ? Math.min(slope, nsMean / pointsMean) : slope;
    }
}
