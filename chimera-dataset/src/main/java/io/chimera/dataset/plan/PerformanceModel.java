package io.chimera.dataset.plan;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * Performance model of data-set jobs. A job is a pipeline of stages with known rates: source, network, receiving CPU,
 * computing CPU, storage. All nodes of a stage work at the same time, and the slowest stage sets the time.
 *
 * <h2>Symbols</h2>
 *
 * <pre>
 * B    bytes of the data set                  F    bytes to read from the source (B without bytes already copied)
 * W    workers with K cores each              D    data nodes with K cores each
 * I    bytes/s from all sources without computation: min(sources, links of the receiving nodes), see RangePlan
 * b    bytes/s from all sources while every core computes (at most I)
 * s    share of reception that computation starves: 1 - b / I
 * c    bytes/s that a core computes           M    bytes/s of all computing cores: c * min(W * K, splits)
 * r    bytes that a core receives in a second of processor time
 * </pre>
 *
 * <h2>Reception while the same cores compute</h2>
 *
 * <p>With a share u of the cores computing, reception runs at {@code I * (1 - s * u)}. The cores compute for
 * {@code B / (c * W * K)} seconds in total, so all bytes have arrived after
 *
 * <pre>
 * R = F / I + s * B / (c * W * K)      but never later than F / b
 * R = F / (r * W * K) + B / (c * W * K)   when r is measured and this sum is longer
 * </pre>
 *
 * <p>Without starvation (s = 0) transfer and computation overlap; with complete starvation (s = 1) their times add up.
 * A core of its own for reception in each worker avoids the starvation, and leaves {@code K - 1} cores to compute. The
 * model takes the faster of the two, if the workers can reserve a core.
 *
 * <h2>Strategies</h2>
 *
 * <pre>
 * STREAM   arrival = max(F / sources, F / links of W, R)
 *          time    = pipeline(arrival, B / M)
 * OVERLAP  as STREAM, and storage writes F; on data nodes apart: arrival = max(F / sources, F / links of D,
 *          F / (r * D * K), B / links to workers, storage writes F): nothing starves reception
 * COPY     copying = max(F / sources, F / links of D, F / (r * D * K), F / storage writes)
 *          time    = copying + pipeline(max(B / storage reads, B / links to workers), B / M)
 * </pre>
 *
 * <p>Reading a copy nearby starves little, as the paper measures, and counts as not starved. Bytes with a copy are read
 * nearby under every strategy: STREAM and OVERLAP add their time to network and storage. The job mixes splits with and
 * without copies in proportion, so that reception never pauses.
 *
 * <h2>Start and tail</h2>
 *
 * <pre>
 * pipeline(arrival, computing) = connect + max(arrival + last, first + warm-up + computing + tail)
 * connect  the plan, 2 round trips, and the ramp of the connections, see JobStart
 * warm-up  time that each core loses until the computation is compiled; R counts it as computation, see JobStart
 * first    time until every receiver has its first unit from the source
 * last     time of a core for the unit that arrives last
 * tail     (1 - 1 / n) / 2 * split / c: cores finish at random points within a split, and the last of n cores half a
 *          split after the mean; a longer split has a longer tail
 * unit     a range where the receiver computes; a split on data nodes apart
 * </pre>
 *
 * <h2>Failures (optional)</h2>
 *
 * <p>{@link FailureRisk} gives {@code failures = W * failuresPerWorkerHour * hours}. Each repeats {@code lostBytes}: at
 * the rate of the whole job with STREAM, at the rate of copies and computation otherwise.
 *
 * <h2>Bottleneck and additions</h2>
 *
 * <p>The bottleneck is the stage without whose limit the job would be shortest; between stages that save equally much
 * (within 2 % of the job) the stage with the longest time, and then the earlier stage. The gain of an addition is the
 * difference between the times of two predictions.
 *
 * <p>Immutable; any thread.
 */
public final class PerformanceModel {
    private static final double SECONDS_PER_HOUR = 3600;

    /** Share of the time of the job within which two stages save equally much. */
    private static final double EQUAL = 0.02;

    /** Factor above the rounding errors of equal stages. */
    private static final double ROUNDING = 1 + 1e-9;

    private final PlanInput input;
    private final Corrections corrections;

    /**
     * Creates a model.
     *
     * @param input the job
     * @param corrections factors from a running job; {@link Corrections#NONE} before the job runs
     */
    public PerformanceModel(PlanInput input, Corrections corrections) {
        this.input = input;
        this.corrections = corrections;
    }

    /** Returns whether the job can use a strategy: a copy needs a data node. */
    public boolean isPossible(Strategy strategy) {
        return strategy == Strategy.STREAM || input.measurements().nodes().dataNodes() > 0;
    }

    /**
     * Predicts time and cost of the job under a strategy.
     *
     * @param strategy a possible strategy
     * @throws IllegalArgumentException for a strategy that needs data nodes, without data nodes
     */
    public Prediction predict(Strategy strategy) {
        return predict(strategy, receivingCores(strategy, rates(strategy)), start -> start);
    }

    /** Predicts the rest of a job that runs under the strategy already: without a start, on the same cores. */
    Prediction predictRunning(Strategy strategy, int receivingCores) {
        return predict(strategy, receivingCores, start -> 0);
    }

