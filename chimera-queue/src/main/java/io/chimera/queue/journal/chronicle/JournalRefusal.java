package io.chimera.queue.journal.chronicle;

import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.folder.UnsyncedFiles;
import io.chimera.queue.journal.index.RollFile;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reason why the journal refuses batches: temporarily for lack of room, or permanently after a disk failure. The
 * journaler's thread writes; any thread reads the reason.
 */
final class JournalRefusal {
    private static final Logger LOG = LoggerFactory.getLogger(JournalRefusal.class);

    /** Delay between attempts on a full disk; otherwise every poll would try. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Clock clock;
    private volatile String reason = "";
    private boolean isFinal;
    private long sinceNs;

    JournalRefusal(Clock clock) {
        this.clock = clock;
    }

    /** The reason as a sentence without a period; empty while the journal accepts batches. Any thread. */
    String reason() {
        return reason;
    }

    /** Whether an attempt is pointless now. */
    boolean stands() {
        return isFinal || (!reason.isEmpty() && clock.nanoTime() - sinceNs < RETRY_NS);
    }

    /** Whether only a restart of the node can help. */
    boolean isFinal() {
        return isFinal;
    }

    /** Records a lack of room. */
    void begin(String why) {
        sinceNs = clock.nanoTime();
        if (!why.equals(reason)) {
            LOG.error("The journal accepts no data points: {}.", why);
            reason = why;
        }
    }

    /** Lets the next append try at once, because files were deleted. */
    void tryAgain() {
        sinceNs = clock.nanoTime() - RETRY_NS;
    }

    /** Records the end of the lack of room. */
    void end() {
        if (!reason.isEmpty()) {
            reason = "";
            LOG.info("The journal accepts data points again.");
        }
    }

    /**
     * Records a disk failure. The last writes to the file may be lost, and no call can tell which. Only a new start,
     * which rewrites and checks the file, can establish the state. So the node must stop, and no further record counts
     * as durable.
     *
     * @return exception for the caller to throw
     */
    ChimeraException becomeFinal(RollFile file, String what, Throwable cause) {
        isFinal = true;
        String remedy = "Check the disk, then restart the node";
        try {
            UnsyncedFiles.mark(file.path());
        } catch (IOException e) {
            remedy = "Check the disk and unmount it, to drop this file from memory (the file cannot be marked: " + e
                    + "), then restart the node";
        }
        reason = "journal file " + file + " " + what + ". Points that were not durable are not acknowledged. " + remedy;
        return new ChimeraException(Category.FATAL, "The journal accepts no data points: " + reason + ".", cause);
    }
}
