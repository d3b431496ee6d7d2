package io.chimera.flow.ipfix.collector;

import io.chimera.flow.packet.PacketBuilder;
import io.chimera.jni.capture.PcapWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Small capture with known counts. */
public final class SamplePackets {
    public static final int CLIENTS = 40;
    static final int ANSWERS = 3;

    /** Whole seconds, and flows end in the past, so that no result depends on a timeout. */
    private static final long START_NS = 1_700_000_000L * 1_000_000_000L;

    private static final int ETHERNET = 1;

    private final List<byte[]> frames = new ArrayList<>();

    private long ipBytes;

    /** UDP and TCP flows; optionally with IPv6 for every fourth client. */
    public SamplePackets(boolean withIpv6) {
        for (int client = 1; client <= CLIENTS; client++) {
            boolean isV6 = withIpv6 && client % 4 == 0;
            String source = isV6 ? "2001:db8::" + client : "10.0.0." + client;
            String server = isV6 ? "2001:db8:1::1" : "10.0.1.1";
            for (int i = 0; i < ANSWERS; i++) {
                if (client % 2 == 0) {
                    add(source, server, 17, PacketBuilder.udp(1024 + client, 53, new byte[20 + i]));
                    add(server, source, 17, PacketBuilder.udp(53, 1024 + client, new byte[100 + i]));
                } else {
                    add(
                            source,
                            server,
                            6,
                            PacketBuilder.tcp(
                                    2048 + client, 80, i == 0 ? PacketBuilder.SYN : PacketBuilder.ACK, new byte[i]));
                    add(server, source, 6, PacketBuilder.tcp(80, 2048 + client, PacketBuilder.ACK, new byte[200]));
                }
            }
        }
    }

    private void add(String source, String destination, int protocol, byte[] payload) {
        boolean isV6 = source.contains(":");
        byte[] packet = isV6
                ? PacketBuilder.ipv6(source, destination, protocol, payload)
                : PacketBuilder.ipv4(source, destination, protocol, payload);
        ipBytes += packet.length;
        frames.add(PacketBuilder.ethernet(isV6 ? PacketBuilder.IPV6 : PacketBuilder.IPV4, packet));
    }

    public int packets() {
        return frames.size();
    }

    /** Sum of IP bytes over all packets. */
    public long ipBytes() {
        return ipBytes;
    }

    /** Writes these packets as a capture file. */
    public Path write(Path file) {
        return write(file, frames);
    }

    /** Writes a capture file with messages sent to a collector. */
    public static Path writeMessages(Path file, List<byte[]> messages) {
        return write(
                file,
                messages.stream()
                        .map(message -> PacketBuilder.ethernet(
                                PacketBuilder.IPV4,
                                PacketBuilder.ipv4(
                                        "10.9.0.1", "10.9.0.2", 17, PacketBuilder.udp(40_000, 4739, message))))
                        .toList());
    }

    private static Path write(Path file, List<byte[]> frames) {
        try (PcapWriter writer = PcapWriter.create(file, ETHERNET, PcapWriter.Resolution.MICROSECONDS)) {
            UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16));
            long timeNs = START_NS;
            for (byte[] frame : frames) {
                memory.putBytes(0, frame);
                writer.write(timeNs, memory.addressOffset(), frame.length, frame.length, 0, 0);
                timeNs += 1_000_000;
            }
        }
        return file;
    }
}
