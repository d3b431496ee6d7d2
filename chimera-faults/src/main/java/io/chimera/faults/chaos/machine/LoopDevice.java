package io.chimera.faults.chaos.machine;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A block device in a sparse file: unwritten blocks use no disk space, and writes fail when the file's disk is full.
 * The kernel frees the device when the last process with an open handle ends, including this process. One thread.
 */
public final class LoopDevice {
    private final Path path;

    /** Open handle that keeps the device alive while no other process has opened the device. */
    @SuppressWarnings("UnusedVariable")
    private final FileChannel held;

    private LoopDevice(Path path, FileChannel held) {
        this.path = path;
        this.held = held;
    }

    /**
     * Creates a device.
     *
     * @param image file of the device
     */
    public static LoopDevice attach(Path image, long bytes) throws InterruptedException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot create device " + image + ": " + e.getMessage() + ".", e);
        }
        Path path = Path.of(HostCommand.run("losetup", "--find", "--show", image.toString()));
        try {
            FileChannel held = FileChannel.open(path, StandardOpenOption.READ);
            HostCommand.run("losetup", "--detach", path.toString()); // takes effect after the last handle is closed
            return new LoopDevice(path, held);
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, path + " cannot be opened: " + e.getMessage() + ".", e);
        }
    }

    /** Returns the path of the device. */
    public Path path() {
        return path;
    }
}
