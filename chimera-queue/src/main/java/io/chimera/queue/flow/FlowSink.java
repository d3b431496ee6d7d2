package io.chimera.queue.flow;

import io.chimera.api.HotPath;

/** Takes records that ended. */
@FunctionalInterface
public interface FlowSink {
    /**
     * A record has ended; {@link FlowRecord#endReason} says why. Called on the thread of the table, which waits.
     *
     * @param record valid during the call
     * @return false when there is no room for it: the flow then stays in the table, takes more packets, and is handed out later
     */
    @HotPath
    boolean onFlow(FlowRecord record);
}
