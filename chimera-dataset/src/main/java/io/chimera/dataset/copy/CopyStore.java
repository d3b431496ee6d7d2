package io.chimera.dataset.copy;

import io.chimera.common.agent.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of copies. Any number of jobs and processes use a folder at the same time: see {@link CopyFile} for writes
 * of the same block, and {@link CopyPins} for files in use. The time of modification of a file is the time of its last
 * use.
 *
 * <p>The limit counts the written bytes. Where the copies would exceed it, the files with the oldest use are deleted,
 * never one in use, and none of those that a running job of this process has used. Each process knows the files of
 * other processes since its last look, so the limit holds within 1/32 per further process. A disk that fails or is full
 * ends the writing for a minute; what is there can still be read. Any thread.
 */
public final class CopyStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CopyStore.class);

    /** Part of the limit after which the folder is looked at again. */
    private static final int LOOK_PART = 32;

    /** Time without writes after a failure of the disk. */
    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

    /** Time without writes after no file could be deleted for room. */
    private static final Duration AFTER_FULL = Duration.ofSeconds(10);

    private static final int FOLDER_DEPTH = 2;

    private final Path folder;
    private final CopyLimits limits;
    private final Clock clock;
    private final CopyDisk disk;
    private final CopyPins pins;
    private long usedBytes;
    private long writtenSinceLook;
    private long pausedSinceNs;
    private Duration pause = Duration.ZERO;
    private String trouble = "";

    /**
     * A file of a copy.
     *
     * @param bytes written bytes, without the holes of blocks that have not arrived
     */
    private record Stored(CopyPlace place, Path file, long bytes, long usedMs) {}

    private CopyStore(Path folder, CopyLimits limits, Clock clock, CopyDisk disk) throws IOException {
        this.folder = folder;
        this.limits = limits;
        this.clock = clock;
        this.disk = disk;
        pins = CopyPins.open(folder);
    }

    /**
     * Opens a folder, creates a missing one, and deletes copies that were not used for long.
     *
     * @param folder folder of copies alone
     * @param limits bounds
     * @param clock time of uses and pauses
     * @throws IOException when the folder cannot be used: the folder, the reason and the remedy
     */
    public static CopyStore open(Path folder, CopyLimits limits, Clock clock) throws IOException {
        return open(folder, limits, clock, CopyDisk.FILES);
    }

    static CopyStore open(Path folder, CopyLimits limits, Clock clock, CopyDisk disk) throws IOException {
        try {
            Files.createDirectories(folder);
            CopyStore store = new CopyStore(folder, limits, clock, disk);
            store.deleteOld();
            return store;
        } catch (IOException e) {
            throw new IOException(
                    "the folder of copies " + folder + " cannot be used: " + e
                            + "; give the user of this process the right to write there, or set copies.folder",
                    e);
        }
    }

    /** Returns the folder. */
    public Path folder() {
        return folder;
    }

    /** Returns the bounds. */
    public CopyLimits limits() {
        return limits;
    }

    /** Deletes the copies that were not used for long. Failures are logged: the next call tries again. */
    public synchronized void deleteOld() {
        try {
            look();
        } catch (IOException e) {
            LOG.warn("Old copies in {} cannot be deleted: {}", folder, e.toString());
        }
    }

    // Uses

    /** Begins a job; the caller closes its uses. */
    CopyUses begin() {
        CopyUses job = new CopyUses(this);
        pins.begin(job);
        return job;
    }

    /** Ends a job: its files may be deleted. */
    void end(CopyUses job) {
        pins.end(job);
    }

    /** Returns whether a file may be used; the caller ends the use. */
    boolean pin(CopyPlace place) {
        try {
            if (!pins.pin(place)) {
                return false;
            }
            touch(place);
            return true;
        } catch (IOException e) {
            fail("cannot be locked", e);
            return false;
        }
    }

    void unpin(CopyPlace place) {
        touch(place);
        try {
            pins.unpin(place);
        } catch (IOException e) {
            LOG.debug("The use of {} in {} cannot be ended: {}", place, folder, e.toString());
        }
    }

    /** Makes this moment the time of the last use. */
    private void touch(CopyPlace place) {
        try {
            Files.setLastModifiedTime(place.file(folder), FileTime.fromMillis(clock.epochMs()));
        } catch (NoSuchFileException e) {
            // the first block is not written yet
        } catch (IOException e) {
            LOG.debug("The time of {} in {} cannot be set: {}", place, folder, e.toString());
        }
    }

    // Blocks; the caller has pinned the file

    boolean exists(CopyPlace place) {
        return Files.exists(place.file(folder));
    }

    /**
     * Reads a part of a block. A damaged block is removed.
     *
     * @throws InterruptedIOException when the thread is interrupted
     */
    CopyFile.Found read(CopyPlace place, int block, int length, int from, ByteBuffer into)
            throws InterruptedIOException {
        CopyFile file = file(place);
        try {
            CopyFile.Found found = file.read(block, length, from, into);
            if (found == CopyFile.Found.DAMAGED) {
                LOG.warn("Block {} of the copy {} is damaged; it is fetched again", block, place.file(folder));
                file.erase(block);
                touch(place);
            }
            return found;
        } catch (ClosedByInterruptException e) {
            throw interruption(e);
        } catch (IOException e) {
            fail("cannot be read", e);
            return CopyFile.Found.ABSENT;
        }
    }

    /**
     * Writes a block.
     *
     * @return why the block is not kept; empty when it is written
     * @throws InterruptedIOException when the thread is interrupted
     */
    Optional<String> write(CopyPlace place, int block, ByteBuffer bytes) throws InterruptedIOException {
        int index = exists(place) ? 0 : CopyFile.BLOCKS_AT;
        Optional<String> refusal = reserve(index + bytes.remaining());
        if (refusal.isPresent()) {
            return refusal;
        }
        try {
            file(place).write(block, bytes);
            touch(place); // by the clock of the store, so that a simulation can repeat a run
            return Optional.empty();
        } catch (ClosedByInterruptException e) {
            throw interruption(e);
        } catch (IOException e) {
            return Optional.of(fail("cannot be written", e));
        }
    }

    /** Returns the blocks of a file that have arrived. */
    BitSet arrived(CopyPlace place) {
        try {
            return file(place).arrived();
        } catch (IOException e) {
            fail("cannot be read", e);
            return new BitSet();
        }
    }

    private CopyFile file(CopyPlace place) {
        return new CopyFile(place, folder, limits.blockBytes(), disk);
    }

    private static InterruptedIOException interruption(IOException cause) {
        InterruptedIOException interruption = new InterruptedIOException("interrupted at a copy");
        interruption.initCause(cause);
        return interruption;
    }

    private synchronized String fail(String what, IOException e) {
        String reason = "copies in " + folder + " " + what + ": " + e.getMessage()
                + "; the bytes come from the source. Check the disk, free some space, or set copies.folder";
        if (!reason.equals(trouble)) {
            LOG.warn("Copies: {}", reason);
        }
        pauseFor(AFTER_FAILURE, reason);
        return reason;
    }

    // Room

    /**
     * Looks for room, and deletes old files for it.
     *
     * @param bytes length of the block to write
     * @return why the block would not be kept now; empty when it can be written
     * @throws InterruptedIOException when the thread is interrupted
     */
    synchronized Optional<String> refusal(int bytes) throws InterruptedIOException {
        if (clock.nanoTime() - pausedSinceNs < pause.toNanos()) {
            return Optional.of(trouble);
        }
        try {
            if (writtenSinceLook > limits.maxBytes() / LOOK_PART) {
                look();
            }
            if (usedBytes + bytes > limits.maxBytes()) {
                makeRoom(bytes);
            }
        } catch (ClosedByInterruptException e) {
            throw interruption(e);
        } catch (IOException e) {
            return Optional.of(fail("cannot be listed", e));
        }
        if (usedBytes + bytes > limits.maxBytes()) {
            pauseFor(
                    AFTER_FULL,
                    "the copies in " + folder + " have " + usedBytes + " of " + limits.maxBytes()
                            + " bytes, and all are in use; the bytes come from the source. Raise copies.max_bytes");
            return Optional.of(trouble);
        }
        return Optional.empty();
    }

    /** Reserves room for a block; returns why there is none. */
    private synchronized Optional<String> reserve(int bytes) throws InterruptedIOException {
        Optional<String> refusal = refusal(bytes);
        if (refusal.isEmpty()) {
            usedBytes += bytes;
            writtenSinceLook += bytes;
        }
        return refusal;
    }

    private void pauseFor(Duration time, String reason) {
        pausedSinceNs = clock.nanoTime();
        pause = time;
        trouble = reason;
    }

    /** Deletes the files with the oldest use until there is some room. */
    private void makeRoom(int bytes) throws IOException {
        List<Stored> all = look();
        all.sort(Comparator.comparingLong(Stored::usedMs));
        long wished = Math.max(bytes, limits.maxBytes() / LOOK_PART);
        for (Stored stored : all) {
            if (usedBytes + wished <= limits.maxBytes()) {
                return;
            }
            delete(stored);
        }
    }

    private boolean delete(Stored stored) throws IOException {
        boolean isGone = pins.deleteUnused(stored.place(), stored.file());
        usedBytes -= isGone ? stored.bytes() : 0;
        return isGone;
    }

    /** Lists the files, counts their bytes, and deletes old ones. */
    private List<Stored> look() throws IOException {
        List<Stored> all = new ArrayList<>();
        Files.walkFileTree(folder, Set.of(), FOLDER_DEPTH, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Optional<CopyPlace> place = CopyPlace.of(file);
                if (place.isPresent()) {
                    all.add(new Stored(
                            place.get(),
                            file,
                            writtenBytes(place.get(), attributes.size()),
                            attributes.lastModifiedTime().toMillis()));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException && !file.equals(folder)) {
                    return FileVisitResult.CONTINUE; // another process deletes
                }
                throw e;
            }
        });
        usedBytes = all.stream().mapToLong(Stored::bytes).sum();
        writtenSinceLook = 0;
        long oldestMs = clock.epochMs() - limits.keepFor().toMillis();
        List<Stored> kept = new ArrayList<>();
        for (Stored stored : all) {
            if (stored.usedMs() >= oldestMs || !delete(stored)) {
                kept.add(stored);
            }
        }
        return kept;
    }

    /** Returns the counted bytes of a file; the whole length of a file that the disk cannot read. */
    private long writtenBytes(CopyPlace place, long length) throws IOException {
        try {
            return file(place).writtenBytes(length);
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            return length;
        }
    }

    /** Ends the locks. No call may be under way. */
    @Override
    public void close() throws IOException {
        pins.close();
    }
}
