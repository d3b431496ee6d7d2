package io.chimera.dataset.source.replica;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.DataSource;
import java.time.Duration;

/**
 * A source among several, with its rate and its health. Any thread.
 *
 * <pre>
 * from       event                  to
 * UNTRIED    a read completes       HEALTHY
 * UNTRIED    the source fails       FAILED
 * HEALTHY    the source fails       FAILED
 * FAILED     the pause ends         HALF_OPEN
 * FAILED     a read completes       HEALTHY
 * HALF_OPEN  a read completes       HEALTHY
 * HALF_OPEN  the probe fails        FAILED, with twice the pause
 * </pre>
 *
 * <p>A healthy source has a rate, and gets its share of the reads. Without a rate to trust, a source gets one read at a
 * time, the probe, while another source is healthy: a source that never answers then holds one read. A fault of a
 * single object changes nothing.
 */
final class Replica {
    /** Busy time after which older reads count half. */
    private static final long HALVED_NS = Duration.ofSeconds(2).toNanos();

    private static final long PAUSE_FIRST_NS = Duration.ofSeconds(1).toNanos();
    private static final long PAUSE_MAX_NS = Duration.ofMinutes(1).toNanos();
    private static final int DOUBLED_MAX = 6;

    private final DataSource source;
    private final Clock clock;
    private Health health = Health.UNTRIED;

    /** Whether a caller will begin the probe. */
    private boolean isProbeClaimed;

    private int underWay;
    private long bytesUnderWay;
    private long busySinceNs;
    private double bytes;
    private double busyNs;
    private int pausesInARow;
    private long failedNs;
    private long usedNs;

    /** What is known of a source. */
    private enum Health {
        /** No read has completed or failed. */
        UNTRIED,
        /** The last read completed. */
        HEALTHY,
        /** The source has failed, and its pause has not ended. */
        FAILED,
        /** The pause has ended, and no read has completed since. */
        HALF_OPEN
    }

    /** Place of a source among those that a read tries, the first one first. */
    enum Turn {
        /** Healthy: by its load. */
        SHARE,
        /** Waits for its probe. */
        PROBED,
        /** Rests after a failure. */
        PAUSED
    }

    Replica(DataSource source, Clock clock) {
        this.source = source;
        this.clock = clock;
        usedNs = clock.nanoTime();
    }

    DataSource source() {
        return source;
    }

    /**
     * Returns whether the next read is the probe of this source; the caller begins it.
     *
     * @return false for a healthy or paused source, and while a read is under way
     */
    synchronized boolean claimProbe() {
        boolean isProbe = turn() == Turn.PROBED && underWay == 0 && !isProbeClaimed;
        isProbeClaimed |= isProbe;
        return isProbe;
    }

    /** Returns the turn of a read that is no probe. */
    synchronized Turn turn() {
        if (health == Health.FAILED && clock.nanoTime() - failedNs >= pauseNs()) {
            health = Health.HALF_OPEN;
        }
        return switch (health) {
            case HEALTHY -> Turn.SHARE;
            case UNTRIED, HALF_OPEN -> Turn.PROBED;
            case FAILED -> Turn.PAUSED;
        };
    }

    private long pauseNs() {
        return Math.min(PAUSE_MAX_NS, PAUSE_FIRST_NS << Math.min(DOUBLED_MAX, pausesInARow - 1));
    }

    /** Returns the expected time for a further read in nanoseconds; as with 1 GB/s while no read has taken time. */
    synchronized double load(long length) {
        double rate = busyNs > 0 && bytes > 0 ? bytes / busyNs : 1;
        return (bytesUnderWay + length) / rate;
    }

    /** Returns the time since the last use. */
    synchronized long idleNs() {
        return underWay > 0 ? 0 : clock.nanoTime() - usedNs;
    }

    synchronized void begin(long length) {
        if (underWay++ == 0) {
            busySinceNs = clock.nanoTime();
        }
        isProbeClaimed = false;
        bytesUnderWay += length;
        usedNs = clock.nanoTime();
    }

    synchronized void end(long length, boolean isComplete) {
        long now = clock.nanoTime();
        busyNs += now - busySinceNs;
        busySinceNs = now;
        underWay--;
        bytesUnderWay -= length;
        if (isComplete) {
            bytes += length;
            health = Health.HEALTHY;
            pausesInARow = 0;
        }
        if (busyNs > HALVED_NS) {
            busyNs /= 2;
            bytes /= 2;
        }
    }

    /** Returns the present time, to tell later when a read began. */
    long nowNs() {
        return clock.nanoTime();
    }

    /**
     * Notes that the source has failed. Further failures in the same pause do not count, nor do failures of reads from
     * before the pause, which may end long after it.
     *
     * @param beganNs {@link #nowNs} at the begin of the read
     */
    synchronized void failed(long beganNs) {
        boolean isOfEarlierFailure = pausesInARow > 0 && beganNs - failedNs <= 0;
        if (turn() != Turn.PAUSED && !isOfEarlierFailure) {
            health = Health.FAILED;
            pausesInARow++;
            failedNs = clock.nanoTime();
        }
    }
}
