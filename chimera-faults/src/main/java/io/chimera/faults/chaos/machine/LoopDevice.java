package io.chimera.faults.chaos.machine;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A block device in a sparse file: what was never written takes no room, and where the file's disk is full, a write to it fails. It frees
 * itself when the last process that has it open ends, this one included. One thread.
 */
public final class LoopDevice {
    private final Path path;

    /** Keeps the device while nobody else has it open. */
    @SuppressWarnings("UnusedVariable")
    private final FileChannel held;

    private LoopDevice(Path path, FileChannel held) {
        this.path = path;
        this.held = held;
    }

    /**
     * Makes one.
     *
     * @param image file that holds it
     */
    public static LoopDevice attach(Path image, long bytes) throws InterruptedException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "The device " + image + " cannot be made: " + e.getMessage() + ".", e);
        }
        Path path = Path.of(HostCommand.run("losetup", "--find", "--show", image.toString()));
        try {
            FileChannel held = FileChannel.open(path, StandardOpenOption.READ);
            HostCommand.run("losetup", "--detach", path.toString()); // once nobody has it open
            return new LoopDevice(path, held);
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, path + " cannot be opened: " + e.getMessage() + ".", e);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }
}
