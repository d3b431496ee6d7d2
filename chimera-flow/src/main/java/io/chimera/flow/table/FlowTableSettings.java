package io.chimera.flow.table;

import java.time.Duration;

/**
 * Size and timeouts of a flow table.
 *
 * @param flowsMax maximum number of concurrent flows, 1 to {@link #FLOWS_MAX}; a flow takes about 160 bytes
 * @param idle idle timeout: time without a packet after which a flow ends
 * @param active active timeout: age at which a record ends; the next packet begins another record
 * @param endsTcp whether a TCP flow ends with FIN of both sides, or RST
 */
public record FlowTableSettings(int flowsMax, Duration idle, Duration active, boolean endsTcp) {
    /** Upper limit of the table size: 2 GiB of records less one record. */
    public static final int FLOWS_MAX = (1 << 24) - 1;

    /** Validates the values. */
    public FlowTableSettings {
        if (flowsMax < 1 || flowsMax > FLOWS_MAX) {
            throw new IllegalArgumentException("The table size must be 1 to " + FLOWS_MAX + ", not " + flowsMax + ".");
        }
        if (idle.isNegative() || idle.isZero() || active.isNegative() || active.isZero()) {
            throw new IllegalArgumentException(
                    "Flow timeouts must be positive, not " + idle + " idle and " + active + " active.");
        }
    }

    /** Returns settings with the usual timeouts of exporters: 15 s idle, 60 s active. */
    public static FlowTableSettings of(int flowsMax) {
        return new FlowTableSettings(flowsMax, Duration.ofSeconds(15), Duration.ofSeconds(60), true);
    }
}
