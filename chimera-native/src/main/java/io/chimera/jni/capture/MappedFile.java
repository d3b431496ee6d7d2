package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A file of any size seen through one window, as Java maps at most 2 GiB at a time. Moving the window ends the life of
 * every address in it. Positions are those of the file.
 */
final class MappedFile implements AutoCloseable {

    /** Large, so that mapping costs nothing; small enough for a position within it to be an int. */
    static final int WINDOW_BYTES_DEFAULT = 1 << 30;

    private final String name;
    private final FileChannel channel;
    private final long size;
    private final int windowBytes;
    private final UnsafeBuffer window = new UnsafeBuffer(0, 0);
    private MappedByteBuffer mapped;
    private long windowPosition;

    private MappedFile(String name, FileChannel channel, int windowBytes) throws IOException {
        this.name = name;
        this.channel = channel;
        this.windowBytes = windowBytes;
        size = channel.size();
        moveTo(0);
    }

    /** Opens a file. It must not be shortened while it is mapped: what is read behind its end ends the process. */
    static MappedFile open(Path path, int windowBytes) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException("there is no such file.");
        }
        if (!Files.isRegularFile(path)) {
            throw new IOException("it is not a regular file; write what comes from a pipe into one first.");
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return new MappedFile(path.toString(), channel, windowBytes);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    String name() {
        return name;
    }

    @HotPath
    long size() {
        return size;
    }

    /** What can be read now; {@link #index} says where. */
    @HotPath
    UnsafeBuffer window() {
        return window;
    }

    /** Where a position of the file is in the window. */
    @HotPath
    int index(long position) {
        return (int) (position - windowPosition);
    }

    /** Where a position of the file is in memory. */
    @HotPath
    long address(long position) {
        return window.addressOffset() + (position - windowPosition);
    }

    @HotPath
    boolean holds(long position, int bytes) {
        return position >= windowPosition && position + bytes <= windowPosition + window.capacity();
    }

    /** Lets the window begin at a position. */
    void moveTo(long position) {
        IoUtil.unmap(mapped);
        mapped = null;
        window.wrap(0, 0);
        windowPosition = position;
        long bytes = Math.min(windowBytes, size - position);
        if (bytes == 0) {
            return;
        }
        try {
            mapped = channel.map(MapMode.READ_ONLY, position, bytes);
        } catch (IOException e) {
            throw new CaptureException(name + ": cannot be mapped at offset " + position + ": " + e.getMessage(), e);
        }
        window.wrap(mapped);
    }

    @Override
    public void close() {
        IoUtil.unmap(mapped);
        mapped = null;
        window.wrap(0, 0);
        try {
            channel.close();
        } catch (IOException e) {
            throw new CaptureException(name + ": cannot be closed: " + e.getMessage(), e);
        }
    }
}
