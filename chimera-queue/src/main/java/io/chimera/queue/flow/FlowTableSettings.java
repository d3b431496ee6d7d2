package io.chimera.queue.flow;

import java.time.Duration;

/**
 * What a flow table keeps, and for how long.
 *
 * @param flowsMax flows at one time, 1 to {@link #FLOWS_MAX}; a flow takes about 160 bytes
 * @param idle a flow without a packet for longer has ended
 * @param active a record of a flow that is older ends, and the next packet begins another
 * @param endsTcp whether FIN of both sides, and RST, end a flow of TCP
 */
public record FlowTableSettings(int flowsMax, Duration idle, Duration active, boolean endsTcp) {
    /** The most flows of a table: 2 GiB of records less one. */
    public static final int FLOWS_MAX = (1 << 24) - 1;

    /** Checks the values. */
    public FlowTableSettings {
        if (flowsMax < 1 || flowsMax > FLOWS_MAX) {
            throw new IllegalArgumentException("A table has 1 to " + FLOWS_MAX + " flows, not " + flowsMax + ".");
        }
        if (idle.isNegative() || idle.isZero() || active.isNegative() || active.isZero()) {
            throw new IllegalArgumentException(
                    "Timeouts of flows are more than nothing, not " + idle + " idle and " + active + " active.");
        }
    }

    /** A table of so many flows with the timeouts that exporters commonly have: 15 s idle, 60 s active. */
    public static FlowTableSettings of(int flowsMax) {
        return new FlowTableSettings(flowsMax, Duration.ofSeconds(15), Duration.ofSeconds(60), true);
    }
}
