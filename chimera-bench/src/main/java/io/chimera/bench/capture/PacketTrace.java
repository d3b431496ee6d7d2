package io.chimera.bench.capture;

import io.chimera.jni.capture.PcapWriter;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Pcap file in main memory, identical in every run: frames of {@link #FRAME_BYTES} over IPv4, two thirds TCP and the
 * rest UDP, one microsecond apart, in both directions of flows, with most packets in a few flows. No flow ends during
 * the trace, so a table holds all flows at the end. Deleted on close.
 */
public final class PacketTrace implements AutoCloseable {
    /** Size of the shortest Ethernet frame without checksum: the highest cost per byte. */
    public static final int FRAME_BYTES = 60;

    /** Mean packets per flow: 4 million packets have 200,000 flows. */
    static final int PACKETS_PER_FLOW = 20;

    /** Position of the packet number in a frame, counted from 0, little-endian: all frames differ. */
    public static final int NUMBER = FRAME_BYTES - Integer.BYTES;

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int ETHERNET = 1;
    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final long STEP_NS = 1_000;
    private static final long SEED = 0x9E37_79B9_7F4A_7C15L;

    private static final int IP = 14;
    private static final int TRANSPORT = IP + 20;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SYN = 0x02;
    private static final int ACK = 0x10;

    private final Path path;
    private final int packets;
    private final int flowsMax;

    private PacketTrace(Path path, int packets) {
        this.path = path;
        this.packets = packets;
        flowsMax = packets / PACKETS_PER_FLOW;
    }

    /** Writes a trace with the given number of packets. */
    public static PacketTrace write(int packets) throws IOException {
        Path folder = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        PacketTrace trace = new PacketTrace(Files.createTempFile(folder, "chimera-bench-", ".pcap"), packets);
        trace.path.toFile().deleteOnExit(); // after Ctrl-C
        try (PcapWriter writer = PcapWriter.create(trace.path, ETHERNET, Resolution.MICROSECONDS)) {
            trace.fill(writer);
        }
        return trace;
    }

    private void fill(PcapWriter writer) {
        UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME_BYTES));
        BitSet begun = new BitSet(flowsMax);
        long random = SEED;
        for (int i = 0; i < packets; i++) {
            random ^= random << 13;
            random ^= random >>> 7;
            random ^= random << 17;
            double share = (random >>> 11) * 0x1p-53;
            int flow = (int) (flowsMax * share * share * share);
            boolean isFirst = !begun.get(flow);
            begun.set(flow);
            put(frame, flow, isFirst, !isFirst && (random & 1) != 0);
            frame.putInt(NUMBER, i, ByteOrder.LITTLE_ENDIAN);
            writer.write(START_NS + i * STEP_NS, frame.addressOffset(), FRAME_BYTES, FRAME_BYTES, 0, 0);
        }
    }

    private static void put(UnsafeBuffer frame, int flow, boolean isFirst, boolean isReverse) {
        boolean isTcp = flow % 3 != 0;
        int client = 0x0A00_0000 | (flow >>> 4); // 10.x.x.x, 16 flows each
        int server = 0xC0A8_0000 | (flow * 7 & 0xFFFF); // 192.168.x.x
        int clientPort = 0x8000 | (flow & 0x7FFF);
        int serverPort = isTcp ? 443 : 53;
        frame.setMemory(0, FRAME_BYTES, (byte) 0);
        frame.putInt(0, 0x0200_0000, ByteOrder.BIG_ENDIAN);
        frame.putInt(6, 0x0200_0000, ByteOrder.BIG_ENDIAN);
        frame.putByte(isReverse ? 11 : 5, (byte) 1);
        frame.putShort(12, (short) 0x0800, ByteOrder.BIG_ENDIAN);
        frame.putShort(IP, (short) 0x4500, ByteOrder.BIG_ENDIAN);
        frame.putShort(IP + 2, (short) (FRAME_BYTES - IP), ByteOrder.BIG_ENDIAN);
        frame.putByte(IP + 8, (byte) 64);
        frame.putByte(IP + 9, (byte) (isTcp ? TCP : UDP));
        frame.putInt(IP + 12, isReverse ? server : client, ByteOrder.BIG_ENDIAN);
        frame.putInt(IP + 16, isReverse ? client : server, ByteOrder.BIG_ENDIAN);
        frame.putShort(IP + 10, checksum(frame), ByteOrder.BIG_ENDIAN);
        frame.putShort(TRANSPORT, (short) (isReverse ? serverPort : clientPort), ByteOrder.BIG_ENDIAN);
        frame.putShort(TRANSPORT + 2, (short) (isReverse ? clientPort : serverPort), ByteOrder.BIG_ENDIAN);
        if (isTcp) {
            frame.putByte(TRANSPORT + 12, (byte) 0x50);
            frame.putByte(TRANSPORT + 13, (byte) (isFirst ? SYN : ACK));
        } else {
            frame.putShort(TRANSPORT + 4, (short) (FRAME_BYTES - TRANSPORT), ByteOrder.BIG_ENDIAN);
        }
    }

    private static short checksum(UnsafeBuffer frame) {
        int sum = 0;
        for (int at = IP; at < TRANSPORT; at += Short.BYTES) {
            sum += frame.getShort(at, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        }
        return (short) ~((sum & 0xFFFF) + (sum >>> 16));
    }

    public Path path() {
        return path;
    }

    public int packets() {
        return packets;
    }

    /** Returns the maximum number of flows. */
    public int flowsMax() {
        return flowsMax;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}
