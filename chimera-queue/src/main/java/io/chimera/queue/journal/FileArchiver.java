package io.chimera.queue.journal;

import io.chimera.common.agent.Chores;
import io.chimera.common.error.ChimeraException;
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
 * Has files kept by an archive before they go. Those that wait for it stay in the journal, up to a number of bytes; beyond, the
 * oldest go without it. So an archive that is slow or fails costs past cycles, and never points that are not committed, nor
 * ingest. The journaler's thread asks, a thread of its own hands files to the archive.
 */
public final class FileArchiver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileArchiver.class);

    /** As much may wait as is retained, and so many files in any case. */
    private static final int WAITING_FILES_MIN = 4;

    private final PastFiles past;
    private final Chores chores;
    private final long waitingBytesMax;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private final AtomicLong kept = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile long waitingBytes;
    private volatile String trouble = "";

    /** Told once, until the archive has taken a file again. */
    private volatile boolean isLosing;

    private volatile boolean isClosed;

    private record Waiting(RollFile file, String cycles) {}

    /**
     * Nothing waits yet.
     *
     * @param past is closed with this
     * @param chores a thread of its own; closed with this
     */
    FileArchiver(PastFiles past, Chores chores, JournalSettings settings) {
        this.past = past;
        this.chores = chores;
        waitingBytesMax = Math.max(settings.retainBytes(), WAITING_FILES_MIN * settings.fileBytes());
    }

    /**
     * Of files that need not stay those that may go: the archive has them, or they have waited for it too long. The others are
     * handed to it. The journaler's thread.
     *
     * @param surplus oldest first
     * @param cycles what is known of those of a file
     */
    List<RollFile> settled(List<RollFile> surplus, Function<RollFile, String> cycles) {
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

    /** A file goes, for room is needed. The journaler's thread. */
    void goes(RollFile file) {
        if (past != PastFiles.NONE && mustWait(file)) {
            lose(file);
        }
    }

    private void lose(RollFile file) {
        lost.incrementAndGet();
        if (!isLosing) {
            isLosing = true;
            LOG.error(
                    "Journal file {} goes before the archive has it, and so may others; their cycles cannot be replayed any"
                            + " more. {} Raise queue.journal.retain_bytes, or see to the archive's device.",
                    file,
                    trouble.isEmpty() ? "The archive is too slow, or room was needed." : trouble);
        }
        file.keeping(RollFile.Keeping.KEPT); // nobody has to wait for it any more
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
                return; // tried again with the next cycle
            }
            waiting.remove();
        }
    }

    /** Whether it need not be tried again. */
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
                LOG.info("The archive takes files of the journal again.");
                trouble = "";
            }
            return true;
        } catch (NoSuchFileException e) {
            return true; // gone meanwhile, for room was needed
        } catch (IOException | ChimeraException e) {
            if (trouble.isEmpty()) {
                LOG.error(
                        "The archive does not take files of the journal: {} They wait, up to {} bytes; then the oldest go"
                                + " without it. Ingest goes on.",
                        e.getMessage(),
                        waitingBytesMax);
            }
            trouble = "The archive of the journal does not take files: " + e.getMessage();
            return false;
        }
    }

    /**
     * What the archive has of the journal.
     *
     * @param kept files that it took
     * @param lost files that went without it
     * @param waitingBytes of files that wait for it
     * @param trouble why it takes nothing now, in a sentence; empty when it does
     */
    public record Report(long kept, long lost, long waitingBytes, String trouble) {}

    /** What the archive has. Any thread. */
    Report report() {
        return new Report(kept.get(), lost.get(), waitingBytes, trouble);
    }

    @Override
    public void close() {
        isClosed = true;
        chores.close();
        past.close();
    }
}
