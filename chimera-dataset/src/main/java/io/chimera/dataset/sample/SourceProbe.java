package io.chimera.dataset.sample;

import io.chimera.dataset.plan.ConnectionRate;
import io.chimera.dataset.plan.SourceSample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Measures round trip and rates of a source. One thread.
 *
 * <p>A round reads a range on each connection. Its rate is the length of all ranges divided by the time until the last
 * range is there, less the round trip until the first byte. Every connection is opened by a read of one byte before.
 * The ranges are as long as {@link #ROUND} at the rate measured so far, within the bytes that are left.
 *
 * <p>A new connection begins with a small window, which grows by each acknowledged byte. So with a round trip to a far
 * source, the first round of a connection shows the window, and not the rate. Rounds are repeated with the same
 * connections and lengths until the rate no longer rises: in the second round the window holds a whole range. The time
 * that the earlier rounds lost is the ramp. The measurement under load repeats its rounds as well: a connection
 * that was idle for longer than a retransmission timeout begins with a small window again.
 *
 * <p>If the rate still rises with 8 connections, 16 and 32 are measured as well.
 */
final class SourceProbe {
    /** Connections that are always measured, as far as the limits of the sample allow. */
    private static final int CONNECTIONS = 8;

    private static final int CONNECTIONS_MAX = 32;

    /** Measurements that share the bytes of the sample: 1, 2, 4 and 8 connections, and the one under load. */
    private static final int MEASUREMENTS = 5;

    /** Part of the time that stays for the measurement under load, and for the warm-up of the computation before it. */
    private static final int BUSY_TIME_PART = 3;

    private static final int ROUND_TRIPS = 4;

    /** Wished time of a measurement: many round trips of a near source, and several of a far source. */
    private static final Duration ROUND = Duration.ofMillis(400);

    /** Round trip from which the windows of new connections are a visible part of {@link #ROUND}. */
    private static final Duration FAR = Duration.ofMillis(4);

    /** Maximum number of rounds with the same connections to a far source. */
    private static final int ROUNDS_MAX = 4;

    /** Rounds that have bytes at least; a third one uses bytes of the idle measurements after it. */
    private static final int ROUNDS_PLANNED = 2;

    /** Growth of the rate between rounds from which the windows still grow. */
    private static final double GROWING = 1.1;

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
    private double rampSeconds;
    private long received;
    private long processorNs;

    /**
     * Part of the budget that stays for later measurements.
     *
     * @param bytes bytes that stay
     * @param reads number of reads on each connection that stay
     * @param time time that stays
     */
    private record Reserve(long bytes, int reads, Duration time) {
        static final Reserve NONE = new Reserve(0, 0, Duration.ZERO);
    }

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
        bestRate = rate(first());
        double before = 0;
        Duration busyTime = budget.time(BUSY_TIME_PART);
        long busyBytes = budget.bytes() / MEASUREMENTS;
        int idleLeft = MEASUREMENTS - 1;
        for (int connections = 1; connections <= CONNECTIONS_MAX; connections *= 2) {
            // Measurements of 16 and 32 connections share the bytes of the measurement under load.
            long keptBytes = Math.min(busyBytes, budget.bytes() / 2);
            Reserve kept = new Reserve(keptBytes, 1 + roundsPlanned(), busyTime.plus(plannedTime(idleLeft - 1)));
            List<ReadRound> rounds = rounds(connections, (budget.bytes() - keptBytes) / idleLeft, kept);
            if (rounds.isEmpty()) {
                break;
            }
            double rate = rounds.stream().mapToDouble(this::rate).max().orElseThrow();
            rates.add(new ConnectionRate(connections, rate));
            if (connections == 1 || rate > bestRate) {
                bestRate = rate;
                bestConnections = connections;
                rampSeconds = lostSeconds(rounds, rate);
            }
            if (connections >= CONNECTIONS && rate < RISING * before) {
                break;
            }
            before = rate;
            idleLeft = Math.max(1, idleLeft - 1);
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
        List<ReadRound> rounds = rounds(bestConnections, budget.bytes(), Reserve.NONE);
        return sample(idle.rates(), rounds.stream().mapToDouble(this::rate).max());
    }

    /** Returns the time that the connections of the best rate lost until they reached the rate, in seconds. */
    double rampSeconds() {
        return rampSeconds;
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

    private ReadRound first() throws IOException {
        Optional<ReadRound> round = open(1) ? round(1, FIRST_LENGTH) : Optional.empty();
        return round.orElseThrow(() -> new IOException(reads.place() + " sent less than " + FIRST_LENGTH
                + " bytes within the time of a sample; check the source, or run the job without a plan"));
    }

    private boolean isFar() {
        return roundTripNs >= FAR.toNanos();
    }

    private int roundsPlanned() {
        return isFar() ? ROUNDS_PLANNED : 1;
    }

    /** Returns the time of some measurements with the planned rounds. */
    private Duration plannedTime(int measurements) {
        return ROUND.plusNanos(2 * roundTripNs).multipliedBy((long) measurements * roundsPlanned());
    }

    /**
     * Returns the rounds with a number of connections; none when the limits have no room.
     *
     * @param connections number of connections
     * @param bytesMax length of the planned rounds together in bytes
     * @param reserve part of the budget that stays
     */
    private List<ReadRound> rounds(int connections, long bytesMax, Reserve reserve) throws IOException {
        int planned = roundsPlanned();
        int length = length(connections, bytesMax / planned);
        List<ReadRound> rounds = new ArrayList<>();
        double best = 0;
        Duration kept = connections > CONNECTIONS ? reserve.time() : Duration.ZERO; // the others are measured always
        boolean isGrowing =
                budget.has(connections * (1 + planned + reserve.reads()), reserve.bytes(), kept) && open(connections);
        while (isGrowing) {
            Optional<ReadRound> round = round(connections, length);
            round.ifPresent(rounds::add);
            double rate = round.isPresent() ? rate(round.get()) : 0;
            isGrowing = rate > GROWING * best
                    && (rounds.size() < planned || hasRoomForMore(rounds.size(), connections, length, reserve));
            best = Math.max(best, rate);
        }
        return rounds;
    }

    /** Returns whether a round after the planned ones leaves the reserve. */
    private boolean hasRoomForMore(int done, int connections, int length, Reserve reserve) {
        return isFar()
                && done < ROUNDS_MAX
                && budget.has(
                        connections * (1 + reserve.reads()),
                        (long) connections * length + reserve.bytes(),
                        reserve.time());
    }

    /** Returns the length of a range, so that all connections together take {@link #ROUND}. */
    private int length(int connections, long bytesMax) {
        double wished = bestRate * ROUND.toNanos() / 1e9 / connections;
        double shared = (double) bytesMax / connections - 1; // a byte opens the connection
        return (int) Math.max(1, Math.min(Math.max(FIRST_LENGTH / 4, wished), Math.min(LENGTH_MAX, shared)));
    }

    /** Opens connections; returns false when the limits have no room for them. */
    private boolean open(int connections) throws IOException {
        boolean hasRoom = budget.take(connections, connections);
        if (hasRoom) {
            reads.read(connections, 1, budget.time());
        }
        return hasRoom;
    }

    /** Returns a round; empty when the limits have no room for it, or no byte is received in time. */
    private Optional<ReadRound> round(int connections, int length) throws IOException {
        if (!budget.take(connections, (long) connections * length)) {
            return Optional.empty();
        }
        ReadRound round = reads.read(connections, length, budget.time(2));
        received += round.bytes();
        processorNs += round.processorNs();
        return round.bytes() == 0 ? Optional.empty() : Optional.of(round);
    }

    private double rate(ReadRound round) {
        return round.bytes() / receivingSeconds(round);
    }

    /** Returns the time of a round without the round trip until the first byte. */
    private double receivingSeconds(ReadRound round) {
        double receivingNs = Math.max(RECEIVING_MIN * round.wallNs(), (double) round.wallNs() - roundTripNs);
        return Math.max(1, receivingNs) / 1e9;
    }

    private double lostSeconds(List<ReadRound> rounds, double rate) {
        return rounds.stream()
                .mapToDouble(round -> lostSeconds(receivingSeconds(round), round.bytes(), rate))
                .sum();
    }

    /** Returns the time that a round took longer than at a rate; rounding must not make the fastest round negative. */
    static double lostSeconds(double seconds, long bytes, double rate) {
        return Math.max(0, seconds - bytes / rate);
    }
}
