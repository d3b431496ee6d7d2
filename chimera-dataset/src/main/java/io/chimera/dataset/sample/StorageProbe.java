package io.chimera.dataset.sample;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.plan.StorageSample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Measures a folder for copies: writes a file, forces it to the device, reads it again and deletes it. The file is read
 * from the page cache, as a copy is that fits into the memory. One thread.
 */
final class StorageProbe {
    private static final int BLOCK = 1 << 20;

    private final Clock clock;

    StorageProbe(Clock clock) {
        this.clock = clock;
    }

    /**
     * Measures a folder.
     *
     * @param folder an existing folder
     * @param bytes length of the file, at least 1; rounded up to blocks of 1 MiB
     * @throws IOException when the folder cannot be written; the message names the folder
     */
    StorageSample measure(Path folder, long bytes) throws IOException {
        Path file = Files.createTempFile(folder, "sample", ".tmp");
        try {
            long blocks = (bytes - 1) / BLOCK + 1;
            double length = (double) blocks * BLOCK;
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
            double writeSeconds = write(file, block, blocks);
            double readSeconds = read(file, block);
            return StorageSample.of(length / writeSeconds, length / readSeconds);
        } catch (IOException e) {
            throw new IOException("storage for copies in " + folder + " fails: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private double write(Path file, ByteBuffer block, long blocks) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long startNs = clock.nanoTime();
            for (long i = 0; i < blocks; i++) {
                block.clear().putLong(0, i);
                while (block.hasRemaining()) {
                    channel.write(block);
                }
            }
            channel.force(true);
            return seconds(startNs);
        }
    }

    private double read(Path file, ByteBuffer block) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long startNs = clock.nanoTime();
            while (channel.read(block.clear()) >= 0) {
                // only the time counts
            }
            return seconds(startNs);
        }
    }

    private double seconds(long startNs) {
        return Math.max(1, clock.nanoTime() - startNs) / 1e9;
    }
}
