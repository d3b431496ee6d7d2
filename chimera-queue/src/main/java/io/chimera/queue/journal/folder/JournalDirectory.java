package io.chimera.queue.journal.folder;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import io.chimera.jni.stream.FreeSpace;
import io.chimera.queue.journal.index.RollFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Folder of a journal, locked by one process.
 *
 * <pre>
 *   lock              locked while a process has the journal open
 *   journal.json      see JournalLabel
 *   low-water.json    see LowWaterFile
 *   identity.json     see IdentityFile
 *   boot              see BootFile
 *   00000001/         files of the first start of the node: a Chronicle queue
 *     metadata.cq4t
 *     20260521-101500T.cq4 …
 *   00000002/ …       files of the next start
 *   damaged/          deleted files with unreadable parts, and parts cut off by a repair
 * </pre>
 *
 * <p>Each start has its own queue. So the journal never appends to a file of a dead process, never waits for a lock of
 * a dead process, and no damaged file prevents Chronicle from opening.
 */
public final class JournalDirectory implements AutoCloseable {
    public static final String FILE_SUFFIX = ".cq4";

    private static final String FOLDER = "journal";
    private static final String LOCK = "lock";
    private static final String ASIDE = "damaged";

    private static final DateTimeFormatter BEGUN = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss'T'");

    private static final Pattern START = Pattern.compile("\\d{8}");

    private final Path path;
    private final FileChannel lockChannel;
    private final FileLock lock;

    /**
     * Locks the folder, and creates a missing folder.
     *
     * @throws ChimeraException when another process holds the lock
     */
    public JournalDirectory(Path path) throws IOException {
        this.path = path;
        Files.createDirectories(path);
        lockChannel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock taken = tryLock();
        if (taken == null) {
            lockChannel.close();
            throw new ChimeraException(
                    Category.FATAL,
                    "The journal " + path + " is in use by another node; stop that node, or give this node its own"
                            + " data_dir.");
        }
        lock = taken;
    }

    /**
     * Finds the journal in a given folder: the folder itself, or the journal folder in a node's data folder.
     *
     * @throws ChimeraException when there is no journal
     */
    public static Path find(Path named) throws IOException {
        for (Path folder : List.of(named, named.resolve(FOLDER))) {
            if (isJournal(folder)) {
                JournalLabel.checkLayout(folder);
                return folder;
            }
        }
        throw new ChimeraException(
                Category.ERROR,
                "There is no journal in " + named
                        + ": it has no folder like 00000001. Specify the data_dir of a queue node,"
                        + " or its folder 'journal'.");
    }

    /**
     * Finds the journals of all lanes of a node.
     *
     * @param named a journal, for this journal only, or the data folder of a node
     * @return folders of the journals by lane, at least one
     * @throws ChimeraException when there is no journal, or a journal has another layout
     */
    public static List<Path> findAll(Path named) throws IOException {
        List<Path> journals = new ArrayList<>();
        if (!isJournal(named)) {
            for (int lane = 0; lane <= LaneId.LANE_MAX; lane++) {
                Path folder = LaneId.folder(named, lane).resolve(FOLDER);
                if (isJournal(folder)) {
                    JournalLabel.checkLayout(folder);
                    journals.add(folder);
                }
            }
        }
        return journals.isEmpty() ? List.of(find(named)) : List.copyOf(journals);
    }

    private static boolean isJournal(Path folder) throws IOException {
        return Files.isDirectory(folder)
                && (Files.exists(folder.resolve(LOCK)) || !starts(folder).isEmpty());
    }

    /**
     * Whether a process has the journal open. Must not be called by the process with the lock: closing a file releases
     * all locks of the calling process on the file.
     */
    public static boolean isInUse(Path journal) throws IOException {
        Path file = journal.resolve(LOCK);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return shared == null;
        } catch (OverlappingFileLockException e) {
            return true; // locked by this process
        }
    }

    private @Nullable FileLock tryLock() throws IOException {
        try {
            return lockChannel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // locked by this process
        }
    }

    public Path path() {
        return path;
    }

    /**
     * Returns the free bytes of the disk for this user.
     *
     * @throws IOException when the file system does not report its free space
     */
    public long bytesFree() throws IOException {
        return FreeSpace.usableBytes(path);
    }

    /** Folders of all starts, oldest first. */
    public List<Path> starts() throws IOException {
        return starts(path);
    }

    /** Folders of all starts in a journal, oldest first. Needs no lock. */
    public static List<Path> starts(Path journal) throws IOException {
        return list(journal, name -> START.matcher(name).matches());
    }

    /** Deletes the folders of starts without roll files. */
    public void deleteEmptyStarts() throws IOException {
        for (Path start : starts()) {
            deleteIfLeft(start);
        }
    }

    /** Folder for the files of this start; not created yet. */
    public Path nextStart() throws IOException {
        List<Path> starts = starts();
        int last = starts.isEmpty()
                ? 0
                : Integer.parseInt(starts.get(starts.size() - 1).getFileName().toString());
        return path.resolve(String.format("%08d", last + 1));
    }

    /** Roll files of a start, oldest first. */
    public static List<Path> files(Path start) throws IOException {
        return list(start, name -> name.endsWith(FILE_SUFFIX));
    }

    /** Creation time of a roll file by its name, in ms since 1970. */
    public static long begunMs(Path file) {
        String name = file.getFileName().toString();
        return LocalDateTime.parse(name.substring(0, name.length() - FILE_SUFFIX.length()), BEGUN)
                .toInstant(ZoneOffset.UTC)
                .toEpochMilli();
    }

    private static List<Path> list(Path folder, Predicate<String> isWanted) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> isWanted.test(entry.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    /** Deletes an expired file. A damaged file is moved to the folder {@code damaged} for inspection instead. */
    public void letGo(RollFile file) throws IOException {
        if (file.isDamaged()) {
            Files.move(file.path(), aside(file.path(), ""), StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.deleteIfExists(file.path());
        }
        UnsyncedFiles.forget(file.path());
        RestoredFile.forget(file.path());
    }

    /** Path in the folder {@code damaged} for a file or a part of a file. Creates the folder. */
    public Path aside(Path file, String suffix) throws IOException {
        Path folder = Files.createDirectories(path.resolve(ASIDE));
        return folder.resolve(folderOf(file).getFileName() + "-" + file.getFileName() + suffix);
    }

    /** Deletes the folder of an earlier start and Chronicle's own files once the folder has no roll files. */
    public static void deleteIfLeft(Path start) throws IOException {
        if (files(start).isEmpty()) {
            for (Path rest : list(start, name -> true)) {
                Files.deleteIfExists(rest);
            }
            Files.deleteIfExists(start);
        }
    }

    /** Makes created, renamed and deleted directory entries of a folder durable. */
    public static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Makes the directory entry of a created or renamed file durable. */
    public static void syncFolderOf(Path file) throws IOException {
        sync(folderOf(file));
    }

    private static Path folderOf(Path file) {
        return Objects.requireNonNull(file.getParent(), "a file of a journal lies in a folder");
    }

    /** Printable form of a stream id. */
    public static String hex(long stream) {
        return String.format("%016x", stream);
    }

    @Override
    public void close() throws IOException {
        lock.release();
        lockChannel.close();
    }
}
