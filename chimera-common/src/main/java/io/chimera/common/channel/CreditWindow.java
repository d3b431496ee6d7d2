package io.chimera.common.channel;

import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The byte credits of one end of a connection, in both directions. Only payload counts. Each number has one
 * writer, the consumed bytes excepted; the differences are what may be sent, and what is not given back yet.
 *
 * <pre>
 *   sending     taken    &lt;= granted            the offering thread | the transport's thread
 *   receiving   returned &lt;= consumed &lt;= received   transport | any thread | transport
 * </pre>
 */
public final class CreditWindow {
    /**
     * What a receiver grants at the start: 4 MiB. 10 Gbit/s x 3 ms = 3.75 MB keep a fast link busy while a consumer
     * pauses; 4 MiB hold 4 frames of the largest size; 64 connections hold at most 256 MiB.
     */
    public static final int BYTES = 4 << 20;

    /**
     * Credit is given back in pieces of at least a quarter, which costs one frame of 12 bytes per MiB. What is held back
     * is less than that, so a sender whose frames were all dealt with has 3 MiB, enough for the largest frame.
     */
    private static final int RETURN_BYTES = BYTES / 4;

    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong consumed = new AtomicLong();
    private final AtomicLong returned = new AtomicLong();

    /** No credit yet in either direction. */
    public CreditWindow() {}

    /** Takes credit for a frame to be sent; false when it does not suffice. The offering thread. */
    @HotPath
    public boolean take(int length) {
        long before = taken.get();
        if (granted.get() - before < length) {
            return false;
        }
        taken.setRelease(before + length);
        return true;
    }

    /** Puts back the credit that was taken for a frame that was not sent after all. The offering thread. */
    @HotPath
    public void putBack(int length) {
        taken.setRelease(taken.get() - length);
    }

    /**
     * Adds credit that the receiver grants. The transport's thread.
     *
     * @return false when the receiver grants more than its window, which a sound one never does
     */
    public boolean grant(int bytes) {
        long sum = granted.get() + bytes;
        if (bytes < 1 || sum - taken.getAcquire() > BYTES) {
            return false;
        }
        granted.set(sum);
        return true;
    }

    /**
     * Counts a frame that arrived. The transport's thread.
     *
     * @return false when the sender had no credit for it, which a sound one never does
     */
    @HotPath
    public boolean receive(int length) {
        long sum = received.get() + length;
        if (sum - returned.get() > BYTES) {
            return false;
        }
        received.set(sum);
        return true;
    }

    /**
     * Counts received bytes that were dealt with. Any thread.
     *
     * @return true when so much lies ready that {@link #collect} is due
     */
    @HotPath
    public boolean consume(int bytes) {
        return consumed.addAndGet(bytes) - returned.get() >= RETURN_BYTES;
    }

    /**
     * Bytes to give back to the sender now; counts them as returned. The transport's thread.
     *
     * @return at least 0
     * @throws IllegalStateException when more was consumed than received
     */
    public int collect() {
        long sum = consumed.get();
        if (sum > received.get()) {
            throw new IllegalStateException("A handler gave back " + sum + " bytes of credit, but only "
                    + received.get() + " bytes were received.");
        }
        int bytes = (int) (sum - returned.get());
        returned.set(sum);
        return bytes;
    }
}
