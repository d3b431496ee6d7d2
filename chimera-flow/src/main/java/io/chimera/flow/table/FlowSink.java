package io.chimera.flow.table;

import io.chimera.api.HotPath;

/** Receives ended records. */
@FunctionalInterface
public interface FlowSink {
    /**
     * Handles an ended record; {@link FlowRecord#endReason} has the reason. Runs on the table's thread and blocks the
     * table.
     *
     * @param record valid during the call
     * @return false when the sink is full: the flow stays in the table, accepts further packets, and is offered again
     *     later
     */
    @HotPath
    boolean onFlow(FlowRecord record);
}
