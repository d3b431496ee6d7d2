package io.chimera.queue.replication;

import org.agrona.BitUtil;

/**
 * Limits of senders that wait for an acknowledgement.
 *
 * @param timeoutMs time after which a waiting sender fails
 * @param senders maximum number of waiting senders, a power of two
 */
public record WaitLimits(long timeoutMs, int senders) {
    /**
     * Usual limits. The timeout is longer than a peer needs to return after a restart of its process. 4096 requests x
     * 10 ms for two copies are 400,000 requests a second.
     */
    public static final WaitLimits DEFAULT = new WaitLimits(30_000, 4096);

    /** Checks the number of senders. */
    public WaitLimits {
        if (!BitUtil.isPowerOfTwo(senders)) {
            throw new IllegalArgumentException("The number of senders must be a power of two, not " + senders + ".");
        }
    }
}
