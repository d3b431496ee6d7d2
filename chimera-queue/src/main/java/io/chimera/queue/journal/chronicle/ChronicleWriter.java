package io.chimera.queue.journal.chronicle;

import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.JournalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.Wires;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends to the Chronicle queue of this start of the node. One thread.
 *
 * <p>Chronicle maps sparse files. On a full disk, a write to a mapped page without a disk block is lost silently.
 * Therefore Chronicle never touches a page without a block: the writer writes zeros ahead of the appender through the
 * same page cache, for a new file under the name that Chronicle will choose, and later after the last excerpt. A full
 * disk refuses the zeros before any record is lost.
 *
 * <p>Chronicle rolls by time. The writer supplies the time, and advances the time when a file is large enough. The name
 * of a file is the second of its creation, or the second after the name of the previous file.
 */
final class ChronicleWriter implements AutoCloseable {
    private static final RollCycle ROLL_CYCLE = JournalRollCycle.SECONDLY;

    /**
     * 2020-01-01T00:00Z. Chronicle counts cycles, here seconds, from this epoch in 31 bits, which suffices until 2088.
     */
    private static final long EPOCH_SECOND = 1_577_836_800L;

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern(ROLL_CYCLE.format()).withZone(ZoneOffset.UTC);

    /** Bytes per mapping of Chronicle. The overlap, a quarter of the mapping, limits the size of an excerpt. */
    private static final long BLOCK_BYTES = 16L << 20;

    /** Timeout of Chronicle's internal locks; no other process contends for the locks of this queue. */
    private static final long TIMEOUT_MS = 1_000;

    /** Upper bound of Chronicle's own writes besides an excerpt: two index arrays and the end mark, rounded up. */
    private static final int MARGIN = 64 << 10;

    /**
     * Bytes of zeros per write ahead. 1 MiB takes about 0.2 ms, and records usually overwrite the zeros before the
     * kernel flushes the page cache.
     */
    private static final int STEP = 1 << 20;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(STEP).asReadOnlyBuffer();

    /** Chronicle maps a page of 64 KiB of its metadata, plus another page as overlap. */
    private static final int METADATA_BYTES = 128 << 10;

    private final Path folder;
    private final JournalDisk disk;
    private final ByteBuffer zeros = ZEROS.duplicate();
    private final UnsafeBuffer target = new UnsafeBuffer(0, 0);

    private ChronicleQueue queue;
    private ExcerptAppender appender;
    private long cycle;
    private Path file;
    private FileChannel channel;
    private long allocated;
    private long end;
    private boolean isFolderSynced;

    ChronicleWriter(Path folder, JournalDisk disk) {
        this.folder = folder;
        this.disk = disk;
    }

    Path folder() {
        return folder;
    }

    /** Bytes of the current file on disk. */
    long bytesAllocated() {
        return allocated;
    }

    /** Additional disk bytes for an append of the given length; 0 when the blocks exist already. */
    long bytesNeeded(int length) {
        return file == null ? METADATA_BYTES + STEP : roundUp(Math.max(0, end + length + 2L * MARGIN - allocated));
    }

    /**
     * Estimates the disk bytes of a file from an earlier start. The writer allocated blocks a little beyond the end;
     * the rest of the file is sparse.
     */
    static long bytesOnDisk(long end, long size) {
        return Math.min(size, roundUp(end + MARGIN) + STEP);
    }

    private static long roundUp(long bytes) {
        return (bytes + STEP - 1) / STEP * STEP;
    }

    /** Offset after the last excerpt of the current file. */
    long end() {
        return end;
    }

    /**
     * Begins a file.
     *
     * @param epochSecond current time
     * @return path of the file
     * @throws IOException when the disk has no room
     */
    Path roll(long epochSecond) throws IOException {
        open();
        long nextCycle = Math.max(cycle + 1, epochSecond - EPOCH_SECOND);
        Instant begin = Instant.ofEpochSecond(EPOCH_SECOND + nextCycle);
        Path next = folder.resolve(NAME.format(begin) + JournalDirectory.FILE_SUFFIX);
        FileChannel nextChannel =
                FileChannel.open(next, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            writeZeros(nextChannel, 0, STEP);
        } catch (IOException e) {
            nextChannel.close();
            Files.deleteIfExists(next);
            throw e;
        }
        if (channel != null) {
            channel.close();
        }
        channel = nextChannel;
        cycle = nextCycle;
        file = next;
        allocated = STEP;
        end = 0;
        isFolderSynced = false;
        return next;
    }

