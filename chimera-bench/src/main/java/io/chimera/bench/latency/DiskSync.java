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
 * Measures the minimum time of a sync on the disk of the journals: a plain file grows between two syncs by the size of
 * the points' text. One thread.
 */
final class DiskSync {
    /** File length after which writes restart at the beginning, so that the file does not fill the disk. */
    private static final long FILE_LENGTH_MAX = 256L << 20;

    private static final int DIGITS = 3;

    private DiskSync() {}

    /**
     * Runs the syncs.
     *
     * @param folder folder for the temporary file
     * @param length bytes between two syncs
     * @return nanoseconds of each sync
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
