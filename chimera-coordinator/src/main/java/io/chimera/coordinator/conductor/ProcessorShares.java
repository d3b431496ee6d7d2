package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.coordinator.plan.ShardShares;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the shards of each processor for new cycles (rule 1 of docs/protocol.md). The weight of a processor is
 * configured, or its measured speed in points per time of {@link CycleCost.Work}, relative to the median speed. A
 * processor without measurements has the median weight.
 *
 * <p>A change of the number of shards moves partitions with state, so shares stay for {@link #SETTLED} cycles at least,
 * and change only when the slowest processor then gains by {@link #GAIN_MIN}. A change of the set of processors always
 * distributes all shards again. When all processors are equally late, for example because queue nodes are the
 * bottleneck, measured speeds are in proportion to the present shares, and nothing changes. Used by the conductor's
 * thread only.
 */
final class ProcessorShares {
    /** Cycles between two changes among the same processors. */
    static final int SETTLED = 10;

    /** Minimum ratio of the imbalance before and after a change. */
    static final double GAIN_MIN = 1.2;

    /** Measured cycles before the speed of a processor counts. */
    private static final int MEASURED_MIN = 3;

    /**
     * Minimum share of the period that a cycle must take before its speeds count. In shorter cycles the fixed times
     * are larger than the work.
     */
    private static final double BUSY_MIN = 0.25;

    /** Share of the sums that remains after each cycle. */
    private static final double KEPT = 0.75;

    private static final Logger LOG = LoggerFactory.getLogger(ProcessorShares.class);

    private final Map<Long, Speed> speeds = new HashMap<>();
    private List<Long> last = List.of();
    private int sinceChange;

    /** Smoothed speed of a processor. */
    private static final class Speed {
        private double points;
        private double ns;
        private int cycles;

        void add(CycleCost.Work work) {
            points = points * KEPT + work.points();
            ns = ns * KEPT + work.ns();
            cycles++;
        }

        boolean isKnown() {
            return cycles >= MEASURED_MIN;
        }

        double pointsPerNs() {
            return points / ns;
        }
    }

    /** Updates the present shares from the newest cycle of a view. */
    void look(ClusterView view) {
        speeds.keySet().removeIf(session -> view.processor(session).isEmpty());
        view.open(view.newest()).map(OpenCycle::cycle).map(Cycle::processors).ifPresent(this::began);
    }

    /** Records the shards of the newest cycle. */
    void began(List<Long> shards) {
        last = shards;
    }

    /** Adds a measured cycle. */
    void measured(CycleCost cost, Duration period) {
        sinceChange++;
        if (cost.tookNs() < BUSY_MIN * period.toNanos()) {
            return;
        }
        cost.work().forEach((session, work) -> {
            if (work.points() > 0 && work.ns() > 0) {
                speeds.computeIfAbsent(session, unseen -> new Speed()).add(work);
            }
        });
    }

    /** Returns the session of each shard of a new cycle. */
    List<Long> next(List<ProcessorMember> processors) {
        List<Long> sessions = processors.stream().map(ProcessorMember::session).toList();
        double[] weights = weights(processors);
        int[] best = ShardShares.units(weights);
        int[] present = sessions.stream()
                .mapToInt(session -> Collections.frequency(last, session))
                .toArray();
        boolean isSameSet = new HashSet<>(last).equals(new HashSet<>(sessions));
        if (isSameSet) {
            double gain = ShardShares.imbalance(present, weights) / ShardShares.imbalance(best, weights);
            if (sinceChange < SETTLED || gain < GAIN_MIN) {
                return last;
            }
        }
        if (!Arrays.equals(best, present)) {
            LOG.info(
                    "Shards per processor change: processors={} shards={} weights={}.",
                    processors.stream().map(ProcessorMember::id).toList(),
                    Arrays.toString(best),
                    Arrays.toString(weights));
            sinceChange = 0;
        }
        return ShardShares.shards(sessions, best);
    }

    /** Returns the weight of each processor; measured weights are multiples of the median of the configured weights. */
    private double[] weights(List<ProcessorMember> processors) {
        double unit = median(
                processors.stream().filter(processor -> !isAuto(processor)).mapToDouble(ProcessorMember::weight));
        double typical = median(processors.stream().filter(this::isMeasured).mapToDouble(processor -> speed(processor)
                .pointsPerNs()));
        return processors.stream()
                .mapToDouble(processor -> {
                    if (!isAuto(processor)) {
                        return processor.weight();
                    }
                    return isMeasured(processor) ? unit * speed(processor).pointsPerNs() / typical : unit;
                })
                .toArray();
    }

    private boolean isMeasured(ProcessorMember processor) {
        return isAuto(processor) && speed(processor).isKnown();
    }

    private Speed speed(ProcessorMember processor) {
        return speeds.getOrDefault(processor.session(), new Speed());
    }

    private static boolean isAuto(ProcessorMember processor) {
        return processor.weight() == ProcessorMember.WEIGHT_AUTO;
    }

    /** Returns the upper median; 1 without values. */
    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted.length == 0 ? 1 : sorted[sorted.length / 2];
    }
}
