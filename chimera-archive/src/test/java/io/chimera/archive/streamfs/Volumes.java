package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.VolumeLayout;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.ManualClock;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** Small volumes in memory, and records for them. */
final class Volumes {
    static final int BLOCK_BYTES = 16 << 10;
    static final int ALIGNMENT = 512;
    static final FormatSettings FORMAT = new FormatSettings(BLOCK_BYTES, 4, 64, 0);

    private Volumes() {}

    /** Creates a formatted device with a number of blocks. */
    static MemoryDevice device(int blocks) {
        MemoryDevice device = new MemoryDevice(
                Geometry.headBytes(FORMAT.streamsMax(), ALIGNMENT, BLOCK_BYTES) + (long) blocks * BLOCK_BYTES,
                ALIGNMENT,
                4);
        StreamFs.format(List.of(device), FORMAT, new Random(7));
        return device;
    }

    static int rootOffset(int slot) {
        return 2 * VolumeLayout.LABEL_STRIDE_MIN
                + slot
                        * VolumeLayout.alignUp(
                                VolumeLayout.ROOT_HEADER_LENGTH + FORMAT.streamsMax() * VolumeLayout.ROOT_ENTRY_LENGTH,
                                ALIGNMENT);
    }

    static int blockOffset(int slot) {
        return (int) Geometry.headBytes(FORMAT.streamsMax(), ALIGNMENT, BLOCK_BYTES) + slot * BLOCK_BYTES;
    }

    /** Returns the content of a device for another store, as after a crash of the owner. */
    static MemoryDevice again(MemoryDevice device) {
        return new MemoryDevice(device.memory(), device.alignment(), device.depth());
    }

    static StreamFs open(MemoryDevice... devices) {
        return open(new ManualClock(), devices);
    }

    static StreamFs open(Clock clock, MemoryDevice... devices) {
        return StreamFs.open(List.of(devices), new VolumeSettings(VolumeSettings.DEFAULT.linger(), 8), clock);
    }

    static StreamSettings settings(String name, int guaranteeBlocks) {
        return new StreamSettings(name, "test", (long) guaranteeBlocks * BLOCK_BYTES);
    }

    /** Returns the content of a record. */
    static UnsafeBuffer record(int stream, long number, int length) {
        byte[] bytes = new byte[length];
        new Random(stream * 1_000_003L + number).nextBytes(bytes);
        return new UnsafeBuffer(bytes);
    }

    static RecordHandle append(StreamStore store, int stream, int length) {
        long number = store.appended(stream) + 1;
        RecordHandle handle = store.append(stream, number, record(stream, number, length), 0, length);
        while (handle == null) {
            store.doWork();
            handle = store.append(stream, number, record(stream, number, length), 0, length);
        }
        return handle;
    }

    static void sync(StreamStore store, int... streams) {
        store.sync();
        for (int stream : streams) {
            while (store.durable(stream) < store.appended(stream)) {
                store.doWork();
            }
        }
    }
}
