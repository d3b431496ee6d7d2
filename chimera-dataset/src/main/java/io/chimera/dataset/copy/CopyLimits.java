package io.chimera.dataset.copy;

import java.time.Duration;

/**
 * Bounds of a folder of copies.
 *
 * @param maxBytes maximum length of all copies in bytes; 0 makes no copies
 * @param keepFor time after the last use for which a copy is kept
 * @param blockBytes length of a block in bytes; copies with another length are not used
 */
public record CopyLimits(long maxBytes, Duration keepFor, int blockBytes) {
    /**
     * Checks the bounds.
     *
     * @param maxBytes at least 0
     * @param keepFor not negative
     * @param blockBytes at least 1
     */
    public CopyLimits {
        if (maxBytes < 0 || keepFor.isNegative() || blockBytes < 1) {
            throw new IllegalArgumentException("copies of at most " + maxBytes + " bytes, kept for " + keepFor
                    + ", in blocks of " + blockBytes + " bytes; expected no negative bound, and at least 1 byte");
        }
    }
}
