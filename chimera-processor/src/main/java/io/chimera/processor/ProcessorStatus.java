package io.chimera.processor;

import java.util.List;
import java.util.Optional;

/**
 * A processor at one moment, for people.
 *
 * @param notReady why it takes no part in the work; empty when it does
 * @param storeOutage why a store does not take rows; empty when all do
 * @param storesOut stores that do not take rows
 * @param storeOutageMs milliseconds since the longest of these outages began
 * @param queueNodes queue nodes that are connected
 * @param slotsUsed slots of the extractor in use
 * @param stagedCycles cycles of which something is staged
 * @param warehouseBytes bytes in use of the warehouses' limit
 * @param flushing shards that are being flushed or wait for their commit
 * @param verifying of these, shards that the stores have acknowledged and whose rows are read back
 * @param rebuilding state of compositions that is being built anew
 * @param heaviest groups to which most values came in the newest cycle
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
        Heaviest heaviest) {}
