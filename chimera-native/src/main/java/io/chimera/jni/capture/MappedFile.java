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
import org.jspecify.annotations.Nullable;

/**
 * File of any size, mapped through one window, because Java maps at most 2 GiB at a time. Moving the window invalidates
 * all addresses in the window. Positions are file offsets.
 */
final class MappedFile implements CaptureBytes, AutoCloseable {

    /** Large enough to amortise mapping; small enough for an int position within the window. */
    static final int WINDOW_BYTES_DEFAULT = 1 << 30;

    private final String name;
    private final FileChannel channel;
    private final long size;
    private final int windowBytes;
    private final UnsafeBuffer window = new UnsafeBuffer(0, 0);
    private @Nullable MappedByteBuffer mapped;
    private long windowPosition;

    private MappedFile(String name, FileChannel channel, int windowBytes) throws IOException {
        this.name = name;
        this.channel = channel;
        this.windowBytes = windowBytes;
        size = channel.size();
        moveTo(0);
    }

    /** Opens a file. The file must not be truncated while mapped: a read beyond the end kills the process. */
    static MappedFile open(Path path, int windowBytes) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException("there is no such file.");
        }
        if (!Files.isRegularFile(path)) {
            throw new IOException("it is not a regular file; save the output of a pipe to a file first.");
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return new MappedFile(path.toString(), channel, windowBytes);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    @HotPath
    public long size() {
        return size;
    }

    @Override
    @HotPath
    public UnsafeBuffer window() {
        return window;
    }

    @Override
    @HotPath
    public int index(long position) {
        return (int) (position - windowPosition);
    }

    /** Memory address of a file position. */
    @HotPath
    long address(long position) {
        return window.addressOffset() + (position - windowPosition);
    }

    @Override
    @HotPath
    public boolean holds(long position, int bytes) {
        return position >= windowPosition && position + bytes <= windowPosition + window.capacity();
    }

    @Override
    public void moveTo(long position) {
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
