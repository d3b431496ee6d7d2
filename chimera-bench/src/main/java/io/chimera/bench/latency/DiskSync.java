package io.chimera.bench.latency;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/**
 * The least that a sync can take on the disk of the journals: a plain file that grows by as many bytes between two syncs as
 * the text of the points has. One thread.
 */
final class DiskSync {
    /** From here on the file is written over, so that it does not fill the disk. */
    private static final long FILE_LENGTH_MAX = 256L << 20;

    private static final int DIGITS = 3;

    private DiskSync() {}

    /**
     * Syncs.
     *
     * @param folder where the file is made, and deleted
     * @param length bytes between two syncs
     * @return nanoseconds that each sync took
     */
    static AbstractHistogram run(Path folder, int length, int everyMs, int syncs) throws IOException {
        Histogram times = new Histogram(DIGITS);
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        Path file = folder.resolve("disk-sync");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            long startNs = System.nanoTime();
            for (int i = 0; i < syncs; i++) {
                LockSupport.parkNanos(startNs + i * TimeUnit.MILLISECONDS.toNanos(everyMs) - System.nanoTime());
                if (channel.position() > FILE_LENGTH_MAX) {
                    channel.position(0);
                }
                bytes.clear();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                long beforeNs = System.nanoTime();
                channel.force(false);
                times.recordValue(System.nanoTime() - beforeNs);
            }
        }
        return times;
    }
}