    /** Leaves the current file. The file may then be deleted, and the next append needs a new file. */
    void leave() {
        file = null;
    }

    boolean hasFile() {
        return file != null;
    }

    /**
     * Ensures that the disk has blocks for an append.
     *
     * @throws IOException when the disk has no room
     */
    void allocate(int length) throws IOException {
        long wanted = bytesNeeded(length);
        if (wanted > 0) {
            reopen();
            writeZeros(channel, allocated, wanted);
            allocated += wanted;
        }
    }

    /**
     * Appends an excerpt. The caller has allocated the blocks.
     *
     * @return offset of the excerpt's header in the file
     */
    long append(DirectBuffer buffer, int offset, int length) {
        boolean isFirst = end == 0;
        long header;
        try (DocumentContext excerpt = appender.writingDocument()) {
            Bytes<?> bytes = excerpt.wire().bytes();
            long position = bytes.writePosition();
            target.wrap(bytes.addressForWrite(position), length);
            target.putBytes(0, buffer, offset, length);
            bytes.writeSkip(length);
            header = position - Wires.SPB_HEADER_SIZE;
        }
        end = header + Wires.SPB_HEADER_SIZE + length;
        if (isFirst) {
            checkThatFileIsUsed();
        }
        return header;
    }

    /**
     * Verifies that Chronicle writes to the allocated file. The writer derives the file name from Chronicle's naming
     * rule; a mismatch would otherwise go unnoticed.
     */
    private void checkThatFileIsUsed() {
        ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
        try {
            channel.read(header, 0);
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + file, e);
        }
        if (header.getInt(0) == 0) {
            throw new IllegalStateException("Chronicle does not write to " + file);
        }
    }

    /**
     * Makes the contents of the current file durable.
     *
     * @return false when the thread was interrupted: the state of the file is then unknown
     * @throws IOException when the disk fails
     */
    boolean sync() throws IOException {
        try {
            if (file != null) {
                reopen();
                disk.force(channel);
                syncFolder();
            }
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        }
    }

    /** Syncs the folder once per file, because a file without a durable directory entry is not durable. */
    private void syncFolder() throws IOException {
        if (!isFolderSynced) {
            JournalDirectory.sync(folder);
            isFolderSynced = true;
        }
    }

    /**
     * Opens Chronicle while the folder has no roll files. Otherwise Chronicle would wait for the completion of an
     * allocated but empty file.
     */
    private void open() throws IOException {
        if (appender == null) {
            makeFolder();
            queue = SingleChronicleQueueBuilder.binary(folder)
                    .rollCycle(ROLL_CYCLE)
                    .blockSize(BLOCK_BYTES)
                    .timeoutMS(TIMEOUT_MS)
                    .epoch(EPOCH_SECOND * 1_000)
                    .timeProvider(() -> (EPOCH_SECOND + cycle) * 1_000)
                    .build();
            appender = queue.createAppender();
            appender.singleThreadedCheckDisabled(true); // the journaler's thread appends, the node's thread closes
        }
    }

    /** Creates the folder and allocates blocks for Chronicle's metadata before Chronicle maps the metadata. */
    private void makeFolder() throws IOException {
        Files.createDirectories(folder);
        Path metadata = folder.resolve("metadata.cq4t");
        try (FileChannel made = FileChannel.open(metadata, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            writeZeros(made, 0, METADATA_BYTES);
        } catch (IOException e) {
            Files.deleteIfExists(metadata);
            Files.deleteIfExists(folder);
            throw e;
        }
        JournalDirectory.syncFolderOf(folder);
    }

    private void writeZeros(FileChannel to, long from, long length) throws IOException {
        long position = from;
        while (position < from + length) {
            zeros.clear().limit((int) Math.min(STEP, from + length - position));
            position += disk.write(to, zeros, position);
        }
    }

    /**
     * Reopens the channel after an interrupt. An interrupt closes a channel, but does not mean an error of the file.
     */
    private void reopen() throws IOException {
        if (!channel.isOpen()) {
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
    }

    @Override
    public void close() throws IOException {
        if (appender != null) {
            appender.close();
            queue.close();
        }
        if (channel != null) {
            channel.close();
        }
    }
}
