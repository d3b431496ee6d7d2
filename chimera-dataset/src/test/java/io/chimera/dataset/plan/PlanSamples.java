package io.chimera.dataset.plan;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;

/** Measurements for tests: simple defaults to change, and random measurements from a seed. */
final class PlanSamples {
    static final long MEMORY = 64L << 20;

    private PlanSamples() {}

    static OptionalDouble rate(double value) {
        return OptionalDouble.of(value);
    }

    /** A source with the same rate for each number of connections. */
    static SourceSample source(double rate, double roundTripMs, OptionalDouble busy) {
        List<ConnectionRate> rates = List.of(
                new ConnectionRate(1, rate),
                new ConnectionRate(2, rate),
                new ConnectionRate(4, rate),
                new ConnectionRate(8, rate));
        return new SourceSample(
                "http://source", Duration.ofNanos((long) (roundTripMs * 1e6)), rates, busy, OptionalDouble.empty());
    }

    static Measurements measured(SourceSample source, double bytesPerCoreSecond, NodeCounts nodes) {
        return new Measurements(
                List.of(source),
                new ComputationSample(bytesPerCoreSecond / 100, 100),
                StorageSample.of(500e6, 500e6),
                nodes,
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    /** A worker with some cores and data node on the worker. */
    static NodeCounts singleWorker(int cores) {
        return new NodeCounts(1, cores, 1, false, MEMORY, MEMORY);
    }

    static DataSetExtent extent(double bytes) {
        return new DataSetExtent((long) bytes, (long) (bytes / 200), 0);
    }

    /** A random job: 1 to 4 sources, 1 to 8 workers with 1 to 8 cores, up to 3 data nodes, rates over three decades. */
    static PlanInput random(RandomGenerator random) {
        int workers = 1 + random.nextInt(8);
        NodeCounts nodes = new NodeCounts(
                workers,
                1 + random.nextInt(8),
                Math.min(workers, random.nextInt(4)),
                random.nextBoolean(),
                1L << (18 + random.nextInt(10)),
                1L << (22 + random.nextInt(6)));
        SourceSample[] sources = new SourceSample[1 + random.nextInt(4)];
        double best = decades(random, 1e6, 3);
        for (int i = 0; i < sources.length; i++) {
            double rate = best * (0.5 + random.nextDouble());
            List<ConnectionRate> rates = List.of(
                    new ConnectionRate(1, rate * (0.2 + 0.8 * random.nextDouble())), new ConnectionRate(4, rate));
            sources[i] = new SourceSample(
                    "http://source" + i,
                    Duration.ofMillis(random.nextInt(100)),
                    rates,
                    maybe(random, rate * random.nextDouble()),
                    maybe(random, rate * (1 + 8 * random.nextDouble())));
        }
        Measurements measured = new Measurements(
                List.of(sources),
                new ComputationSample(decades(random, 1e3, 3), 100),
                new StorageSample(maybe(random, decades(random, 1e7, 2)), maybe(random, decades(random, 1e7, 2))),
                nodes,
                maybe(random, decades(random, 1e6, 3)),
                maybe(random, decades(random, 1e8, 1)));
        long bytes = (long) (best * (100 + random.nextInt(1_000)));
        return new PlanInput(
                new DataSetExtent(bytes, bytes / (100 + random.nextInt(900)), 0),
                measured,
                new Prices(0.06, 0.095, 0.02, "USD"),
                JobLimits.NONE,
                FailureRisk.NONE,
                Duration.ZERO);
    }

    private static double decades(RandomGenerator random, double from, int decades) {
        return from * Math.pow(10, decades * random.nextDouble());
    }

    private static OptionalDouble maybe(RandomGenerator random, double value) {
        return random.nextInt(4) == 0 ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** The measurements with each rate wrong by up to a share, e.g. 0.2 for 20 %. */
    static Measurements noisy(Measurements truth, RandomGenerator random, double share) {
        List<SourceSample> sources = truth.sources().stream()
                .map(source -> {
                    double factor = noise(random, share);
                    return new SourceSample(
                            source.place(),
                            source.roundTrip(),
                            source.rates().stream()
                                    .map(rate -> new ConnectionRate(rate.connections(), rate.bytesPerSecond() * factor))
                                    .toList(),
                            noisy(source.busyBytesPerSecond(), random, share),
                            noisy(source.totalBytesPerSecond(), random, share));
                })
                .toList();
        ComputationSample computation = truth.computation();
        return new Measurements(
                sources,
                new ComputationSample(
                        computation.eventsPerCoreSecond() * noise(random, share), computation.bytesPerEvent()),
                new StorageSample(
                        noisy(truth.storage().writeBytesPerSecond(), random, share),
                        noisy(truth.storage().readBytesPerSecond(), random, share)),
                truth.nodes(),
                noisy(truth.networkBytesPerSecond(), random, share),
                noisy(truth.receivingBytesPerCoreSecond(), random, share));
    }

    static OptionalDouble noisy(OptionalDouble value, RandomGenerator random, double share) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * noise(random, share)) : value;
    }

    static double noise(RandomGenerator random, double share) {
        return 1 - share + 2 * share * random.nextDouble();
    }
}
