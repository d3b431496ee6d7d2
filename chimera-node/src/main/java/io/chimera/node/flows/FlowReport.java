package io.chimera.node.flows;

import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.table.FlowCounts;
import io.chimera.flow.table.FlowRecord;
import io.chimera.flow.table.ProtocolName;
import io.chimera.jni.capture.CaptureCounters;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Report of a capture, as a map and as text.
 *
 * @param source origin of the packets
 * @param counts counts of the flow table
 * @param statistics statistics of the flow records
 * @param capture counts of the capture
 * @param failure reason for an incomplete read, e.g. a damaged file or a lost interface; empty after a complete read
 */
record FlowReport(
        String source, FlowCounts counts, FlowStatistics statistics, CaptureCounters capture, String failure) {
    private static final double NS_PER_S = 1e9;
    private static final int PROTOCOLS = 256;

    /**
     * Returns the report as a map. {@code packets}, {@code bytes} and {@code wire_bytes} count IP only, {@code frames}
     * counts every frame.
     */
    Map<String, Object> keys() {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("source", source);
        keys.put("packets", counts.packets(PacketOutcome.IP));
        keys.put("bytes", counts.ipBytes());
        keys.put("wire_bytes", counts.ipWireBytes());
        keys.put("flows", counts.flows());
        keys.put("unidirectional_flows", statistics.directions());
        keys.put("frames", counts.packets());
        keys.put("frame_bytes", counts.wireBytes());
        keys.put("not_ip", counts.packets(PacketOutcome.NOT_IP));
        keys.put("malformed", counts.malformed());
        keys.put("malformed_by", malformed());
        keys.put("later_fragments", counts.laterFragments());
        keys.put("tunnels_unread", counts.tunnelsUnread());
        keys.put("records", counts.records());
        keys.put("evicted", counts.records(FlowRecord.END_LACK_OF_RESOURCES));
        keys.put("cut_short", capture.truncated());
        keys.put("dropped_ring", capture.droppedRing());
        keys.put("dropped_interface", capture.droppedInterface());
        keys.put("failures", failure.isEmpty() ? 0 : 1);
        if (!failure.isEmpty()) {
            keys.put("failure", failure);
        }
        if (counts.records() > 0) {
            keys.put("first", time(statistics.firstNs()).toString());
            keys.put("last", time(statistics.lastNs()).toString());
        }
        keys.put("by_protocol", protocols());
        keys.put(
                "top_flows",
                statistics.topFlows().stream().map(FlowReport::flow).toList());
        keys.put(
                "top_hosts",
                statistics.topHosts().stream().map(FlowReport::host).toList());
        return keys;
    }

    private Map<String, Object> malformed() {
        Map<String, Object> reasons = new LinkedHashMap<>();
        for (PacketOutcome outcome : PacketOutcome.values()) {
            if (outcome.isMalformed() && counts.packets(outcome) > 0) {
                reasons.put(outcome.text(), counts.packets(outcome));
            }
        }
        return reasons;
    }

    private Map<String, Object> protocols() {
        Map<String, Object> protocols = new LinkedHashMap<>();
        seen().forEach(protocol -> {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("packets", counts.packets(protocol));
            figures.put("bytes", counts.ipBytes(protocol));
            figures.put("wire_bytes", counts.wireBytes(protocol));
            figures.put("flows", counts.flows(protocol));
            protocols.put(ProtocolName.of(protocol), figures);
        });
        return protocols;
    }

    private List<Integer> seen() {
        return IntStream.range(0, PROTOCOLS)
                .filter(protocol -> counts.packets(protocol) > 0)
                .boxed()
                .toList();
    }

    private static Map<String, Object> flow(FlowStatistics.Talk talk) {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("flow", talk.name());
        keys.put("protocol", ProtocolName.of(talk.protocol()));
        keys.put("packets", talk.packets());
        keys.put("bytes", talk.bytes());
        return keys;
    }

    private static Map<String, Object> host(FlowStatistics.Talk talk) {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("host", talk.name());
        keys.put("packets", talk.packets());
        keys.put("bytes", talk.bytes());
        return keys;
    }

    private static Instant time(long ns) {
        return Instant.ofEpochSecond(0, ns);
    }

    /** Prints the report as text. */
    void print(PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%s: %,d IP packets, %,d bytes (%,d on the wire), %,d flows%n",
                source,
                counts.packets(PacketOutcome.IP),
                counts.ipBytes(),
                counts.ipWireBytes(),
                counts.flows());
        out.printf(
                Locale.ROOT,
                "%,d frames in total: %,d not IP, %,d malformed%s; dropped: %,d by the ring, %,d by the interface%n",
                counts.packets(),
                counts.packets(PacketOutcome.NOT_IP),
                counts.malformed(),
                counts.malformed() == 0 ? "" : " " + malformed(),
                capture.droppedRing(),
                capture.droppedInterface());
        if (!failure.isEmpty()) {
            out.printf("incomplete: %s%n", failure);
        }
        if (counts.records() > 0) {
            double seconds = (statistics.lastNs() - statistics.firstNs()) / NS_PER_S;
            out.printf(Locale.ROOT, "from %s, for %.3f s%n", time(statistics.firstNs()), seconds);
        }
        out.printf("%n%-10s %12s %16s %10s%n", "protocol", "packets", "bytes", "flows");
        for (int protocol : seen()) {
            out.printf(
                    Locale.ROOT,
                    "%-10s %,12d %,16d %,10d%n",
                    ProtocolName.of(protocol),
                    counts.packets(protocol),
                    counts.ipBytes(protocol),
                    counts.flows(protocol));
        }
        print(out, "flow", statistics.topFlows());
        print(out, "host", statistics.topHosts());
    }

    private static void print(PrintWriter out, String title, List<FlowStatistics.Talk> talks) {
        if (talks.isEmpty()) {
            return;
        }
        int width = talks.stream().mapToInt(talk -> talk.name().length()).max().orElseThrow();
        out.printf("%n%-" + width + "s %8s %12s %16s%n", title, "", "packets", "bytes");
        for (FlowStatistics.Talk talk : talks) {
            String protocol = talk.protocol() < 0 ? "" : ProtocolName.of(talk.protocol());
            out.printf(
                    Locale.ROOT,
                    "%-" + width + "s %8s %,12d %,16d%n",
                    talk.name(),
                    protocol,
                    talk.packets(),
                    talk.bytes());
        }
    }
}
