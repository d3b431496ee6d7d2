package io.chimera.dataset.source.replica;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.DataSource;
import java.time.Duration;
import java.util.Optional;

/**
 * A source among several, with its rate and its health. Any thread.
 *
 * <pre>
 * from       event                                to
 * UNPROVEN   the probe begins                     PROBED
 * UNPROVEN   an earlier read completes            HEALTHY
 * PROBED     the probe or a read completes        HEALTHY
 * PROBED     the source fails                     FAILED
 * PROBED     the probe ends without a verdict     UNPROVEN
 * HEALTHY    the source fails                     FAILED
 * FAILED     the pause ends                       UNPROVEN
 * FAILED     a read completes                     HEALTHY
 * </pre>
 *
 * <p>A healthy source has a rate, and gets its share of the reads. Without a rate to trust, a source gets one read at a
 * time, the probe: a source that never answers then holds one read. Each failure of a probe doubles the pause. A fault
 * of a single object is no verdict on the source.
 */
final class Replica {
    /** Busy time after which older reads count half. */
    private static final long HALVED_NS = Duration.ofSeconds(2).toNanos();

    private static final long PAUSE_FIRST_NS = Duration.ofSeconds(1).toNanos();
    private static final long PAUSE_MAX_NS = Duration.ofMinutes(1).toNanos();
    private static final int DOUBLED_MAX = 6;

    private final DataSource source;
    private final Clock clock;
    private Health health = Health.UNPROVEN;
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
        /** No read has completed since the start, or since the last pause; no probe is under way. */
        UNPROVEN,
        /** As {@link #UNPROVEN}, with a probe under way. */
        PROBED,
        /** The last read completed. */
        HEALTHY,
        /** The source has failed, and its pause has not ended. */
        FAILED
    }

    /** Treatment of a source by the next read. */
    enum Turn {
        /** Healthy: read by its load. */
        SHARE,
        /** Read by its probe alone. */
        PROBED,
        /** Rests after a failure. */
        PAUSED
    }

    /** End of a read. */
    enum Outcome {
        /** All bytes have arrived. */
        COMPLETED,
        /** The source failed. */
        FAILED,
        /** The object has a fault, or the reader gave up. */
        NO_VERDICT
    }

    /**
     * A read under way.
     *
     * @param replica its source
     * @param length its length in bytes
     * @param beganNs time of its begin, see {@link #nowNs}
     * @param isProbe whether it is the probe
     */
    record Begun(Replica replica, long length, long beganNs, boolean isProbe) {}

    Replica(DataSource source, Clock clock) {
        this.source = source;
        this.clock = clock;
        usedNs = clock.nanoTime();
    }

    DataSource source() {
        return source;
    }

    /** Returns the treatment by the next read. */
    synchronized Turn turn() {
        if (health == Health.FAILED && clock.nanoTime() - failedNs >= pauseNs()) {
            health = Health.UNPROVEN;
        }
        return switch (health) {
            case HEALTHY -> Turn.SHARE;
            case UNPROVEN, PROBED -> Turn.PROBED;
            case FAILED -> Turn.PAUSED;
        };
    }

    /**
     * Begins the probe.
     *
     * @param length length of the read in bytes
     * @return empty for a healthy or paused source, and while a read is under way
     */
    synchronized Optional<Begun> probe(long length) {
        if (turn() != Turn.PROBED || underWay > 0) {
            return Optional.empty();
        }
        health = Health.PROBED;
        return Optional.of(begin(length, true));
    }

    /**
     * Begins a read that is no probe.
     *
     * @param length length of the read in bytes
     */
    synchronized Begun begin(long length) {
        return begin(length, false);
    }

    private Begun begin(long length, boolean isProbe) {
        usedNs = clock.nanoTime();
        if (underWay++ == 0) {
            busySinceNs = usedNs;
        }
        bytesUnderWay += length;
        return new Begun(this, length, usedNs, isProbe);
    }

    /** Ends a read. */
    synchronized void end(Begun read, Outcome outcome) {
        long now = clock.nanoTime();
        busyNs += now - busySinceNs;
        busySinceNs = now;
        underWay--;
        bytesUnderWay -= read.length();
        if (read.isProbe() && health == Health.PROBED) {
            health = Health.UNPROVEN;
        }
        if (outcome == Outcome.COMPLETED) {
            bytes += read.length();
            health = Health.HEALTHY;
            pausesInARow = 0;
        } else if (outcome == Outcome.FAILED) {
            failed(read.beganNs());
        }
        if (busyNs > HALVED_NS) {
            busyNs /= 2;
            bytes /= 2;
        }
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
