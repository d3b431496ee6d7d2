package io.chimera.flow.table;

import java.util.ArrayList;
import java.util.List;

/** Collects ended records for tests. */
final class Ended implements FlowSink {
    final List<Flow> flows = new ArrayList<>();
    boolean isFull;

    /** Columns of a record relevant to tests. */
    record Flow(
            int source,
            int sourcePort,
            int destination,
            int destinationPort,
            int protocol,
            long forward,
            long reverse,
            long forwardBytes,
            long reverseBytes,
            int forwardFlags,
            int reverseFlags,
            long firstNs,
            long lastNs,
            int reason) {}

    @Override
    public boolean onFlow(FlowRecord record) {
        if (isFull) {
            return false;
        }
        flows.add(new Flow(
                record.sourceIpv4(),
                record.sourcePort(),
                record.destinationIpv4(),
                record.destinationPort(),
                record.protocol(),
                record.forwardPackets(),
                record.reversePackets(),
                record.forwardBytes(),
                record.reverseBytes(),
                record.forwardTcpFlags(),
                record.reverseTcpFlags(),
                record.firstNs(),
                record.lastNs(),
                record.endReason()));
        return true;
    }
}
