package io.chimera.node.flows;

import io.chimera.flow.table.FlowRecord;
import io.chimera.flow.table.FlowSink;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Aggregates flow records into the flows and hosts with the most traffic. One thread. */
final class FlowStatistics implements FlowSink {
    /** Maximum number of tracked hosts; all later hosts share one count. */
    private static final int HOSTS_MAX = 1_000_000;

    /** Name of the count shared by all later hosts. */
    private static final String OTHERS = "others";

    private static final Comparator<Talk> BY_BYTES =
            Comparator.comparingLong(Talk::bytes).thenComparing(Talk::name, Comparator.reverseOrder());

    private final int top;
    private final PriorityQueue<Talk> flows = new PriorityQueue<>(BY_BYTES);
    private final Map<String, long[]> hosts = new HashMap<>();
    private long directions;
    private long firstNs = Long.MAX_VALUE;
    private long lastNs = Long.MIN_VALUE;

    /**
     * Creates empty statistics.
     *
     * @param top number of reported flows and hosts
     */
    FlowStatistics(int top) {
        this.top = top;
    }

    /**
     * Traffic of a host or a flow.
     *
     * @param name a host, or a flow in its forward direction
     * @param protocol IP protocol of a flow; -1 for a host
     * @param packets packets in both directions
     * @param bytes bytes of the IP packets in both directions
     */
    record Talk(String name, int protocol, long packets, long bytes) {}

    @Override
    public boolean onFlow(FlowRecord record) {
        long packets = record.forwardPackets() + record.reversePackets();
        long bytes = record.forwardBytes() + record.reverseBytes();
        directions += (record.forwardPackets() > 0 ? 1 : 0) + (record.reversePackets() > 0 ? 1 : 0);
        firstNs = Math.min(firstNs, record.firstNs());
        lastNs = Math.max(lastNs, record.lastNs());
        String source = record.sourceText();
        String destination = record.destinationText();
        if (top > 0 && (flows.size() < top || flows.element().bytes() < bytes)) {
            flows.add(new Talk(name(record, source, destination), record.protocol(), packets, bytes));
            if (flows.size() > top) {
                flows.remove();
            }
        }
        host(source, packets, bytes);
        if (!destination.equals(source)) {
            host(destination, packets, bytes);
        }
        return true;
    }

    private static String name(FlowRecord record, String source, String destination) {
        boolean isIcmp = record.protocol() == 1 || record.protocol() == 58;
        if (isIcmp) {
            return source + " > " + destination + " type " + record.icmpType() + " code " + record.icmpCode();
        }
        boolean isVersion4 = record.ipVersion() == 4;
        return withPort(source, record.sourcePort(), isVersion4) + " > "
                + withPort(destination, record.destinationPort(), isVersion4);
    }

    private static String withPort(String address, int port, boolean isVersion4) {
        return isVersion4 ? address + ":" + port : "[" + address + "]:" + port;
    }

    private void host(String name, long packets, long bytes) {
        String known = hosts.containsKey(name) || hosts.size() < HOSTS_MAX ? name : OTHERS;
        long[] sums = hosts.computeIfAbsent(known, host -> new long[2]);
        sums[0] += packets;
        sums[1] += bytes;
    }

    /**
     * Returns the number of directions with packets, over all records. Equals the number of flows in tools with
     * unidirectional flows.
     */
    long directions() {
        return directions;
    }

    /** Returns the time of the first packet, ns since 1970; {@link Long#MAX_VALUE} without a record. */
    long firstNs() {
        return firstNs;
    }

    /** Returns the time of the last packet, ns since 1970; {@link Long#MIN_VALUE} without a record. */
    long lastNs() {
        return lastNs;
    }

    /** Returns the flows with the most bytes in descending order. */
    List<Talk> topFlows() {
        return flows.stream().sorted(BY_BYTES.reversed()).toList();
    }

    /** Returns the hosts with the most bytes sent and received in descending order. */
    List<Talk> topHosts() {
        return hosts.entrySet().stream()
                .map(host -> new Talk(host.getKey(), -1, host.getValue()[0], host.getValue()[1]))
                .sorted(BY_BYTES.reversed())
                .limit(top)
                .toList();
    }
}
