package io.chimera.node.flows;

import static io.chimera.flow.packet.PacketBuilder.ACK;
import static io.chimera.flow.packet.PacketBuilder.FIN;
import static io.chimera.flow.packet.PacketBuilder.RST;
import static io.chimera.flow.packet.PacketBuilder.SYN;

import io.chimera.flow.packet.PacketBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Packets with conversations, a SYN flood and a scan, with their expected counts. */
final class PlantedTraffic {
    /** Target of the flood. */
    static final String FLOODED = "10.0.0.80";

    /** Connections of the flood, each from another address. */
    static final int FLOOD = 400;

    /** Source of a scan of all ports of all hosts. */
    static final String SCANNER = "10.0.0.66";

    private static final int SCANNED_HOSTS = 20;
    private static final int SCANNED_PORTS = 20;
    private static final int CONVERSATIONS = 50;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int ETHERNET_LENGTH = 14;
    private static final Map<Integer, String> NAMES = Map.of(TCP, "tcp", UDP, "udp");

    private final List<byte[]> frames = new ArrayList<>();
    private final Map<String, Double> packets = new TreeMap<>();
    private final Map<String, Double> bytes = new TreeMap<>();
    private final Map<String, Double> flows = new TreeMap<>();

    /** Creates all packets, mixed. */
    PlantedTraffic() {
        for (int i = 0; i < FLOOD; i++) {
            flow(TCP);
            tcp("10.9." + i / 250 + "." + (1 + i % 250), 1024 + i, FLOODED, 80, SYN, 0);
            scan(i);
            if (i < CONVERSATIONS) {
                conversation(i);
                lookUp(i);
            }
        }
    }

    private void scan(int i) {
        String host = "10.0.1." + (1 + i % SCANNED_HOSTS);
        int port = 1 + i / SCANNED_HOSTS % SCANNED_PORTS;
        flow(TCP);
        tcp(SCANNER, 40_000, host, port, SYN, 0);
        tcp(host, port, SCANNER, 40_000, RST | ACK, 0);
    }

    /** Adds a complete connection: open, data, close. */
    private void conversation(int i) {
        String client = "10.0.2." + (1 + i);
        String server = "10.0.3.1";
        int port = 30_000 + i;
        flow(TCP);
        tcp(client, port, server, 443, SYN, 0);
        tcp(server, 443, client, port, SYN | ACK, 0);
        tcp(client, port, server, 443, ACK, 0);
        tcp(client, port, server, 443, ACK, 100 + i);
        tcp(server, 443, client, port, ACK, 1_200);
        tcp(client, port, server, 443, FIN | ACK, 0);
        tcp(server, 443, client, port, FIN | ACK, 0);
        tcp(client, port, server, 443, ACK, 0);
    }

    private void lookUp(int i) {
        String client = "10.0.2." + (1 + i);
        flow(UDP);
        add(UDP, PacketBuilder.ipv4(client, "10.0.3.53", UDP, PacketBuilder.udp(50_000, 53, new byte[30])));
        add(UDP, PacketBuilder.ipv4("10.0.3.53", client, UDP, PacketBuilder.udp(53, 50_000, new byte[90])));
    }

    private void tcp(String source, int sourcePort, String destination, int destinationPort, int flags, int payload) {
        byte[] segment = PacketBuilder.tcp(sourcePort, destinationPort, flags, new byte[payload]);
        add(TCP, PacketBuilder.ipv4(source, destination, TCP, segment));
    }

    private void flow(int protocol) {
        flows.merge(NAMES.get(protocol), 1.0, Double::sum);
    }

    private void add(int protocol, byte[] packet) {
        byte[] frame = PacketBuilder.ethernet(PacketBuilder.IPV4, packet);
        frames.add(frame);
        packets.merge(NAMES.get(protocol), 1.0, Double::sum);
        bytes.merge(NAMES.get(protocol), (double) (frame.length - ETHERNET_LENGTH), Double::sum);
    }

    List<byte[]> frames() {
        return frames;
    }

    /** Packets by protocol. */
    Map<String, Double> packets() {
        return packets;
    }

    /** Bytes of IP by protocol. */
    Map<String, Double> bytes() {
        return bytes;
    }

    /** Flows by protocol. */
    Map<String, Double> flows() {
        return flows;
    }
}
