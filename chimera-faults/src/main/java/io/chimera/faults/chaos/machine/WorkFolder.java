package io.chimera.faults.chaos.machine;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Folder of a run. The process of a run holds a lock in the folder; a folder with an unlocked lock file belongs to a
 * killed run, and the next run deletes the folder. A folder kept on purpose has no lock file. Any thread.
 */
public final class WorkFolder implements AutoCloseable {
    private static final String PREFIX = "chimera-chaos-";
    private static final String LOCK = "run.lock";

    private final Path path;
    private final FileChannel lock;
    private boolean kept;
    private boolean closed;

    private WorkFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Creates a folder in a parent, e.g. the folder for temporary files. */
    public static WorkFolder create(Path parent) {
        try {
            Path path = Files.createTempDirectory(parent, PREFIX);
            FileChannel lock =
                    FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            lock.lock();
            return new WorkFolder(path, lock);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL,
                    "Cannot create a folder in " + parent + " (" + e.getMessage() + "). Free disk space, or set"
                            + " TMPDIR.",
                    e);
        }
    }

    /**
     * Deletes the folders of killed runs.
     *
     * @return the deleted folders
     */
    public static List<Path> sweep(Path parent) {
        List<Path> removed = new ArrayList<>();
        try (Stream<Path> folders = Files.list(parent)) {
            for (Path folder : folders.filter(WorkFolder::isLeftover).toList()) {
                delete(folder);
                removed.add(folder);
            }
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot remove the folder of an earlier run: " + e.getMessage() + ".", e);
        }
        return removed;
    }

    private static boolean isLeftover(Path folder) {
        Path file = folder.resolve(LOCK);
        if (!folder.getFileName().toString().startsWith(PREFIX) || !Files.isRegularFile(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock held = channel.tryLock()) {
            return held != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false; // the folder belongs to an active run, possibly in the same process
        }
    }

    /** Returns the path of the folder. */
    public Path path() {
        return path;
    }

    /** Keeps the folder after the end of the run. */
    public synchronized void keep() {
        kept = true;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (kept) {
                Files.deleteIfExists(path.resolve(LOCK));
            } else {
                delete(path);
            }
            lock.close();
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR, "Cannot release folder " + path + ": " + e.getMessage() + ".", e);
        }
    }

    /** Deletes a folder with all content; does nothing without a folder. */
    public static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot remove folder " + folder + ": " + e.getMessage() + ".", e);
        }
    }
}
