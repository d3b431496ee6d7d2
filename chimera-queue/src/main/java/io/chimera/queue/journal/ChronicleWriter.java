package io.chimera.queue.journal;

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
import net.openhft.chronicle.core.io.BackgroundResourceReleaser;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.TestRollCycles;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.Wires;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends to the Chronicle queue of this start of the node. One thread.
 *
 * <p>Chronicle maps its files sparsely, and on a full disk a write to a page without a block is lost without a word. So no
 * page is ever mapped that has no block: zeros are written ahead of the appender, through the same page cache, first into
 * a file under the name that Chronicle will give it, later behind what it has written. A disk without room refuses that
 * write, before anything else has happened.
 *
 * <p>Chronicle rolls by time. Its time is handed in here, and moves when a file is large enough; the name of a file is the
 * second in which it was begun, or the one after the file before.
 */
final class ChronicleWriter implements AutoCloseable {
    /** One second, the finest that Chronicle's own tools know. */
    private static final RollCycle ROLL_CYCLE = TestRollCycles.TEST_SECONDLY;

    /** 2020-01-01T00:00Z: Chronicle counts cycles, here seconds, from there on in 31 bits, which is enough until 2088. */
    private static final long EPOCH_SECOND = 1_577_836_800L;

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern(ROLL_CYCLE.format()).withZone(ZoneOffset.UTC);

    /** Index arrays of 8 KiB that point at every 16th excerpt: 16 M excerpts in a file. */
    private static final int INDEX_COUNT = 1024;

    private static final int INDEX_SPACING = 16;

    /** Bytes that Chronicle maps at a time; a quarter of it, the overlap, is the most that one excerpt may have. */
    private static final long BLOCK_BYTES = 16L << 20;

    /** Chronicle's own waits; it finds no other process here. */
    private static final long TIMEOUT_MS = 1_000;

    /** What Chronicle may write besides an excerpt: two arrays of its index and the end mark, rounded up. */
    private static final int MARGIN = 64 << 10;

    /** Zeros are written so far ahead at a time: 1 MiB takes about 0.2 ms and is most often overwritten before it is flushed. */
    private static final int STEP = 1 << 20;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(STEP).asReadOnlyBuffer();

    /** Chronicle maps a page of 64 KiB of its metadata, and one more as overlap. */
    private static final int METADATA_BYTES = 128 << 10;

    static {
        // The class registers a shutdown hook when it is loaded, and the JVM refuses hooks during a shutdown:
        // without this call, the first batch of a node that is stopping would fail.
        BackgroundResourceReleaser.isOnBackgroundResourceReleaserThread();
    }

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

    /** Bytes that the present file takes on disk, and that appending to it may take more. */
    long bytesAllocated() {
        return allocated;
    }

    /** Bytes that an append of the given length takes more on disk: 0 when there is room ahead. */
    long bytesNeeded(int length) {
        return file == null ? METADATA_BYTES + STEP : roundUp(Math.max(0, end + length + 2L * MARGIN - allocated));
    }

    /**
     * Bytes that a file of an earlier start takes on disk: blocks were laid ready a little ahead of its end, and the rest
     * of its size is sparse.
     */
    static long bytesOnDisk(long end, long size) {
        return Math.min(size, roundUp(end + MARGIN) + STEP);
    }

    private static long roundUp(long bytes) {
        return (bytes + STEP - 1) / STEP * STEP;
    }

    /** Offset behind the last excerpt of the present file. */
    long end() {
        return end;
    }

    /**
     * Begins a file.
     *
     * @param epochSecond now
     * @return its path
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

    /** Leaves the present file: it may be deleted, and the next append needs another. */
    void leave() {
        file = null;
    }

    boolean hasFile() {
        return file != null;
    }

    /**
     * Makes sure that the disk has blocks for an append.
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
     * Appends an excerpt for which there is room.
     *
     * @return offset of its header in the file
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

    /** The name under which blocks were laid ready is known to Chronicle only by rule; this would be silent otherwise. */
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
     * Makes everything in the present file durable.
     *
     * @return false when the thread was interrupted: then nothing is known
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

    /** A file that nobody finds by its name is not durable. */
    private void syncFolder() throws IOException {
        if (!isFolderSynced) {
            JournalDirectory.sync(folder);
            isFolderSynced = true;
        }
    }

    /** Opens Chronicle on a folder without roll files: it would wait for one that was laid ready to be finished. */
    private void open() throws IOException {
        if (appender == null) {
            makeFolder();
            queue = SingleChronicleQueueBuilder.binary(folder)
                    .rollCycle(ROLL_CYCLE)
                    .indexCount(INDEX_COUNT)
                    .indexSpacing(INDEX_SPACING)
                    .blockSize(BLOCK_BYTES)
                    .timeoutMS(TIMEOUT_MS)
                    .epoch(EPOCH_SECOND * 1_000)
                    .timeProvider(() -> (EPOCH_SECOND + cycle) * 1_000)
                    .build();
            appender = queue.createAppender();
            appender.singleThreadedCheckDisabled(true); // the journaler's thread appends, the node's closes
        }
    }

    /** Makes the folder with blocks for Chronicle's metadata, before Chronicle maps it. */
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
        JournalDirectory.sync(folder.getParent());
    }

    private void writeZeros(FileChannel to, long from, long length) throws IOException {
        long position = from;
        while (position < from + length) {
            zeros.clear().limit((int) Math.min(STEP, from + length - position));
            position += disk.write(to, zeros, position);
        }
    }

    /** An interrupt closes a channel; it says nothing about the file. */
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
