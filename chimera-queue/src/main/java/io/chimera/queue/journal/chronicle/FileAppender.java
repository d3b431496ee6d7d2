package io.chimera.queue.journal.chronicle;

import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.index.RollFiles;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends to the current file within the limits of the journal: begins files, allocates disk blocks before each append,
 * and records in the {@link JournalRefusal} why there is no room. The journaler's thread.
 */
final class FileAppender {
    private static final Logger LOG = LoggerFactory.getLogger(FileAppender.class);

    private final JournalSettings settings;
    private final JournalDirectory directory;
    private final CurrentFile current;
    private final RollFiles files;
    private final ExpiredFiles expired;
    private final JournalRefusal refusal;
    private boolean isProbeReported;

    FileAppender(
            JournalSettings settings,
            JournalDirectory directory,
            CurrentFile current,
            RollFiles files,
            ExpiredFiles expired,
            JournalRefusal refusal) {
        this.settings = settings;
        this.directory = directory;
        this.current = current;
        this.files = files;
        this.expired = expired;
        this.refusal = refusal;
    }

    /** Ensures that the disk has blocks for a batch and for Chronicle's own structures. */
    boolean makeRoom(int length) {
        if (refusal.stands()) {
            return false;
        }
        if (current.exists() && !current.isDone(settings) && current.bytesNeeded(length) == 0) {
            return true;
        }
        try {
            return allocate(length);
        } catch (ClosedByInterruptException e) {
            return false; // the thread is ending; otherwise the next append opens the file again
        } catch (IOException e) {
            if (expired.giveUpOne()) {
                return makeRoom(length);
            }
            refusal.begin("the disk of " + settings.directory() + " refuses: " + e.getMessage()
                    + ". Free some space or check the disk; no point is lost, senders must retry");
            return false;
        }
    }

    private boolean allocate(int length) throws IOException {
        if (current.exists() && current.isDone(settings)) {
            if (!sync()) {
                return false;
            }
            current.leave();
        }
        String lack = lack(length);
        while (!lack.isEmpty() && expired.giveUpOne()) {
            lack = lack(length);
        }
        if (!lack.isEmpty()) {
            refusal.begin(lack);
            return false;
        }
        if (!current.exists()) {
            current.begin();
        }
        current.allocate(length);
        expired.measure();
        refusal.end();
        return true;
    }

    /** Reason for the lack of room for a batch; empty when the batch fits. */
    private String lack(int length) throws IOException {
        if (files.bytes() + current.bytesNeeded(length) > settings.disk().bytesMax()) {
            return "the journal " + settings.directory() + " has reached journal.max_bytes ("
                    + settings.disk().bytesMax()
                    + "). It shrinks when cycles commit: check the processors and the store, or raise the limit";
        }
        if (isBelowReserve(length)) {
            return "the disk of " + settings.directory() + " has less than journal.reserve ("
                    + settings.disk().reserveBytes()
                    + " bytes) free. Free some space; no point is lost, senders must retry";
        }
        return "";
    }

    /** A failed probe does not count as a full disk; the allocation of the file decides instead. */
    private boolean isBelowReserve(int length) {
        if (settings.disk().reserveBytes() == 0) {
            return false;
        }
        try {
            return directory.bytesFree() - current.bytesNeeded(length)
                    < settings.disk().reserveBytes();
        } catch (IOException e) {
            if (!isProbeReported) {
                isProbeReported = true;
                LOG.warn(
                        "Free space of the journal's disk is unknown, journal.reserve is ignored. path={} error={}",
                        settings.directory(),
                        e.getMessage());
            }
            return false;
        }
    }

    /**
     * Appends a batch after {@link #makeRoom}.
     *
     * @return place of the batch in the current file
     */
    long append(DirectBuffer buffer, int offset, int length) {
        try {
            return current.append(buffer, offset, length);
        } catch (InternalError | RuntimeException e) {
            throw refusal.becomeFinal(files.last(), "cannot be written: " + e, e);
        }
    }

    /** Makes the current file durable unless the policy needs no sync; false when the thread was interrupted. */
    boolean sync() {
        try {
            return settings.sync().policy() == SyncPolicy.NONE || current.sync();
        } catch (IOException e) {
            // The kernel may now mark pages as clean although the pages never reached the disk: a second sync would
            // prove nothing.
            throw refusal.becomeFinal(files.last(), "cannot be synced: " + e, e);
        }
    }
}
