package io.chimera.bench.archive.index;

import io.chimera.flow.packet.PacketDecoder;
import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.packet.PacketTuple;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.jni.capture.PacketCapture;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/** IP packets as tuples in off-heap memory, with the captured length of each packet. */
public final class PacketTuples {
    private static final int FRAME_BYTES = 60;
    private static final int TCP = 6;
    private static final int UDP = 17;

    private final ByteBuffer memory;
    private final long address;
    private final int[] captured;
    private int size;

    private PacketTuples(int packetsMax) {
        memory = BufferUtil.allocateDirectAligned(packetsMax * PacketTuple.LENGTH, BitUtil.CACHE_LINE_LENGTH);
        address = BufferUtil.address(memory);
        captured = new int[packetsMax];
    }

    /**
     * Reads capture files in sequence.
     *
     * @param packetsMax maximum number of packets
     */
    public static PacketTuples read(List<Path> files, int packetsMax) {
        PacketTuples tuples = new PacketTuples(packetsMax);
        for (Path file : files) {
            try (PacketCapture capture = Captures.open(CaptureOptions.of("file:" + file))) {
                if (PacketDecoder.isKnown(capture.linkType())) {
                    tuples.read(capture);
                }
            }
        }
        return tuples;
    }

    private void read(PacketCapture capture) {
        PacketDecoder decoder = new PacketDecoder(capture.linkType(), false);
        PacketBatch batch = new PacketBatch(PacketBatch.DEFAULT_CAPACITY);
        while (capture.receive(batch, 0) > 0) {
            for (int i = 0; i < batch.size() && size < captured.length; i++) {
                PacketOutcome outcome = decoder.decode(
                        batch.address(i),
                        batch.captured(i),
                        batch.length(i),
                        batch.timestampNs(i),
                        batch.vlanTci(i),
                        batch.vlanTpid(i),
                        tuple(size));
                if (outcome == PacketOutcome.IP) {
                    captured[size++] = batch.captured(i);
                }
            }
        }
    }

    /** Generates packets of 60 bytes like those of the paper. */
    public static PacketTuples make(int packets) {
        PacketTuples tuples = new PacketTuples(packets);
        PaperTraffic traffic = new PaperTraffic();
        for (int i = 0; i < packets; i++) {
            traffic.next(tuples);
        }
        return tuples;
    }

    /** Creates an empty instance with room for packets, filled by {@link #add}. */
    static PacketTuples room(int packets) {
        return new PacketTuples(packets);
    }

    /** Removes all packets. */
    void clear() {
        size = 0;
    }

    /** Adds a packet of a flow. */
    void add(int flow, int client, int server, boolean isReverse) {
        long tuple = tuple(size);
        boolean isTcp = flow % 3 != 0;
        short clientPort = (short) (0x8000 | (flow & 0x7FFF));
        short serverPort = (short) (isTcp ? 443 : 53);
        UnsafeApi.setMemory(tuple, PacketTuple.LENGTH, (byte) 0);
        putAddress(tuple + PacketTuple.SOURCE_ADDRESS, isReverse ? server : client);
        putAddress(tuple + PacketTuple.DESTINATION_ADDRESS, isReverse ? client : server);
        UnsafeApi.putShort(tuple + PacketTuple.SOURCE_PORT, isReverse ? serverPort : clientPort);
        UnsafeApi.putShort(tuple + PacketTuple.DESTINATION_PORT, isReverse ? clientPort : serverPort);
        UnsafeApi.putByte(tuple + PacketTuple.PROTOCOL, (byte) (isTcp ? TCP : UDP));
        UnsafeApi.putByte(tuple + PacketTuple.IP_VERSION, (byte) 4);
        captured[size++] = FRAME_BYTES;
    }

    private static void putAddress(long at, int ip) {
        UnsafeApi.putInt(at + 8, 0xFFFF_0000);
        UnsafeApi.putInt(at + 12, Integer.reverseBytes(ip));
    }

    /** Returns the address of a tuple. */
    public long tuple(int i) {
        return address + (long) i * PacketTuple.LENGTH;
    }

    /** Returns the captured bytes of a packet. */
    public int captured(int i) {
        return captured[i];
    }

    /** Returns the number of packets. */
    public int size() {
        return size;
    }
}
