package io.chimera.dataset.source.replica;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.DataSource;
import java.time.Duration;

/** A source among several, with its rate and its failures. Any thread. */
final class Replica {
    /** Busy time after which older reads count half. */
    private static final long HALVED_NS = Duration.ofSeconds(2).toNanos();

    private static final long PAUSE_FIRST_NS = Duration.ofSeconds(1).toNanos();
    private static final long PAUSE_MAX_NS = Duration.ofMinutes(1).toNanos();
    private static final int DOUBLED_MAX = 6;

    private final DataSource source;
    private final Clock clock;
    private int underWay;
    private long bytesUnderWay;
    private long busySinceNs;
    private double bytes;
    private double busyNs;
    private int failuresInARow;
    private long failedNs;
    private long usedNs;

    Replica(DataSource source, Clock clock) {
        this.source = source;
        this.clock = clock;
        usedNs = clock.nanoTime();
    }

    DataSource source() {
        return source;
    }

    /** Returns the expected time for a further read, in relative terms; small for a source without a measured rate. */
    synchronized double load(long length) {
        double rate = busyNs > 0 && bytes > 0 ? bytes / busyNs : Double.MAX_VALUE;
        return (bytesUnderWay + length) / rate;
    }

    /** Returns the time since the last use. */
    synchronized long idleNs() {
        return underWay > 0 ? 0 : clock.nanoTime() - usedNs;
    }

    /** Returns whether the pause after failures has not ended; a pause doubles with each failure in a row. */
    synchronized boolean isPaused() {
        int doublings = Math.min(DOUBLED_MAX, failuresInARow - 1);
        return failuresInARow > 0 && clock.nanoTime() - failedNs < Math.min(PAUSE_MAX_NS, PAUSE_FIRST_NS << doublings);
    }

    synchronized void begin(long length) {
        if (underWay++ == 0) {
            busySinceNs = clock.nanoTime();
        }
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
            failuresInARow = 0;
        }
        if (busyNs > HALVED_NS) {
            busyNs /= 2;
            bytes /= 2;
        }
    }

    synchronized void failed() {
        failuresInARow++;
        failedNs = clock.nanoTime();
    }
}
