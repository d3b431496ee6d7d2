package io.chimera.dataset.sample;

import io.chimera.common.agent.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A source in virtual time: each range has its round trip, and the connections share the rate of the source; a single
 * connection has a rate limit of its own. The window of a connection begins small if the test wishes, and grows by each
 * byte. A connection without a byte for {@link #IDLE} begins with the first window again, as at Linux servers.
 */
final class ModelledSource implements RangeReads {
    /** Retransmission timeout of a connection, at least. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final ManualClock clock;
    private final double roundTripSeconds;
    private final double perConnection;
    private double total;
    private final List<Integer> rounds = new ArrayList<>();
    private double windowFirst = Double.POSITIVE_INFINITY;
    private final List<Double> windows = new ArrayList<>();
    private final List<Long> usedNs = new ArrayList<>();
    private long bytes;
    private int requests;

    /**
     * Creates a source.
     *
     * @param clock advances by the time of each read
     * @param roundTrip time until the first byte
     * @param perConnection bytes per second of a connection
     * @param total bytes per second of all connections
     */
    ModelledSource(ManualClock clock, Duration roundTrip, double perConnection, double total) {
        this.clock = clock;
        roundTripSeconds = roundTrip.toNanos() / 1e9;
        this.perConnection = perConnection;
        this.total = total;
    }

    /** Changes the rate of the source, as a busy receiver does. */
    void total(double bytesPerSecond) {
        total = bytesPerSecond;
    }

    /** Sets the first window of each connection in bytes. */
    void windows(double first) {
        windowFirst = first;
    }

    /** Returns the round trips for which some bytes wait for the window of the connection that waits longest. */
    private int waits(int connections, int length) {
        int most = 0;
        for (int i = 0; i < connections; i++) {
            resetIfIdle(i);
            int waits = 0;
            double window = windows.get(i);
            for (double sent = window; sent < length; sent += window) {
                waits++;
                window *= 2;
            }
            windows.set(i, windows.get(i) + length);
            most = Math.max(most, waits);
        }
        return most;
    }

    private void resetIfIdle(int connection) {
        if (windows.size() == connection) {
            windows.add(windowFirst);
            usedNs.add(clock.nanoTime());
        } else if (clock.nanoTime() - usedNs.get(connection) > IDLE.toNanos()) {
            windows.set(connection, windowFirst);
        }
    }

    private void used(int connections) {
        for (int i = 0; i < connections; i++) {
            usedNs.set(i, clock.nanoTime());
        }
    }

    /** Returns the connections of all rounds with more than a byte per range. */
    List<Integer> rounds() {
        return rounds;
    }

    /** Returns the bytes read. */
    long bytes() {
        return bytes;
    }

    /** Returns the number of ranges. */
    int requests() {
        return requests;
    }

    @Override
    public String place() {
        return "model:source";
    }

    @Override
    public ReadRound read(int connections, int length, Duration timeMax) {
        long all = (long) connections * length;
        double rate = Math.min(connections * perConnection, total);
        long wallNs = (long) (((1 + waits(connections, length)) * roundTripSeconds + all / rate) * 1e9);
        requests += connections;
        bytes += all;
        if (length > 1) {
            rounds.add(connections);
        }
        if (wallNs > timeMax.toNanos()) {
            clock.advance(timeMax);
            used(connections);
            return new ReadRound(0, 0, timeMax.toNanos(), 0);
        }
        clock.advanceNs(wallNs);
        used(connections);
        return new ReadRound(connections, all, wallNs, wallNs / 10);
    }
}
