package io.chimera.jni.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Device based on JDK classes, for machines without the native library. Writes and flushes execute at submission, and
 * their completions wait for {@link #poll}. All data passes through a private aligned buffer, because the JDK does not
 * accept addresses.
 *
 * <p>The channel is an AsynchronousFileChannel with a caller-runs executor: an interrupt of one reading thread would
 * close a plain FileChannel for all threads. The file lock belongs to the process and is lost as soon as any code in
 * the process closes the same file; a process with an open device therefore refuses to open the same file again.
 */
final class FileDevice implements BlockDevice {

    /** Minimum alignment, even for disks with smaller reported sectors: the reported size is not always correct. */
    private static final int ALIGNMENT_MIN = 4096;

    /** Maximum bytes copied at once. */
    private static final int CHUNK_BYTES = 1 << 20;

    private static final int ENODEV = -19;
    private static final int ENOSPC = -28;

    /** Beyond the range of errno values. */
    private static final int END_OF_FILE = -1000;

    /** File keys of all files opened by this process. */
    private static final Set<Object> OPEN = ConcurrentHashMap.newKeySet();

    /** The option O_DIRECT; empty if the Java runtime does not have it. */
    private static final Optional<OpenOption> DIRECT = directOption();

    private final Path path;
    private final Object key;
    private final AsynchronousFileChannel channel;
    private final boolean isDirect;
    private final int alignment;
    private final long size;
    private final ByteBuffer writeBuffer;
    private final ThreadLocal<ByteBuffer> readBuffers = ThreadLocal.withInitial(FileDevice::chunk);

    /** Waiting completions, a ring starting at {@code first}. */
    private final long[] tokens;

    private final int[] results;
    private int first;
    private int waiting;

    private FileDevice(Path path, AsynchronousFileChannel channel, boolean isDirect, DeviceOptions options)
            throws IOException {
        this.path = path;
        key = key(path);
        this.channel = channel;
        this.isDirect = isDirect;
        tokens = new long[options.depth()];
        results = new int[options.depth()];
        writeBuffer = chunk();
        lock();
        alignment = alignment(path);
        size = prepare(options.bytes()) / alignment * alignment;
        if (size == 0) {
            throw new DeviceException(path + ": it is empty; specify a size.", 0);
        }
        OPEN.add(key);
    }

    private static Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Refuses a path already opened by this process through this class. */
    static void refuseWhatIsOpen(Path path) {
        try {
            if (Files.exists(path) && OPEN.contains(key(path))) {
                throw isOpen(path);
            }
        } catch (IOException e) {
            throw new DeviceException(path + ": cannot be opened: " + e, e);
        }
    }

    private static DeviceException isOpen(Path path) {
        return new DeviceException(path + ": it is already open elsewhere; stop the other process first.", 0);
    }

    static FileDevice open(Path path, DeviceOptions options) {
        AsynchronousFileChannel channel = null;
        try {
            refuseWhatIsNoDevice(path, options.bytes());
            Set<OpenOption> wanted = new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
            if (options.bytes() > 0) {
                wanted.add(StandardOpenOption.CREATE);
            }
            channel = openDirect(path, wanted);
            boolean isDirect = channel != null;
            if (channel == null) {
                channel = AsynchronousFileChannel.open(path, wanted, new CallersThread());
            }
            return new FileDevice(path, channel, isDirect, options);
        } catch (IOException e) {
            close(path, channel);
            throw new DeviceException(path + ": cannot be opened: " + e, e);
        } catch (RuntimeException e) {
            close(path, channel);
            throw e;
        }
    }

    private static void refuseWhatIsNoDevice(Path path, long bytes) throws IOException {
        if (!Files.exists(path)) {
            if (bytes == 0) {
                throw new DeviceException(path + ": there is no such file; specify a size to create it.", 0);
            }
        } else if (DeviceNode.isBlockDevice(path)) {
            String mountPoint = DeviceNode.mountPoint(path);
            if (!mountPoint.isEmpty()) {
                throw new DeviceException(
                        path + ": it is mounted at " + mountPoint + "; unmount it if its data is not needed.", 0);
            }
        } else if (!Files.isRegularFile(path)) {
            throw new DeviceException(path + ": it is neither a block device nor a file; choose another path.", 0);
        }
    }

    /** Finds the option by name: javac 25 reports every use of its package, and the report cannot be suppressed. */
    private static Optional<OpenOption> directOption() {
        try {
            Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            return Arrays.stream(options.getEnumConstants())
                    .filter(option -> option.toString().equals("DIRECT"))
                    .map(OpenOption.class::cast)
                    .findFirst();
        } catch (ClassNotFoundException e) {
            return Optional.empty(); // a runtime without the module jdk.unsupported
        }
    }

    /** Opens with O_DIRECT; null when the file system does not support O_DIRECT. */
    private static @Nullable AsynchronousFileChannel openDirect(Path path, Set<OpenOption> wanted) {
        if (DIRECT.isEmpty()) {
            return null;
        }
        Set<OpenOption> direct = new HashSet<>(wanted);
        direct.add(DIRECT.get());
        try {
            return AsynchronousFileChannel.open(path, direct, new CallersThread());
        } catch (IOException | UnsupportedOperationException e) {
            // Any other error occurs again without the option.
            return null;
        }
    }

    private static int alignment(Path path) throws IOException {
        int alignment = Math.max(ALIGNMENT_MIN, DeviceNode.physicalSectorBytes(path));
        if (alignment > AlignedMemory.ALIGNMENT) {
            throw new DeviceException(
                    path + ": its sectors of " + alignment + " bytes are too large; " + AlignedMemory.ALIGNMENT
                            + " are supported.",
                    0);
        }
        int offset = DeviceNode.sectorOffsetBytes(path);
        if (offset != 0) {
            throw new DeviceException(
                    path + ": it starts inside a sector of " + alignment + " bytes (alignment_offset " + offset
                            + "), so a write could damage adjacent data; start the partition at a multiple of 1 MiB.",
                    0);
        }
        return alignment;
    }

    private void lock() throws IOException {
        boolean isLocked;
        try {
            isLocked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            isLocked = false;
        }
        if (!isLocked) {
            throw isOpen(path);
        }
    }

    /**
     * Extends a file with zeros to the wanted size, so that disk space is allocated now instead of at the first write.
     */
    private long prepare(long wanted) throws IOException {
        long bytes = wanted / alignment * alignment;
        long length = channel.size();
        if (bytes == 0 || bytes == length) {
            return length;
        }
        if (length > bytes || length % alignment != 0 || DeviceNode.isBlockDevice(path)) {
            throw new DeviceException(
                    path + ": it has " + length + " bytes, not " + bytes + "; omit the size to use it as it is.", 0);
        }
        long room = FreeSpace.usableBytes(path);
        if (bytes - length > room) {
            throw new DeviceException(
                    path + ": its file system has room for " + room + " more bytes, not " + (bytes - length)
                            + "; free some space, or specify a smaller size.",
                    0);
        }
        UnsafeBuffer zeros = AlignedMemory.allocate(CHUNK_BYTES);
        for (long offset = length; offset < bytes; offset += CHUNK_BYTES) {
            int chunk = (int) Math.min(CHUNK_BYTES, bytes - offset);
            int result = writeNow(offset, zeros.addressOffset(), chunk);
            if (result != chunk) {
                throw DeviceException.of(path.toString(), "write", result);
            }
        }
        channel.force(true);
        syncFolder();
        return bytes;
    }

    /** Makes a new file's directory entry durable. */
    private void syncFolder() throws IOException {
        try (FileChannel folder = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int alignment() {
        return alignment;
    }

    @Override
    public int depth() {
        return tokens.length;
    }

    @Override
    public boolean write(long offset, long address, int length, long token) {
        requireOpen();
        BlockDevices.requireWithin(this, offset, address, length);
        return waiting < tokens.length && complete(token, writeNow(offset, address, length));
    }

    @Override
    public boolean flush(long token) {
        return waiting < tokens.length && complete(token, flushNow());
    }

    private boolean complete(long token, int result) {
        int place = (first + waiting++) % tokens.length;
        tokens[place] = token;
        results[place] = result;
        return true;
    }

    @Override
    public int poll(Completions into, int timeoutMs) {
        requireOpen();
        int count = waiting;
        for (int i = 0; i < count; i++) {
            int place = first;
            first = (first + 1) % tokens.length;
            waiting--;
            into.onCompletion(tokens[place], results[place]);
        }
        return count;
    }

    @Override
    public int read(long offset, long address, int length) {
        requireOpen();
        BlockDevices.requireWithin(this, offset, address, length);
        ByteBuffer buffer = readBuffers.get();
        int done = 0;
        while (done < length) {
            buffer.clear().limit(Math.min(CHUNK_BYTES, length - done));
            int result = resultOf(channel.read(buffer, offset + done));
            if (result < 0) {
                return result == END_OF_FILE ? done : result;
            }
            new UnsafeBuffer(address + done, result).putBytes(0, buffer, 0, result);
            done += result;
            if (result % alignment != 0) {
                break;
            }
        }
        return done;
    }

    private int writeNow(long offset, long address, int length) {
        int done = 0;
        while (done < length) {
            int chunk = Math.min(CHUNK_BYTES, length - done);
            writeBuffer.clear().limit(chunk);
            new UnsafeBuffer(address + done, chunk).getBytes(0, writeBuffer, 0, chunk);
            int result = resultOf(channel.write(writeBuffer, offset + done));
            if (result <= 0) {
                return done > 0 ? done : result;
            }
            done += result;
            if (result % alignment != 0) {
                break;
            }
        }
        return done;
    }

    private int flushNow() {
        requireOpen();
        try {
            channel.force(false);
            return 0;
        } catch (IOException e) {
            return errno(e);
        }
    }

    /** Returns the result of an already completed operation; never blocks. */
    private static int resultOf(Future<Integer> future) {
        try {
            int count = future.get();
            return count < 0 ? END_OF_FILE : count;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ClosedChannelException) {
                throw new IllegalStateException("The device was closed during the operation.", e);
            }
            return e.getCause() instanceof IOException cause ? errno(cause) : EIO;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return EIO;
        }
    }

    /** Derives errno from the C library's message, the only information passed on by the JDK. */
    private static int errno(IOException e) {
        return switch (String.valueOf(e.getMessage())) {
            case "No such device" -> ENODEV;
            case "No space left on device" -> ENOSPC;
            default -> EIO;
        };
    }

    private void requireOpen() {
        if (!channel.isOpen()) {
            throw new IllegalStateException(path + " is closed.");
        }
    }

    @Override
    public void close() {
        if (channel.isOpen()) {
            close(path, channel);
            OPEN.remove(key);
        }
    }

    private static void close(Path path, @Nullable AsynchronousFileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new DeviceException(path + ": cannot be closed: " + e, e);
            }
        }
    }

    private static ByteBuffer chunk() {
        return BufferUtil.allocateDirectAligned(CHUNK_BYTES, AlignedMemory.ALIGNMENT);
    }

    /** Describes the device for logs. */
    @Override
    public String toString() {
        return BlockDevices.description(this, path.toString(), "one write at a time by the JDK", isDirect);
    }
}
