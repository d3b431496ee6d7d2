package io.chimera.bench.archive.peers;

import io.chimera.bench.capture.PacketTrace;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Packets of the trace by number, and the queries. One thread. */
final class TraceFile implements AutoCloseable {
    /**
     * Query for a host with many packets all over the trace: the worst case for stores that read more than the matching
     * packets.
     */
    static final String HIT = "host 10.0.0.0 and udp";

    /** Query for a host without packets. */
    static final String MISS = "host 11.22.33.44";

    /** Addresses and protocol of these queries. */
    static final int HIT_ADDRESS = 0x0A00_0000;

    static final int MISS_ADDRESS = 0x0B16_212C;
    static final int UDP = 17;

    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int CAPTURED = 8;
    private static final int RECORD = RECORD_HEADER + PacketTrace.FRAME_BYTES;
    private static final int SECONDS_NS = 1_000_000_000;
    private static final int MICROSECOND_NS = 1_000;
    private static final int IP = 14;
    private static final int TRANSPORT = IP + 20;

    private final MappedByteBuffer mapped;
    private final UnsafeBuffer bytes;
    private final int packets;

    private TraceFile(MappedByteBuffer mapped, int packets) {
        this.mapped = mapped;
        this.packets = packets;
        bytes = new UnsafeBuffer(mapped);
    }

    static TraceFile open(PacketTrace trace) throws IOException {
        return new TraceFile(map(trace.path()), trace.packets());
    }

    private static MappedByteBuffer map(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size());
        }
    }

    int packets() {
        return packets;
    }

    long timeNs(int packet) {
        int at = FILE_HEADER + packet * RECORD;
        return (long) bytes.getInt(at) * SECONDS_NS + (long) bytes.getInt(at + Integer.BYTES) * MICROSECOND_NS;
    }

    int source(int packet) {
        return Integer.reverseBytes(bytes.getInt(frame(packet) + IP + 12));
    }

    int destination(int packet) {
        return Integer.reverseBytes(bytes.getInt(frame(packet) + IP + 16));
    }

    int protocol(int packet) {
        return bytes.getByte(frame(packet) + IP + 9);
    }

    int sourcePort(int packet) {
        return Short.toUnsignedInt(Short.reverseBytes(bytes.getShort(frame(packet) + TRANSPORT)));
    }

    int destinationPort(int packet) {
        return Short.toUnsignedInt(Short.reverseBytes(bytes.getShort(frame(packet) + TRANSPORT + Short.BYTES)));
    }

    /** Returns the bytes of each packet. */
    int length() {
        return PacketTrace.FRAME_BYTES;
    }

    private static int frame(int packet) {
        return FILE_HEADER + packet * RECORD + RECORD_HEADER;
    }

    /** Returns the packets that match {@link #HIT}, found by a scan. */
    BitSet hits() {
        BitSet hits = new BitSet(packets);
        for (int i = 0; i < packets; i++) {
            boolean isHost = source(i) == HIT_ADDRESS || destination(i) == HIT_ADDRESS;
            hits.set(i, isHost && protocol(i) == UDP);
        }
        return hits;
    }

    /**
     * Returns the packets of an answer.
     *
     * @param answer a pcap file
     * @throws IOException when the file is damaged, or has an unsent or repeated packet
     */
    BitSet numbers(String who, Path answer) throws IOException {
        MappedByteBuffer answered = map(answer);
        UnsafeBuffer records = new UnsafeBuffer(answered);
        BitSet numbers = new BitSet(packets);
        try {
            for (int at = FILE_HEADER; at < records.capacity(); at += RECORD) {
                int captured = records.getInt(at + CAPTURED);
                int number = captured == PacketTrace.FRAME_BYTES
                        ? records.getInt(at + RECORD_HEADER + PacketTrace.NUMBER)
                        : -1;
                if (number < 0 || number >= packets || numbers.get(number) || !isSame(records, at, number)) {
                    throw new IOException(who + " answers with a packet at byte " + at
                            + " of its capture file that was not sent, or is repeated");
                }
                numbers.set(number);
            }
        } finally {
            BufferUtil.free(answered);
        }
        return numbers;
    }

    private boolean isSame(UnsafeBuffer records, int record, int number) {
        int frame = frame(number);
        for (int at = 0; at < PacketTrace.FRAME_BYTES; at += Integer.BYTES) {
            if (records.getInt(record + RECORD_HEADER + at) != bytes.getInt(frame + at)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        BufferUtil.free(mapped);
    }
}
