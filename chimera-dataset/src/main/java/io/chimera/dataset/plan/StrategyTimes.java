package io.chimera.dataset.plan;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Times of a job under a strategy, without failures, in seconds. {@link PerformanceModel} explains the formulas.
 *
 * @param start plan, connections, and the first bytes when the computation is the slower side
 * @param steady the slower side of arrival and computation; for a copy with the slowest stage of copying
 * @param tail end of the job, when not all cores have work
 * @param stages time of each stage alone
 */
record StrategyTimes(double start, double steady, double tail, Map<JobStage, Double> stages) {

    /** Round trips before the first byte: the connection, and the first request. */
    private static final int ROUND_TRIPS_TO_START = 2;

    double total() {
        return start + steady + tail;
    }

    /**
     * Computes the times.
     *
     * @param strategy the strategy
     * @param rates rates under the strategy
     * @param extent amount of data
     * @param receivingCores cores of each worker for reception only, fewer than all cores; 0 to share the cores
     */
    static StrategyTimes of(Strategy strategy, StageRates rates, DataSetExtent extent, int receivingCores) {
        NodeCounts nodes = rates.nodes();
        double far = extent.farBytes();
        double all = extent.bytes();
        int computingCores = nodes.workers() * (nodes.coresPerNode() - receivingCores);
        double units = Math.min(computingCores, extent.splits());
        double perCore = rates.computingPerCore();
        double computing = all / (units * perCore) + rates.start().warmUpSeconds();
        double tail = 0.5 * (1 - 1 / units) * extent.splitBytes() / perCore;
        double connect = rates.start().planSeconds()
                + (far > 0
                        ? ROUND_TRIPS_TO_START * rates.roundTripSeconds()
                                + rates.start().rampSeconds()
                        : 0);
        double source = far / rates.source();
        double receiving = receiving(rates, extent, receivingCores);

        if (strategy == Strategy.COPY) {
            double write = far / rates.write();
            double read = all / rates.read();
            double networkIn = far / rates.receiverLinks();
            double networkOut = all / rates.workerLinks();
            double copying = Math.max(Math.max(source, networkIn), Math.max(receiving, write));
            double reading = Math.max(read, networkOut);
            double last = rates.rangeBytes() / perCore;
            return pipeline(
                    new double[] {connect, copying, 0},
                    new double[] {reading, last},
                    new double[] {computing, tail},
                    stages(source, networkIn + networkOut, receiving, computing, write + read));
        }
        double near = extent.copiedBytes();
        double network = rates.onDataNodes()
                ? Math.max(far / rates.receiverLinks(), all / rates.workerLinks())
                : far / rates.receiverLinks() + near / rates.workerLinks();
        double storage = near / rates.read() + (strategy == Strategy.OVERLAP ? far / rates.write() : 0);
        double arrival = Math.max(Math.max(source, network), Math.max(receiving, storage));
        double unit = rates.onDataNodes() ? extent.splitBytes() : rates.rangeBytes();
        double first = far > 0 ? Math.min(far, rates.receivers() * unit) / rates.idle() : 0;
        return pipeline(
                new double[] {connect, 0, first},
                new double[] {arrival, unit / perCore},
                new double[] {computing, tail},
                stages(source, network, receiving, computing, storage));
    }

    /**
     * Joins two stages, arrival and computation, to {@code max(arrival + last, first + computing + tail)}.
     *
     * @param before time to plan and to connect, time of the phase before, time until the first unit arrives
     * @param arriving time of arrival, time to compute the last unit after its arrival
     * @param computing time of computation, tail
     */
    private static StrategyTimes pipeline(
            double[] before, double[] arriving, double[] computing, Map<JobStage, Double> stages) {
        if (arriving[0] + arriving[1] >= before[2] + computing[0] + computing[1]) {
            return new StrategyTimes(before[0], before[1] + arriving[0], arriving[1], stages);
        }
        return new StrategyTimes(before[0] + before[2], before[1] + computing[0], computing[1], stages);
    }

    /** Returns the time until every byte is received, as far as processor time limits reception. */
    private static double receiving(StageRates rates, DataSetExtent extent, int receivingCores) {
        double far = extent.farBytes();
        NodeCounts nodes = rates.nodes();
        if (far == 0) {
            return 0;
        }
        if (rates.onDataNodes()) {
            return far / (rates.receivingPerCore() * rates.receivers() * nodes.coresPerNode());
        }
        if (receivingCores > 0) {
            return far / (rates.receivingPerCore() * nodes.workers() * receivingCores);
        }
        double computing =
                extent.bytes() / rates.computingOfAllCores() + rates.start().warmUpSeconds();
        double ofAllCores = rates.receivingPerCore() * nodes.workers() * nodes.coresPerNode();
        double processor = Double.isInfinite(ofAllCores) ? 0 : far / ofAllCores + computing;
        return Math.max(processor, starved(rates, far, computing));
    }

    private static double starved(StageRates rates, double far, double computing) {
        double share = rates.starvedShare();
        if (share == 0) {
            return 0;
        }
        double always = share < 1 ? far / (rates.idle() * (1 - share)) : Double.POSITIVE_INFINITY;
        return Math.min(far / rates.idle() + share * computing, always);
    }

    private static Map<JobStage, Double> stages(
            double source, double network, double receiving, double computing, double storage) {
        Map<JobStage, Double> stages = new EnumMap<>(JobStage.class);
        stages.put(JobStage.SOURCE, source);
        stages.put(JobStage.NETWORK, network);
        stages.put(JobStage.RECEIVING_CPU, receiving);
        stages.put(JobStage.COMPUTING_CPU, computing);
        stages.put(JobStage.STORAGE, storage);
        return Collections.unmodifiableMap(stages);
    }
}
