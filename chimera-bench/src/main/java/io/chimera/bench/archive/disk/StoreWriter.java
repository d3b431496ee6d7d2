package io.chimera.bench.archive.disk;

import io.chimera.archive.streamfs.StreamFs;
import io.chimera.archive.streamfs.VolumeSettings;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.archive.streamfs.store.VolumeStatus;
import io.chimera.common.agent.SystemClock;
import io.chimera.jni.stream.AlignedMemory;
import io.chimera.jni.stream.BlockDevice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes records to the archive's store at full speed. */
final class StoreWriter {
    private static final int RECORD_BYTES_MEAN = 64 << 10;
    private static final int RECORD_BYTES_MIN = 512;
    private static final int RECORD_BYTES_MAX = 512 << 10;
    private static final int SMALL_RECORD_BYTES = 4 << 10;
    private static final long SEED = 7;

    private final StreamStore store;
    private final StoreLoad load;
    private final List<Integer> streams = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 10, 1_000, 50_000);
    private final UnsafeBuffer bytes = AlignedMemory.allocate(RECORD_BYTES_MAX);
    private long timeNs;
    private long longestNs;
    private RandomReads reads;

    private StoreWriter(StreamStore store, StoreLoad load) {
        this.store = store;
        this.load = load;
        bytes.setMemory(0, RECORD_BYTES_MAX, (byte) 0x5A);
        long guarantee = guarantee(store.status(), load);
        for (int i = 0; i < load.streams(); i++) {
            streams.add(store.open(new StreamSettings("stream-" + i, "packets", guarantee)));
        }
    }

    /**
     * Returns the guarantee per stream in whole blocks; every open stream reserves two blocks of the maximum guarantee.
     */
    private static long guarantee(VolumeStatus empty, StoreLoad load) {
        long block = FormatSettings.DEFAULT.blockBytes();
        long most = Math.min(
                (long) (empty.sizeBytes() * load.utilisation()),
                empty.guaranteeBytesMax() - 2 * block * load.streams());
        return Math.max(0, most) / load.streams() / block * block;
    }

    /**
     * Formats and writes a volume on a device, and closes the device.
     *
     * @param fillBytes bytes written before the measurement
     * @param begins runs directly before the measurement
     */
    static Pace write(StoreLoad load, BlockDevice device, long fillBytes, Step begins)
            throws IOException, InterruptedException {
        FormatSettings defaults = FormatSettings.DEFAULT;
        FormatSettings format = new FormatSettings(
                defaults.blockBytes(), defaults.groupBlocks(), defaults.streamsMax(), load.regionBlocks());
        StreamFs.format(List.of(device), format, new SplittableRandom(SEED));
        try (StreamStore store = StreamFs.open(List.of(device), VolumeSettings.DEFAULT, new SystemClock())) {
            return new StoreWriter(store, load).run(fillBytes, begins);
        }
    }

    private Pace run(long fillBytes, Step begins) throws IOException, InterruptedException {
        write(fillBytes, new Timeline(System.nanoTime()));
        finish();
        begins.run();
        longestNs = 0;
        if (load.hasReads()) {
            reads = new RandomReads(store);
        }
        try {
            long startNs = System.nanoTime();
            Timeline timeline = new Timeline(startNs);
            write(load.bytes(), timeline);
            finish();
            return Pace.of(load.who(), timeline, System.nanoTime() - startNs, longestNs);
        } finally {
            if (reads != null) {
                reads.end();
            }
        }
    }

    private void write(long total, Timeline timeline) {
        for (long done = 0; done < total; ) {
            int stream = streams.get(random.nextInt(streams.size()));
            int length = length();
            append(stream, length);
            if (reads != null) {
                reads.wrote(append(stream, SMALL_RECORD_BYTES));
                length += SMALL_RECORD_BYTES;
                while (reads.isBehind()) {
                    idle.idle(store.doWork());
                }
            }
            timeline.add(System.nanoTime(), length);
            done += length;
        }
    }

    private int length() {
        double drawn = -Math.log(1 - random.nextDouble()) * RECORD_BYTES_MEAN;
        return (int) Math.min(Math.max(drawn, RECORD_BYTES_MIN), RECORD_BYTES_MAX);
    }

    private RecordHandle append(int stream, int length) {
        long beforeNs = System.nanoTime();
        RecordHandle handle = store.append(stream, timeNs++, bytes, 0, length);
        store.doWork();
        while (handle == null) {
            idle.idle(store.doWork());
            handle = store.append(stream, timeNs, bytes, 0, length);
        }
        longestNs = Math.max(longestNs, System.nanoTime() - beforeNs);
        return handle;
    }

    private void finish() {
        store.sync();
        while (streams.stream().anyMatch(stream -> store.durable(stream) < store.appended(stream))) {
            idle.idle(store.doWork());
        }
    }

    /** Step between the fill and the measurement. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }
}
