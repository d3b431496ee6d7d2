package io.chimera.queue.journal;

/**
 * Retention of fully committed files for replays.
 *
 * @param ms retention time; 0 for none
 * @param bytes maximum bytes of such files; retained files are deleted early when new records need the room
 */
public record RetentionLimits(long ms, long bytes) {
    /** No retention. */
    public static final RetentionLimits NONE = new RetentionLimits(0, 0);

    /** Checks the bounds. */
    public RetentionLimits {
        if (ms < 0 || bytes < 0) {
            throw new IllegalArgumentException(
                    "A journal retains files for 0 or more, not for " + ms + " ms and " + bytes + " bytes.");
        }
    }
}
