package io.chimera.common.channel.netty.node;

import io.chimera.common.channel.CreditWindow;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Second, independent implementation of the frame layout, for tests of the production code. */
public final class WireFrames {
    private WireFrames() {}

    static byte[] frame(int kind, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(payload);
        ByteBuffer frame = ByteBuffer.allocate(8 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(kind << 24 | payload.length).putInt((int) crc.getValue()).put(payload);
        return frame.array();
    }

    public static byte[] data(byte[] payload) {
        return frame(0, payload);
    }

    static byte[] start() {
        return start(1, CreditWindow.BYTES);
    }

    public static byte[] start(int version, int windowBytes) {
        ByteBuffer payload = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        payload.put(new byte[] {'C', 'H', 'I', 'M'}).putInt(version).putInt(windowBytes);
        return frame(1, payload.array());
    }

    public static byte[] credit(int bytes) {
        return frame(
                2,
                ByteBuffer.allocate(4)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(bytes)
                        .array());
    }

    static byte[] ping() {
        return frame(3, new byte[0]);
    }

    public static byte[] headerOnly(int word) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(word)
                .putInt(0)
                .array();
    }
}
