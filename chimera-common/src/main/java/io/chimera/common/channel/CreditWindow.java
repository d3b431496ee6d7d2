package io.chimera.common.channel;

import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Byte credits of one end of a connection, in both directions. Only payload counts. Each number has one writer, except
 * the consumed bytes. The differences are the available credit and the credit not yet returned.
 *
 * <pre>
 *   sending     taken    &lt;= granted            the offering thread | the transport's thread
 *   receiving   returned &lt;= consumed &lt;= received   transport | any thread | transport
 * </pre>
 */
public final class CreditWindow {
    /**
     * Initial grant of a receiver: 4 MiB. 10 Gbit/s x 3 ms = 3.75 MB keep a fast link busy during a pause of the
     * consumer; 4 MiB are 4 frames of the maximum size; 64 connections buffer at most 256 MiB.
     */
    public static final int BYTES = 4 << 20;

    /**
     * Minimum amount of returned credit, 256 KiB: one frame of 12 bytes for four frames of 64 KiB. The withheld credit
     * is always smaller, so a sender without unprocessed frames has enough for the largest frame, and knows within four
     * frames that the receiver has caught up.
     */
    static final int RETURN_BYTES = BYTES / 16;

    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong consumed = new AtomicLong();
    private final AtomicLong returned = new AtomicLong();

    /** Creates a window without credit in either direction. */
    public CreditWindow() {}

    /** Takes credit for a frame; returns false if the credit is too small. Offering thread. */
    @HotPath
    public boolean take(int length) {
        long before = taken.get();
        if (granted.get() - before < length) {
            return false;
        }
        taken.setRelease(before + length);
        return true;
    }

    /** Returns the credit of a frame that was not sent. Offering thread. */
    @HotPath
    public void putBack(int length) {
        taken.setRelease(taken.get() - length);
    }

    /**
     * Returns whether the receiver has returned all credit, apart from the credit that a receiver withholds. Offering
     * thread.
     */
    public boolean isReturned() {
        return granted.get() - taken.get() > BYTES - RETURN_BYTES;
    }

    /**
     * Adds credit granted by the receiver. Transport thread.
     *
     * @return false if the receiver violates the protocol by granting more than the window
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
     * Counts a received frame. Transport thread.
     *
     * @return false if the sender violates the protocol by exceeding its credit
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
     * Counts processed bytes. Any thread.
     *
     * @return true if enough credit has accumulated for {@link #collect}
     */
    @HotPath
    public boolean consume(int bytes) {
        return consumed.addAndGet(bytes) - returned.get() >= RETURN_BYTES;
    }

    /**
     * Returns the credit to send back now, and counts this credit as returned. Transport thread.
     *
     * @return at least 0
     * @throws IllegalStateException if more bytes were consumed than received
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