    /** Predicts the rest of a job that changes to a strategy after some seconds. */
    Prediction predictChange(Strategy strategy, double changeSeconds) {
        return predict(strategy, receivingCores(strategy, rates(strategy)), start -> start + changeSeconds);
    }

    private StageRates rates(Strategy strategy) {
        if (!isPossible(strategy)) {
            throw new IllegalArgumentException(strategy.label() + " needs a data node; the job has none");
        }
        return StageRates.of(strategy, input.measurements(), input.extent(), corrections);
    }

    private Prediction predict(Strategy strategy, int receivingCores, DoubleUnaryOperator startOf) {
        StageRates rates = rates(strategy);
        StrategyTimes times = StrategyTimes.of(strategy, rates, input.extent(), receivingCores);
        Map<JobStage, Double> relief = new EnumMap<>(JobStage.class);
        for (JobStage stage : JobStage.values()) {
            StrategyTimes relieved = StrategyTimes.of(strategy, rates.without(stage), input.extent(), receivingCores);
            relief.put(stage, times.total() - relieved.total());
        }
        JobStage bottleneck = bottleneck(times, relief);
        double start = startOf.applyAsDouble(times.start());
        double failures = failures(start + times.steady() + times.tail());
        double risk = failures * secondsPerFailure(strategy, rates, times);
        double seconds = start + times.steady() + times.tail() + risk;
        double outBytes = outBytes(strategy, failures);
        return new Prediction(
                strategy,
                start,
                times.steady(),
                times.tail(),
                risk,
                times.stages(),
                bottleneck,
                relief.getOrDefault(bottleneck, 0.0),
                gains(strategy, times.total()),
                rates.starvedShare(),
                receivingCores,
                rates.rangePlans(),
                outBytes,
                cost(strategy, seconds, outBytes));
    }

    /** Returns the faster number of cores for reception only: 0 or 1. */
    private int receivingCores(Strategy strategy, StageRates rates) {
        NodeCounts nodes = rates.nodes();
        if (rates.onDataNodes() || nodes.coresPerNode() == 1 || !nodes.reservesCores()) {
            return 0;
        }
        double shared = StrategyTimes.of(strategy, rates, input.extent(), 0).total();
        double own = StrategyTimes.of(strategy, rates, input.extent(), 1).total();
        return own < shared ? 1 : 0;
    }

    private static JobStage bottleneck(StrategyTimes times, Map<JobStage, Double> relief) {
        double most = Collections.max(relief.values());
        double equal = most - EQUAL * times.total();
        JobStage found = JobStage.SOURCE;
        double longest = -1;
        for (Map.Entry<JobStage, Double> entry : times.stages().entrySet()) {
            if (relief.getOrDefault(entry.getKey(), 0.0) >= equal && entry.getValue() > longest * ROUNDING) {
                found = entry.getKey();
                longest = entry.getValue();
            }
        }
        return found;
    }

    private Map<Addition, Double> gains(Strategy strategy, double seconds) {
        Map<Addition, Double> gains = new EnumMap<>(Addition.class);
        for (Addition addition : Addition.values()) {
            PlanInput more = input.withMeasurements(input.measurements().with(addition));
            gains.put(addition, seconds - new PerformanceModel(more, corrections).fastestTotal(strategy));
        }
        return Collections.unmodifiableMap(gains);
    }

    private double fastestTotal(Strategy strategy) {
        StageRates rates = rates(strategy);
        return StrategyTimes.of(strategy, rates, input.extent(), receivingCores(strategy, rates))
                .total();
    }

    private double failures(double seconds) {
        return input.risk().failuresPerWorkerHour()
                * input.measurements().nodes().workers()
                * seconds
                / SECONDS_PER_HOUR;
    }

    private double lostBytes() {
        return Math.min(input.risk().lostBytes(), input.extent().bytes());
    }

    private double secondsPerFailure(Strategy strategy, StageRates rates, StrategyTimes times) {
        if (strategy == Strategy.STREAM) {
            return lostBytes() * times.steady() / input.extent().bytes();
        }
        double nearby = Math.min(rates.read(), rates.workerLinks());
        return lostBytes() / Math.min(nearby, rates.computingOfAllCores());
    }

    private double outBytes(Strategy strategy, double failures) {
        double far = input.extent().farBytes();
        double repeated = failures * lostBytes() * far / input.extent().bytes();
        return strategy == Strategy.STREAM ? far + repeated : far;
    }

    private double cost(Strategy strategy, double seconds, double outBytes) {
        DataSetExtent extent = input.extent();
        NodeCounts nodes = input.measurements().nodes();
        boolean usesCopies = strategy != Strategy.STREAM || extent.copiedBytes() > 0;
        double stored = strategy == Strategy.STREAM ? extent.copiedBytes() : extent.bytes();
        double bytesPerEvent = input.measurements().computation().bytesPerEvent();
        double events = extent.bytes() / bytesPerEvent;
        CostModel.Run run = new CostModel.Run(
                events,
                events / seconds,
                nodes.workers(),
                usesCopies && nodes.dataNodesApart() ? nodes.dataNodes() : 0);
        return input.prices().cost(run, stored, input.keepCopies().toNanos() / 1e9 / SECONDS_PER_HOUR, outBytes);
    }
}
