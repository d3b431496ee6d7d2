package io.chimera.processor;

import io.chimera.processor.pipeline.BlockPool;
import io.chimera.processor.pipeline.Rebuilding;
import io.chimera.processor.pipeline.TopGroups;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * State of a processor at a moment, for display.
 *
 * @param notReady why the processor takes no part in the work; empty when it does
 * @param storeOutage why a store does not take rows; empty when all do
 * @param storesOut number of stores in an outage
 * @param storeOutageMs milliseconds since the start of the oldest present outage
 * @param queueNodes connected queue nodes
 * @param slotsUsed slots of the extractor in use
 * @param stagedCycles cycles with staged data
 * @param warehouseBytes bytes in use of the warehouses' limit
 * @param flushing shards in the flush or waiting for their commit
 * @param verifying shards acknowledged by the stores, with rows still to be read back
 * @param rebuilding state of compositions in rebuild
 * @param pools thread pools of compositions
 * @param heaviest groups with most values in the newest cycle
 */
public record ProcessorStatus(
        Optional<String> notReady,
        Optional<String> storeOutage,
        int storesOut,
        long storeOutageMs,
        int queueNodes,
        long slotsUsed,
        int stagedCycles,
        long warehouseBytes,
        int flushing,
        int verifying,
        List<Rebuilding> rebuilding,
        List<BlockPool> pools,
        TopGroups heaviest) {
    /**
     * Returns the state of several lanes as one processor: sums of all amounts, and the largest number where the lanes
     * count the same queue nodes and cycles.
     */
    public static ProcessorStatus together(List<ProcessorStatus> lanes) {
        return new ProcessorStatus(
                first(lanes, ProcessorStatus::notReady),
                first(lanes, ProcessorStatus::storeOutage),
                (int) max(lanes, ProcessorStatus::storesOut),
                max(lanes, ProcessorStatus::storeOutageMs),
                (int) max(lanes, ProcessorStatus::queueNodes),
                sum(lanes, ProcessorStatus::slotsUsed),
                (int) max(lanes, ProcessorStatus::stagedCycles),
                sum(lanes, ProcessorStatus::warehouseBytes),
                (int) sum(lanes, ProcessorStatus::flushing),
                (int) sum(lanes, ProcessorStatus::verifying),
                lanes.stream().flatMap(lane -> lane.rebuilding.stream()).toList(),
                lanes.stream().flatMap(lane -> lane.pools.stream()).toList(),
                TopGroups.together(lanes.stream().map(ProcessorStatus::heaviest).toList()));
    }

    private static Optional<String> first(
            List<ProcessorStatus> lanes, Function<ProcessorStatus, Optional<String>> reason) {
        return lanes.stream().map(reason).flatMap(Optional::stream).findFirst();
    }

    private static long max(List<ProcessorStatus> lanes, ToLongFunction<ProcessorStatus> figure) {
        return lanes.stream().mapToLong(figure).max().orElse(0);
    }

    private static long sum(List<ProcessorStatus> lanes, ToLongFunction<ProcessorStatus> figure) {
        return lanes.stream().mapToLong(figure).sum();
    }
}
