package io.chimera.node.flows;

import io.chimera.flow.capture.FlowKeys;
import io.chimera.flow.capture.FlowMeter;
import io.chimera.flow.table.FlowRecord;
import io.chimera.flow.table.FlowSink;
import io.chimera.flow.table.FlowTableSettings;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketCapture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Flows of a capture, counted in the way of other tools. */
final class CountedFlows implements FlowSink {
    private static final Duration NEVER = Duration.ofDays(10_000);
    private static final Map<Integer, Integer> REPLIES = Map.of(8, 0, 13, 14, 15, 16, 17, 18);

    /** Packets and IP bytes of each direction, by protocol, addresses and ports, in the format of nfdump. */
    final Map<String, Count> directions = new TreeMap<>();

    /** Packets and bytes on the wire of each direction, by kind and ends, as counted by tshark's conversations. */
    final Map<String, Count> conversations = new TreeMap<>();

    record Count(long packets, long bytes) {
        Count plus(Count other) {
            return new Count(packets + other.packets, bytes + other.bytes);
        }

        @Override
        public String toString() {
            return packets + " packets, " + bytes + " bytes";
        }
    }

    static CountedFlows of(Path file, boolean isInside) {
        CountedFlows flows = new CountedFlows();
        try (PacketCapture capture = Captures.open(CaptureOptions.of("file:" + file))) {
            FlowTableSettings settings = new FlowTableSettings(100_000, NEVER, NEVER, false);
            FlowMeter meter = new FlowMeter(capture, new FlowKeys(true, isInside, 0), settings, flows);
            while (meter.poll(0) != PacketCapture.END) {
                // reads on
            }
            meter.flush();
        }
        return flows;
    }

    @Override
    public boolean onFlow(FlowRecord flow) {
        String source = flow.sourceText();
        String destination = flow.destinationText();
        int from = flow.sourcePort();
        int to = flow.destinationPort();
        Count forward = new Count(flow.forwardPackets(), flow.forwardBytes());
        Count reverse = new Count(flow.reversePackets(), flow.reverseBytes());
        direction(flow, source, from, destination, to, forward);
        direction(flow, destination, to, source, from, reverse);
        Count forwardWire = new Count(flow.forwardPackets(), flow.forwardWireBytes());
        Count reverseWire = new Count(flow.reversePackets(), flow.reverseWireBytes());
        boolean isLaterFragment = flow.protocol() == 17 && (from | to) == 0;
        if (flow.ipVersion() == 4 || !isLaterFragment) { // tshark does not count later fragments of IPv6
            conversation(flow.ipVersion() == 4 ? "IPv4" : "IPv6", source, destination, forwardWire, reverseWire);
        }
        String kind = Map.of(6, "TCP", 17, "UDP", 132, "SCTP").get(flow.protocol());
        if (kind != null && (from | to) != 0) {
            conversation(kind, source + ":" + from, destination + ":" + to, forwardWire, reverseWire);
        }
        return true;
    }

    private void direction(FlowRecord flow, String source, int from, String destination, int to, Count count) {
        if (count.packets() == 0) {
            return;
        }
        boolean isIcmp = flow.protocol() == 1 || flow.protocol() == 58;
        String ports = isIcmp
                ? source + "|0|" + destination + "|" + icmp(flow, from, to)
                : source + "|" + from + "|" + destination + "|" + to;
        directions.merge(flow.protocol() + "|" + ports, count, Count::plus);
    }

    /** nfdump keeps no ICMPv6 types. */
    private static String icmp(FlowRecord flow, int from, int to) {
        if (flow.protocol() == 58) {
            return "0.0";
        }
        int type = from == 0 ? to >> 8 : REPLIES.get(from >> 8);
        return type + "." + (from == 0 ? to & 0xFF : from & 0xFF);
    }

    private void conversation(String kind, String source, String destination, Count forward, Count reverse) {
        if (forward.packets() > 0) {
            conversations.merge(kind + " " + source + " > " + destination, forward, Count::plus);
        }
        if (reverse.packets() > 0) {
            conversations.merge(kind + " " + destination + " > " + source, reverse, Count::plus);
        }
    }
}
