package io.chimera.processor;

import io.chimera.processor.pipeline.Rebuilding;
import io.chimera.processor.pipeline.TopGroups;
import java.util.List;
import java.util.Optional;

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
        TopGroups heaviest) {}
