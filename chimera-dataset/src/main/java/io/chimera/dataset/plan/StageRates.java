package io.chimera.dataset.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Rates of the stages of a job under a strategy, all nodes of a stage together, in bytes per second. An unlimited rate
 * is infinite.
 *
 * @param nodes nodes of the job
 * @param onDataNodes whether data nodes receive from the source; otherwise workers
 * @param source sources together, as far as read-ahead reaches their rate
 * @param receiverLinks links of the receiving nodes
 * @param workerLinks links between copies and workers
 * @param starvedShare share of the rate of reception that is lost while every core computes, 0 to 1
 * @param receivingPerCore bytes received per second of processor time
 * @param computingPerCore bytes computed per second of a core
 * @param write writing of the data nodes
 * @param read reading of the data nodes
 * @param roundTripSeconds longest round trip to a source
 * @param start times that the job loses once
 * @param rangePlans ranges under way from each source to a receiver
 */
record StageRates(
        NodeCounts nodes,
        boolean onDataNodes,
        double source,
        double receiverLinks,
        double workerLinks,
        double starvedShare,
        double receivingPerCore,
        double computingPerCore,
        double write,
        double read,
        double roundTripSeconds,
        JobStart start,
        List<RangePlan> rangePlans) {

    private static final double UNLIMITED = Double.POSITIVE_INFINITY;

    static StageRates of(Strategy strategy, Measurements measured, DataSetExtent extent, Corrections corrections) {
        NodeCounts nodes = measured.nodes();
        boolean onDataNodes = strategy.receivesOnDataNodes(nodes);
        int receivers = onDataNodes ? nodes.dataNodes() : nodes.workers();
        long memory = onDataNodes ? nodes.dataNodeReadAheadBytes() : nodes.workerReadAheadBytes();
        double link = measured.networkBytesPerSecond().orElse(UNLIMITED);

        List<SourceSample> sources = measured.sources();
        double capacity = capacity(measured, receivers);
        double share = Math.min(1, receivers * link / capacity);
        List<RangePlan> rangePlans = new ArrayList<>();
        double source = 0;
        double busy = 0;
        for (SourceSample sample : sources) {
            double ofSource = sample.capacity(receivers, measured.networkBytesPerSecond());
            double wished = ofSource * share / receivers;
            RangePlan ranges =
                    RangePlan.plan(sample, wished, Math.max(1, memory / sources.size()), extent.splitBytes());
            rangePlans.add(ranges);
            source += ranges.bytesPerSecond() < wished ? ranges.bytesPerSecond() * receivers : ofSource;
            busy += receivers * sample.busy();
        }
        double idle = Math.min(source, receivers * link);
        double starved = onDataNodes ? 0 : 1 - Math.min(idle, busy) / idle;
        StorageSample storage = measured.storage();
        return new StageRates(
                nodes,
                onDataNodes,
                source * corrections.reception(),
                receivers * link * corrections.reception(),
                linksToWorkers(nodes, link),
                Math.min(1, starved * corrections.starvation()),
                measured.receivingBytesPerCoreSecond().orElse(UNLIMITED) * corrections.reception(),
                measured.computation().bytesPerCoreSecond() * corrections.computing(),
                ofDataNodes(nodes, storage.writeBytesPerSecond(), corrections.write()),
                ofDataNodes(nodes, storage.readBytesPerSecond(), corrections.read()),
                measured.roundTripSeconds(),
                measured.start(),
                List.copyOf(rangePlans));
    }

    /** Returns the rate of all data nodes; without data nodes no strategy uses their storage. */
    private static double ofDataNodes(NodeCounts nodes, OptionalDouble rate, double correction) {
        return rate.isEmpty() || nodes.dataNodes() == 0
                ? UNLIMITED
                : nodes.dataNodes() * rate.getAsDouble() * correction;
    }

    private static double capacity(Measurements measured, int receivers) {
        return measured.sources().stream()
                .mapToDouble(sample -> sample.capacity(receivers, measured.networkBytesPerSecond()))
                .sum();
    }

    /** Returns the rate between copies and workers; unlimited where each worker reads its own copies. */
    private static double linksToWorkers(NodeCounts nodes, double link) {
        boolean isOwnCopy = !nodes.dataNodesApart() && nodes.dataNodes() == nodes.workers();
        return isOwnCopy || nodes.dataNodes() == 0 ? UNLIMITED : Math.min(nodes.dataNodes(), nodes.workers()) * link;
    }

    /** Returns the rates as if a stage had no limit. */
    StageRates without(JobStage stage) {
        boolean isNetwork = stage == JobStage.NETWORK;
        boolean isReceiving = stage == JobStage.RECEIVING_CPU;
        boolean isStorage = stage == JobStage.STORAGE;
        return new StageRates(
                nodes,
                onDataNodes,
                stage == JobStage.SOURCE ? UNLIMITED : source,
                isNetwork ? UNLIMITED : receiverLinks,
                isNetwork ? UNLIMITED : workerLinks,
                isReceiving ? 0 : starvedShare,
                isReceiving ? UNLIMITED : receivingPerCore,
                stage == JobStage.COMPUTING_CPU ? UNLIMITED : computingPerCore,
                isStorage ? UNLIMITED : write,
                isStorage ? UNLIMITED : read,
                stage == JobStage.SOURCE ? 0 : roundTripSeconds,
                start.without(stage),
                rangePlans);
    }

    /** Returns the number of nodes that receive from the source. */
    int receivers() {
        return onDataNodes ? nodes.dataNodes() : nodes.workers();
    }

    /** Returns the rate of reception without computation. */
    double idle() {
        return Math.min(source, receiverLinks);
    }

    /** Returns the rate of computation with every core of the workers. */
    double computingOfAllCores() {
        return computingPerCore * nodes.workers() * nodes.coresPerNode();
    }

    /** Returns the length of the longest range under way. */
    long rangeBytes() {
        return rangePlans.stream().mapToLong(RangePlan::rangeBytes).max().orElseThrow();
    }
}
