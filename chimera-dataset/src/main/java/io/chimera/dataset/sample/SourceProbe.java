package io.chimera.dataset.sample;

import io.chimera.dataset.plan.ConnectionRate;
import io.chimera.dataset.plan.SourceSample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Measures round trip and rates of a source. One thread.
 *
 * <p>A rate is measured by a single range per connection: the length of all ranges divided by the time until the last
 * range is there, less the round trip until the first byte. Every connection is opened by a read of one byte before the
 * measurement. The ranges are as long as {@link #ROUND} at the rate measured so far, within the bytes that are left. If
 * the rate still rises with 8 connections, 16 and 32 are measured as well.
 */
final class SourceProbe {
    /** Connections that are always measured, as far as the limits of the sample allow. */
    private static final int CONNECTIONS = 8;

    private static final int CONNECTIONS_MAX = 32;
    private static final int ROUND_TRIPS = 4;

    /** Wished time of a measurement: many round trips of a near source, and several of a far source. */
    private static final Duration ROUND = Duration.ofMillis(400);

    private static final int FIRST_LENGTH = 64 << 10;
    private static final int LENGTH_MAX = 8 << 20;

    /** Growth of the rate from which more connections are measured. */
    private static final double RISING = 1.25;

    /** Share of the measured time that is left at least after the round trip is taken off. */
    private static final double RECEIVING_MIN = 0.1;

    private final RangeReads reads;
    private final SampleBudget budget;
    private long roundTripNs;
    private double bestRate;
    private int bestConnections = 1;
    private long received;
    private long processorNs;

    SourceProbe(RangeReads reads, SampleBudget budget) {
        this.reads = reads;
        this.budget = budget;
    }

    /**
     * Measures the source without any other load.
     *
     * @return sample without a busy rate
     * @throws IOException when the source fails, or sends nothing within the limits
     */
    SourceSample measure() throws IOException {
        roundTripNs = roundTripNs();
        List<ConnectionRate> rates = new ArrayList<>();
        OptionalDouble first = rate(1, FIRST_LENGTH);
        if (first.isEmpty()) {
            throw new IOException(reads.place() + " sent less than " + FIRST_LENGTH
                    + " bytes within the time of a sample; check the source, or run the job without a plan");
        }
        bestRate = first.getAsDouble();
        double before = 0;
        for (int connections = 1; connections <= CONNECTIONS_MAX; connections *= 2) {
            OptionalDouble rate = rate(connections, length(connections));
            if (rate.isEmpty()) {
                break;
            }
            rates.add(new ConnectionRate(connections, rate.getAsDouble()));
            if (connections == 1 || rate.getAsDouble() > bestRate) {
                bestRate = rate.getAsDouble();
                bestConnections = connections;
            }
            if (connections >= CONNECTIONS && rate.getAsDouble() < RISING * before) {
                break;
            }
            before = rate.getAsDouble();
        }
        if (rates.isEmpty()) {
            rates.add(new ConnectionRate(1, bestRate));
        }
        return sample(rates, OptionalDouble.empty());
    }

    /**
     * Measures again with the fastest number of connections, while the caller keeps the cores busy.
     *
     * @param idle sample of {@link #measure}
     * @return the sample with the busy rate, if the limits leave room for the measurement
     * @throws IOException when the source fails
     */
    SourceSample measureBusy(SourceSample idle) throws IOException {
        return sample(idle.rates(), rate(bestConnections, length(bestConnections)));
    }

    /** Returns the bytes that a core received per second of processor time; empty when not known. */
    OptionalDouble bytesPerCoreSecond() {
        return processorNs > 0 && received > 0
                ? OptionalDouble.of(received * 1e9 / processorNs)
                : OptionalDouble.empty();
    }

    private SourceSample sample(List<ConnectionRate> rates, OptionalDouble busy) {
        return new SourceSample(reads.place(), Duration.ofNanos(roundTripNs), rates, busy, OptionalDouble.empty());
    }

    /** Returns the median of some reads of one byte; the first read opens the connection and does not count. */
    private long roundTripNs() throws IOException {
        long[] timesNs = new long[ROUND_TRIPS];
        int measured = 0;
        for (int i = 0; i <= ROUND_TRIPS && budget.take(1, 1); i++) {
            long wallNs = reads.read(1, 1, budget.time()).wallNs();
            if (i > 0) {
                timesNs[measured++] = wallNs;
            }
        }
        if (measured == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(timesNs, measured);
        Arrays.sort(sorted);
        return sorted[(measured - 1) / 2];
    }

    /** Returns the length of a range, so that all connections together take {@link #ROUND}. */
    private int length(int connections) {
        double wished = bestRate * ROUND.toNanos() / 1e9 / connections;
        long shared = budget.bytes() / 4 / connections;
        return (int) Math.max(1, Math.min(Math.max(FIRST_LENGTH / 4, wished), Math.min(LENGTH_MAX, (double) shared)));
    }

    /** Returns the rate; empty when the limits have no room for the measurement, or no byte is received in time. */
    private OptionalDouble rate(int connections, int length) throws IOException {
        if (!budget.take(2 * connections, (long) connections * (length + 1))) {
            return OptionalDouble.empty();
        }
        reads.read(connections, 1, budget.time());
        ReadRound round = reads.read(connections, length, budget.time(2));
        if (round.bytes() == 0) {
            return OptionalDouble.empty();
        }
        received += round.bytes();
        processorNs += round.processorNs();
        double receivingNs = Math.max(RECEIVING_MIN * round.wallNs(), (double) round.wallNs() - roundTripNs);
        return OptionalDouble.of(round.bytes() * 1e9 / Math.max(1, receivingNs));
    }
}
