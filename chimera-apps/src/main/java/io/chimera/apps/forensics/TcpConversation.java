package io.chimera.apps.forensics;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Builds the packets of one planted TCP connection: Ethernet and IPv4 with valid IP checksums. */
final class TcpConversation {
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int PSH = 8;
    private static final int ACK = 16;
    private static final int HEADERS_BYTES = 14 + 20 + 20;
    private static final int FRAME_BYTES_MIN = 60;
    private static final long ROUND_TRIP_NS = 20_000_000L;

    private final byte[] client;
    private final byte[] server;
    private final int clientPort;
    private final int serverPort;
    private final Set<Monitor> seenBy;
    private final List<Planted> packets = new ArrayList<>();
    private int clientSequence = 1000;
    private int serverSequence = 5000;

    /**
     * One packet.
     *
     * @param timeNs ns since 1970
     * @param seenBy monitors on the packet's path
     */
    record Planted(long timeNs, ByteBuffer frame, Set<Monitor> seenBy) {}

    TcpConversation(String client, int clientPort, String server, int serverPort, Set<Monitor> seenBy) {
        this.client = bytes(client);
        this.server = bytes(server);
        this.clientPort = clientPort;
        this.serverPort = serverPort;
        this.seenBy = seenBy;
    }

    List<Planted> packets() {
        return packets;
    }

    TcpConversation open(long timeNs) {
        fromClient(timeNs, SYN, "");
        clientSequence++;
        fromServer(timeNs + ROUND_TRIP_NS / 2, SYN | ACK, "");
        serverSequence++;
        return fromClient(timeNs + ROUND_TRIP_NS, ACK, "");
    }

    /** Adds a connection attempt to a closed port. */
    TcpConversation refused(long timeNs) {
        fromClient(timeNs, SYN, "");
        clientSequence++;
        return fromServer(timeNs + ROUND_TRIP_NS / 2, RST | ACK, "");
    }

    TcpConversation say(long timeNs, String text) {
        fromClient(timeNs, PSH | ACK, text);
        return fromServer(timeNs + ROUND_TRIP_NS / 2, ACK, "");
    }

    TcpConversation hear(long timeNs, String text) {
        fromServer(timeNs, PSH | ACK, text);
        return fromClient(timeNs + ROUND_TRIP_NS / 2, ACK, "");
    }

    TcpConversation close(long timeNs) {
        fromClient(timeNs, FIN | ACK, "");
        return fromServer(timeNs + ROUND_TRIP_NS / 2, FIN | ACK, "");
    }

    private TcpConversation fromClient(long timeNs, int flags, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        add(timeNs, client, server, clientPort, serverPort, clientSequence, serverSequence, flags, payload);
        clientSequence += payload.length;
        return this;
    }

    private TcpConversation fromServer(long timeNs, int flags, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        add(timeNs, server, client, serverPort, clientPort, serverSequence, clientSequence, flags, payload);
        serverSequence += payload.length;
        return this;
    }

    private void add(
            long timeNs,
            byte[] source,
            byte[] destination,
            int sourcePort,
            int destinationPort,
            int sequence,
            int acknowledged,
            int flags,
            byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(Math.max(FRAME_BYTES_MIN, HEADERS_BYTES + payload.length));
        frame.put(new byte[] {2, 0})
                .put(destination)
                .put(new byte[] {2, 0})
                .put(source)
                .putShort((short) 0x0800);
        frame.put((byte) 0x45).put((byte) 0).putShort((short) (40 + payload.length));
        frame.putShort((short) packets.size()).putShort((short) 0x4000);
        frame.put((byte) 64).put((byte) 6).putShort((short) 0).put(source).put(destination);
        frame.putShort((short) sourcePort).putShort((short) destinationPort);
        frame.putInt(sequence).putInt((flags & ACK) == 0 ? 0 : acknowledged);
        frame.put((byte) 0x50).put((byte) flags).putShort((short) 0xFFFF).putInt(0);
        frame.put(payload);
        frame.putShort(24, checksum(frame));
        packets.add(new Planted(timeNs, frame, seenBy));
    }

    private static short checksum(ByteBuffer frame) {
        int sum = 0;
        for (int at = 14; at < 34; at += 2) {
            sum += frame.getShort(at) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return (short) ~(sum + (sum >>> 16));
    }

    private static byte[] bytes(String address) {
        byte[] bytes = new byte[4];
        String[] parts = address.split("\\.", -1);
        for (int i = 0; i < 4; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return bytes;
    }
}
