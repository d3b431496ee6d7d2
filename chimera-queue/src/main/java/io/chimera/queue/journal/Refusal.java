package io.chimera.queue.journal;

import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why the journal takes nothing: for a while, because there is no room, or for good, because the disk failed. Written by the
 * journaler's thread; any thread reads the reason.
 */
final class Refusal {
    private static final Logger LOG = LoggerFactory.getLogger(Refusal.class);

    /** A full disk is asked again after so long, instead of with every poll. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Clock clock;
    private volatile String reason = "";
    private boolean isFinal;
    private long sinceNs;

    Refusal(Clock clock) {
        this.clock = clock;
    }

    /** A sentence without its end; empty while the journal takes what comes. Any thread. */
    String reason() {
        return reason;
    }

    /** Whether it is of no use to try now. */
    boolean stands() {
        return isFinal || (!reason.isEmpty() && clock.nanoTime() - sinceNs < RETRY_NS);
    }

    /** Whether only a new start of the node helps. */
    boolean isFinal() {
        return isFinal;
    }

    /** There is no room now. */
    void begin(String why) {
        sinceNs = clock.nanoTime();
        if (!why.equals(reason)) {
            LOG.error("The journal takes no data points: {}.", why);
            reason = why;
        }
    }

    /** There may be room again: the next append tries. */
    void tryAgain() {
        sinceNs = clock.nanoTime() - RETRY_NS;
    }

    /** There is room again. */
    void end() {
        if (!reason.isEmpty()) {
            reason = "";
            LOG.info("The journal takes data points again.");
        }
    }

    /**
     * The disk failed. What was written to the file last may be lost, and nobody can say what: only a new start, which writes
     * again and checks what is there, makes sense of it. So the node is to stop, and what was not durable before is never
     * called so.
     *
     * @return to be thrown
     */
    ChimeraException becomeFinal(RollFile file, String what, Throwable cause) {
        isFinal = true;
        String remedy = "See to the disk, then start the node again";
        try {
            UnsyncedFiles.mark(file.path());
        } catch (IOException e) {
            remedy = "See to the disk, unmount it so that nothing of this file is left in memory (it cannot be marked: "
                    + e + "), then start the node again";
        }
        reason = "journal file " + file + " " + what + ". What was not durable yet is not acknowledged. " + remedy;
        return new ChimeraException(Category.FATAL, "The journal takes no data points: " + reason + ".", cause);
    }
}
