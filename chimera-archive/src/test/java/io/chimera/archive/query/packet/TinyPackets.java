package io.chimera.archive.query.packet;

import io.chimera.jni.capture.PacketBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Batches of small TCP packets for tests. */
final class TinyPackets {
    static final int ETHERNET = 1;
    private static final int FRAME_BYTES = 60;

    private final UnsafeBuffer memory;
    private final PacketBatch batch;
    private int used;

    TinyPackets(int capacity) {
        memory = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity * FRAME_BYTES));
        batch = new PacketBatch(capacity);
    }

    PacketBatch batch() {
        return batch;
    }

    void clear() {
        batch.clear();
        used = 0;
    }

    /** Adds a packet from 10.0.x.y, port 1000 + source, to 10.1.x.y, port 80. */
    TinyPackets add(long timeNs, int source, int destination) {
        memory.setMemory(used, FRAME_BYTES, (byte) 0);
        memory.putShort(used + 12, (short) 0x0800, ByteOrder.BIG_ENDIAN);
        memory.putByte(used + 14, (byte) 0x45);
        memory.putShort(used + 16, (short) 46, ByteOrder.BIG_ENDIAN);
        memory.putByte(used + 22, (byte) 64);
        memory.putByte(used + 23, (byte) 6);
        memory.putInt(used + 26, 10 << 24 | source, ByteOrder.BIG_ENDIAN);
        memory.putInt(used + 30, 10 << 24 | 1 << 16 | destination, ByteOrder.BIG_ENDIAN);
        memory.putShort(used + 34, (short) (1000 + source), ByteOrder.BIG_ENDIAN);
        memory.putShort(used + 36, (short) 80, ByteOrder.BIG_ENDIAN);
        memory.putByte(used + 46, (byte) 0x50);
        batch.add(timeNs, memory.addressOffset() + used, FRAME_BYTES, FRAME_BYTES, 0, 0);
        used += FRAME_BYTES;
        return this;
    }
}
