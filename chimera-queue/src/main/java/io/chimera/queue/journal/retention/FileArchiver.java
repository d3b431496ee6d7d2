package io.chimera.queue.journal.retention;

import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.error.ChimeraException;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.RestoredFile;
import io.chimera.queue.journal.index.RollFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives journal files before their deletion. Waiting files stay in the journal up to a limit in bytes; beyond the
 * limit the oldest files are deleted without a copy in the archive. So a slow or failed archive costs past cycles, but
 * neither uncommitted points nor ingest. The journaler's thread submits files; a separate thread hands the files to the
 * archive.
 */
public final class FileArchiver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileArchiver.class);

    /** Minimum number of waiting files. The limit in bytes is the retained bytes, or this number of files if larger. */
    private static final int WAITING_FILES_MIN = 4;

    private final PastFiles past;
    private final SerialExecutor chores;
    private final long waitingBytesMax;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private final AtomicLong kept = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile long waitingBytes;
    private volatile String trouble = "";

    /** Whether a loss has been logged; reset once the archive accepts a file again. */
    private volatile boolean isLosing;

    private volatile boolean isClosed;

    private record Waiting(RollFile file, String cycles) {}

    /**
     * Creates an archiver without waiting files.
     *
     * @param past archive; closed with the archiver
     * @param chores executor with a thread of its own; closed with the archiver
     */
    public FileArchiver(PastFiles past, SerialExecutor chores, JournalSettings settings) {
        this.past = past;
        this.chores = chores;
        waitingBytesMax = Math.max(
                settings.retention().bytes(),
                WAITING_FILES_MIN * settings.roll().bytes());
    }

    /**
     * Returns the surplus files that may be deleted: files in the archive, and files beyond the limit of waiting bytes.
     * Submits all other files to the archive. The journaler's thread.
     *
     * @param surplus expired files, oldest first
     * @param cycles notes of the cycles of a file
     */
    public List<RollFile> settled(List<RollFile> surplus, Function<RollFile, String> cycles) {
        if (past == PastFiles.NONE) {
            return surplus;
        }
        long bytes = surplus.stream()
                .filter(FileArchiver::mustWait)
                .mapToLong(RollFile::bytes)
                .sum();
        List<RollFile> settled = new ArrayList<>();
        for (RollFile file : surplus) {
            if (!mustWait(file)) {
                settled.add(file);
            } else if (bytes > waitingBytesMax) {
                bytes -= file.bytes();
                lose(file);
                settled.add(file);
            } else if (file.keeping() == RollFile.Keeping.NOT_ASKED) {
                file.keeping(RollFile.Keeping.WAITING);
                waiting.add(new Waiting(file, cycles.apply(file)));
            }
        }
        waitingBytes = bytes;
        if (!waiting.isEmpty()) {
            schedule();
        }
        return settled;
    }

    private static boolean mustWait(RollFile file) {
        return !file.isEmpty() && !file.isDamaged() && file.keeping() != RollFile.Keeping.KEPT;
    }

    /** Records the deletion of a file for lack of room. The journaler's thread. */
    public void goes(RollFile file) {
        if (past != PastFiles.NONE && mustWait(file)) {
            lose(file);
        }
    }

    private void lose(RollFile file) {
        lost.incrementAndGet();
        if (!isLosing) {
            isLosing = true;
            LOG.error(
                    "Journal file {} is deleted without a copy in the archive, and more files may follow; their cycles"
                            + " cannot be replayed. {} Raise queue.journal.retain_bytes or check the archive's disk.",
                    file,
                    trouble.isEmpty() ? "The archive is too slow, or the journal needed the room." : trouble);
        }
        file.keeping(RollFile.Keeping.KEPT); // the file no longer waits for the archive
    }

    private void schedule() {
        if (isScheduled.compareAndSet(false, true)) {
            chores.execute(this::work);
        }
    }

    private void work() {
        isScheduled.set(false);
        for (Waiting next = waiting.peek(); next != null && !isClosed; next = waiting.peek()) {
            if (!keep(next)) {
                return; // retried with the next cycle
            }
            waiting.remove();
        }
    }

    /** Hands a file to the archive; false when a retry is necessary. */
    private boolean keep(Waiting next) {
        RollFile file = next.file;
        if (file.keeping() == RollFile.Keeping.KEPT) {
            return true;
        }
        try {
            if (!RestoredFile.isOne(file.path())) {
                past.keep(new PastFile(
                        file.name(),
                        file.path(),
                        file.bytes(),
                        JournalDirectory.begunMs(file.path()),
                        Files.getLastModifiedTime(file.path()).toMillis(),
                        next.cycles));
                kept.incrementAndGet();
                isLosing = false;
            }
            file.keeping(RollFile.Keeping.KEPT);
            if (!trouble.isEmpty()) {
                LOG.info("The archive accepts journal files again.");
                trouble = "";
            }
            return true;
        } catch (NoSuchFileException e) {
            return true; // deleted meanwhile for lack of room
        } catch (IOException | ChimeraException e) {
            if (trouble.isEmpty()) {
                LOG.error(
                        "The archive refuses journal files: {} Up to {} bytes of files wait; then the oldest files are"
                                + " deleted without a copy. Ingest continues.",
                        e.getMessage(),
                        waitingBytesMax);
            }
            trouble = "The archive of the journal refuses files: " + e.getMessage();
            return false;
        }
    }

    /**
     * State of the archiving.
     *
     * @param kept number of archived files
     * @param lost number of files deleted without a copy in the archive
     * @param waitingBytes bytes of the waiting files
     * @param trouble reason why the archive refuses files now, as a sentence; empty when the archive accepts files
     */
    public record Report(long kept, long lost, long waitingBytes, String trouble) {}

    /** Current state. Any thread. */
    public Report report() {
        return new Report(kept.get(), lost.get(), waitingBytes, trouble);
    }

    @Override
    public void close() {
        isClosed = true;
        chores.close();
        past.close();
    }
}
