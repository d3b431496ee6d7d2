package io.chimera.dataset.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Files of copies in use. A file in use has a shared lock on a byte of the file {@code uses}; a file is deleted under
 * an exclusive lock of the same byte, so no process deletes a file of another process. The locks of a dead process end
 * with the process.
 *
 * <p>A process has one instance per folder, because it loses all its locks when it closes the file {@code uses}
 * anywhere. Any thread.
 */
final class CopyPins implements AutoCloseable {
    /** Instances by real path of the folder; guarded by the map. */
    private static final Map<Path, CopyPins> OPENED = new HashMap<>();

    private final Path folder;
    private final FileChannel uses;
    private final Map<CopyPlace, Pin> pins = new HashMap<>();

    /** Running jobs of this process. */
    private final Set<CopyUses> jobs = ConcurrentHashMap.newKeySet();

    /** Number of callers of {@link #open} that have not closed; guarded by the map. */
    private int openers;

    /** Uses of a file by this process. */
    private static final class Pin {
        private final FileLock lock;
        private int uses = 1;

        Pin(FileLock lock) {
            this.lock = lock;
        }
    }

    private CopyPins(Path folder, FileChannel uses) {
        this.folder = folder;
        this.uses = uses;
    }

    /**
     * Opens the locks of a folder.
     *
     * @param folder an existing folder
     * @throws IOException when the folder cannot be written
     */
    static CopyPins open(Path folder) throws IOException {
        Path real = folder.toRealPath();
        synchronized (OPENED) {
            CopyPins known = OPENED.get(real);
            if (known == null) {
                known = new CopyPins(
                        real,
                        FileChannel.open(
                                real.resolve("uses"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE));
                OPENED.put(real, known);
            }
            known.openers++;
            return known;
        }
    }

    /** Begins a job, whose files are not deleted by this process until its end. */
    void begin(CopyUses job) {
        jobs.add(job);
    }

    /** Ends a job. */
    void end(CopyUses job) {
        jobs.remove(job);
    }

    /**
     * Begins a use of a file, which need not exist yet.
     *
     * @return whether the file may be used; false while another process deletes it
     * @throws IOException when the file system has no locks
     */
    synchronized boolean pin(CopyPlace place) throws IOException {
        Pin known = pins.get(place);
        if (known != null) {
            known.uses++;
            return true;
        }
        FileLock lock = lock(place, true);
        if (lock == null) {
            return false;
        }
        pins.put(place, new Pin(lock));
        return true;
    }

    /**
     * Ends a use of a file.
     *
     * @throws IOException when the lock cannot be released
     */
    synchronized void unpin(CopyPlace place) throws IOException {
        Pin known = pins.get(place);
        if (known != null && --known.uses == 0) {
            pins.remove(place);
            known.lock.release();
        }
    }

    /**
     * Deletes a file unless a process uses it, or a job of this process has used it.
     *
     * @return whether the file is gone
     * @throws IOException when the file cannot be deleted
     */
    synchronized boolean deleteUnused(CopyPlace place, Path file) throws IOException {
        if (pins.containsKey(place) || jobs.stream().anyMatch(job -> job.hasUsed(place))) {
            return false;
        }
        FileLock lock = lock(place, false);
        if (lock == null) {
            return false;
        }
        try {
            Files.deleteIfExists(file);
            return true;
        } finally {
            lock.release();
        }
    }

    /** Returns the lock, or null while another process, or another place with the same offset, has it. */
    private @Nullable FileLock lock(CopyPlace place, boolean isShared) throws IOException {
        try {
            return uses.tryLock(place.lockOffset(), 1, isShared);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Ends the locks with the last opener. */
    @Override
    public void close() throws IOException {
        synchronized (OPENED) {
            if (--openers == 0) {
                OPENED.remove(folder);
                uses.close();
            }
        }
    }
}
