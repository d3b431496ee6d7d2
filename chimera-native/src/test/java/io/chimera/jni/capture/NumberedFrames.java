package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Frames for tests: Ethernet, IPv4 and UDP, with payload bytes derived from the frame number. */
public final class NumberedFrames {

    static final int PORT = 9;
    static final int HEADER_BYTES = 42;
    static final int FRAME_BYTES_MAX = 1514;
    static final int TYPE_POSITION = 12;

    private static final int ETHER_TYPE_IPV4 = 0x0800;
    private static final int ETHER_TYPE_VLAN = 0x8100;

    private NumberedFrames() {}

    /** Frame {@code number} of a given length, to a port. */
    public static byte[] frame(int number, int bytes, int port) {
        int udpBytes = bytes - 34;
        ByteBuffer frame = ByteBuffer.allocate(bytes);
        frame.put(new byte[] {2, 0, 0, 0, 0, 2})
                .put(new byte[] {2, 0, 0, 0, 0, 1})
                .putShort((short) ETHER_TYPE_IPV4);
        frame.put((byte) 0x45).put((byte) 0).putShort((short) (20 + udpBytes)).putInt(0);
        frame.put((byte) 64).put((byte) 17).putShort((short) 0);
        frame.put(new byte[] {10, 99, 0, 1}).put(new byte[] {10, 99, 0, 2});
        frame.putShort((short) 4000)
                .putShort((short) port)
                .putShort((short) udpBytes)
                .putShort((short) 0);
        frame.putInt(number);
        while (frame.hasRemaining()) {
            frame.put((byte) (number + frame.position()));
        }
        return frame.array();
    }

    /** Frames of various lengths. */
    static List<byte[]> frames(int count) {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            frames.add(frame(i, 60 + i * 37 % (FRAME_BYTES_MAX - 60 + 1), PORT));
        }
        return frames;
    }

    /** Copy of a frame with a VLAN tag after the addresses. */
    static byte[] tagged(byte[] frame, int tci) {
        return ByteBuffer.allocate(frame.length + 4)
                .put(frame, 0, TYPE_POSITION)
                .putShort((short) ETHER_TYPE_VLAN)
                .putShort((short) tci)
                .put(frame, TYPE_POSITION, frame.length - TYPE_POSITION)
                .array();
    }

    /** Writes frames to a file, one microsecond apart. */
    static void write(Path file, List<byte[]> frames) {
        write(file, 1_700_000_000_123_456_789L, frames);
    }

    /** Writes frames to a file, one microsecond apart, starting at a time in ns since 1970. */
    public static void write(Path file, long firstNs, List<byte[]> frames) {
        try (PcapWriter writer = PcapWriter.create(file, 1, PcapWriter.Resolution.NANOSECONDS)) {
            UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(CaptureOptions.SNAP_LENGTH_MAX));
            long timestampNs = firstNs;
            for (byte[] frame : frames) {
                buffer.putBytes(0, frame);
                writer.write(timestampNs, buffer.addressOffset(), frame.length, frame.length, 0, 0);
                timestampNs += 1000;
            }
        }
    }

    /** Bytes of packet {@code i}. */
    static byte[] bytesOf(PacketBatch batch, int i) {
        byte[] bytes = new byte[batch.captured(i)];
        new UnsafeBuffer(batch.address(i), bytes.length).getBytes(0, bytes);
        return bytes;
    }

    static void assertSame(List<byte[]> seen, List<byte[]> wanted) {
        assertThat(seen).hasSameSizeAs(wanted);
        for (int i = 0; i < wanted.size(); i++) {
            assertThat(seen.get(i)).as("frame %d", i).isEqualTo(wanted.get(i));
        }
    }
}
