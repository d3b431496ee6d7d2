package io.chimera.faults.chaos.machine;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A small separate disk: an ext4 file system in a file, mounted through a loop device. The mount is in the sandbox's
 * mount namespace and the loop device frees itself, so both end with the sandbox. One thread.
 */
public final class LoopDisk {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int SMALL_BLOCK_BYTES = 512;

    private final Path folder;
    private final Path filler;

    private LoopDisk(Path folder) {
        this.folder = folder;
        filler = folder.resolve("filler");
    }

    /**
     * Creates and mounts a disk.
     *
     * @param image file of the disk, sparse
     * @param folder mount point, created when missing
     */
    public static LoopDisk mount(Path image, long bytes, Path folder) throws InterruptedException {
        try {
            Files.createDirectories(folder);
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(bytes);
            }
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "Cannot create disk " + image + ": " + e.getMessage() + ".", e);
        }
        // without blocks reserved for root: this process runs as root, and full must mean full
        HostCommand.run("mkfs.ext4", "-q", "-m", "0", image.toString());
        HostCommand.run("mount", "-o", "loop", image.toString(), folder.toString());
        return new LoopDisk(folder);
    }

    /** Fills the disk to the last byte. */
    public void fill() {
        fill(BLOCK_BYTES);
        fill(SMALL_BLOCK_BYTES);
    }

    private void fill(int blockBytes) {
        ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
        try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                channel.write(block.clear());
            }
        } catch (IOException e) {
            // full, as intended
        }
    }

    /** Frees the disk again. */
    public void free() {
        try {
            Files.deleteIfExists(filler);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot free the disk " + folder + ": " + e.getMessage() + ".", e);
        }
    }
}
