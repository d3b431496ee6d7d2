package io.chimera.dataset.plan;

import static io.chimera.dataset.plan.Strategy.COPY;
import static io.chimera.dataset.plan.Strategy.OVERLAP;
import static io.chimera.dataset.plan.Strategy.STREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Round trip 0, 20, 84 ms × source 10, 100, 1000 Mbit/s × computation 0.2, 1, 5 times the transfer. The data set takes
 * 100 s at the rate of the source, in 200 splits; storage writes and reads 500 MB/s, i.e. 25 s at 1000 Mbit/s. The
 * expected times are computed by hand in the comments; start and tail are below 2 s.
 */
final class NineSettingsTest {
    private static final double TRANSFER = 100;
    private static final long SMALL_RANGE = 125_000;

    private static Advice advise(double roundTripMs, double mbits, double computing, double busy, NodeCounts nodes) {
        double rate = mbits * 1e6 / 8;
        SourceSample source = PlanSamples.source(rate, roundTripMs, OptionalDouble.of(busy * rate));
        double perCore = rate / computing / nodes.coresPerNode();
        Measurements measured = PlanSamples.measured(source, perCore, nodes);
        return new Adviser(10).advise(PlanInput.of(PlanSamples.extent(rate * TRANSFER), measured));
    }

    private static double seconds(Advice advice, Strategy strategy) {
        return advice.prediction(strategy).orElseThrow().seconds();
    }

    /**
     * Enough ranges under way, and nothing starves reception; the data node is the worker. Stream overlaps transfer and
     * computation: max(100, computing). Copy adds the times: 100 + max(computing, read). Overlap is as fast as
     * stream, with the work of writing: stream is best in all 27 cases.
     */
    @ParameterizedTest
    @CsvSource({
        // ms, Mbit/s, computing, stream, copy
        "0,    10, 0.2, 100, 120",
        "0,    10,   1, 100, 200",
        "0,    10,   5, 500, 600",
        "0,   100, 0.2, 100, 120",
        "0,   100,   1, 100, 200",
        "0,   100,   5, 500, 600",
        "0,  1000, 0.2, 100, 125",
        "0,  1000,   1, 100, 200",
        "0,  1000,   5, 500, 600",
        "20,   10, 0.2, 100, 120",
        "20,   10,   1, 100, 200",
        "20,   10,   5, 500, 600",
        "20,  100, 0.2, 100, 120",
        "20,  100,   1, 100, 200",
        "20,  100,   5, 500, 600",
        "20, 1000, 0.2, 100, 125",
        "20, 1000,   1, 100, 200",
        "20, 1000,   5, 500, 600",
        "84,   10, 0.2, 100, 120",
        "84,   10,   1, 100, 200",
        "84,   10,   5, 500, 600",
        "84,  100, 0.2, 100, 120",
        "84,  100,   1, 100, 200",
        "84,  100,   5, 500, 600",
        "84, 1000, 0.2, 100, 125",
        "84, 1000,   1, 100, 200",
        "84, 1000,   5, 500, 600",
    })
    void streamIsBestWithoutStarvationAndWithReadAhead(
            double roundTripMs, double mbits, double computing, double stream, double copy) {
        Advice advice = advise(roundTripMs, mbits, computing, 1, PlanSamples.singleWorker(2));

        assertThat(advice.choice()).isEqualTo(STREAM);
        assertThat(seconds(advice, STREAM)).isCloseTo(stream, withinPercentage(2));
        assertThat(seconds(advice, OVERLAP)).isCloseTo(stream, withinPercentage(2));
        assertThat(seconds(advice, COPY)).isCloseTo(copy, withinPercentage(2));
        assertThat(advice.chosen().bottleneck()).isEqualTo(computing > 1 ? JobStage.COMPUTING_CPU : JobStage.SOURCE);
    }

    /**
     * Computation cuts reception to a fifth (Figure 4 of the paper: s = 0.8), 2 cores, a data node of its own. Stream
     * with shared cores: 100 + 0.8 * computing; stream with a core for reception: max(100, 2 * computing). Overlap
     * receives on the data node: max(100, computing).
     *
     * <ul>
     *   <li>Computing 20 s: shared 116, own core 100: as fast as overlap, and needs no data node.
     *   <li>Computing 100 s: shared 180, own core 200; overlap 100.
     *   <li>Computing 500 s: shared min(500, 100 / 0.2) = 500; computation is the limit of every strategy: stream.
     * </ul>
     */
    @ParameterizedTest
    @CsvSource({
        // ms, Mbit/s, computing, best, stream, copy, overlap
        "0,    10, 0.2, STREAM,  100, 120, 100",
        "0,    10,   1, OVERLAP, 180, 200, 100",
        "0,    10,   5, STREAM,  500, 600, 500",
        "0,   100, 0.2, STREAM,  100, 120, 100",
        "0,   100,   1, OVERLAP, 180, 200, 100",
        "0,   100,   5, STREAM,  500, 600, 500",
        "0,  1000, 0.2, STREAM,  100, 125, 100",
        "0,  1000,   1, OVERLAP, 180, 200, 100",
        "0,  1000,   5, STREAM,  500, 600, 500",
        "20,   10, 0.2, STREAM,  100, 120, 100",
        "20,   10,   1, OVERLAP, 180, 200, 100",
        "20,   10,   5, STREAM,  500, 600, 500",
        "20,  100, 0.2, STREAM,  100, 120, 100",
        "20,  100,   1, OVERLAP, 180, 200, 100",
        "20,  100,   5, STREAM,  500, 600, 500",
        "20, 1000, 0.2, STREAM,  100, 125, 100",
        "20, 1000,   1, OVERLAP, 180, 200, 100",
        "20, 1000,   5, STREAM,  500, 600, 500",
        "84,   10, 0.2, STREAM,  100, 120, 100",
        "84,   10,   1, OVERLAP, 180, 200, 100",
        "84,   10,   5, STREAM,  500, 600, 500",
        "84,  100, 0.2, STREAM,  100, 120, 100",
        "84,  100,   1, OVERLAP, 180, 200, 100",
        "84,  100,   5, STREAM,  500, 600, 500",
        "84, 1000, 0.2, STREAM,  100, 125, 100",
        "84, 1000,   1, OVERLAP, 180, 200, 100",
        "84, 1000,   5, STREAM,  500, 600, 500",
    })
    void overlapIsBestWhereComputationStarvesReception(
            double roundTripMs,
            double mbits,
            double computing,
            Strategy best,
            double stream,
            double copy,
            double overlap) {
        NodeCounts nodes = new NodeCounts(1, 2, 1, true, PlanSamples.MEMORY, PlanSamples.MEMORY);

        Advice advice = advise(roundTripMs, mbits, computing, 0.2, nodes);

        assertThat(advice.choice()).isEqualTo(best);
        assertThat(seconds(advice, STREAM)).isCloseTo(stream, withinPercentage(2));
        assertThat(seconds(advice, COPY)).isCloseTo(copy, withinPercentage(2));
        assertThat(seconds(advice, OVERLAP)).isCloseTo(overlap, withinPercentage(2));
        Prediction streamed = advice.prediction(STREAM).orElseThrow();
        assertThat(streamed.receivingCores()).isEqualTo(computing < 1 ? 1 : 0);
        assertThat(streamed.bottleneck())
                .isEqualTo(
                        computing < 1
                                ? JobStage.SOURCE
                                : computing > 1 ? JobStage.COMPUTING_CPU : JobStage.RECEIVING_CPU);
    }

    /**
     * The application of the paper: a worker has a single range of 125 kB under way, so that a round trip passes for
     * each range; data nodes copy with enough ranges, and are the workers. Stream and overlap transfer for
     * 100 s * (1 + roundTrip * rate / 125 kB):
     *
     * <pre>
     *           10 Mbit/s             100 Mbit/s           1000 Mbit/s
     * 20 ms     100 * 1.2  = 120      100 * 3.0 = 300      100 * 21 = 2100
     * 84 ms     100 * 1.84 = 184      100 * 9.4 = 940      100 * 85 = 8500
     * </pre>
     *
     * <p>Copy is best where max(transfer, computing) is more than 100 + max(computing, read).
     */
    @ParameterizedTest
    @CsvSource({
        // ms, Mbit/s, computing, best, stream, copy
        "0,    10, 0.2, STREAM,  100, 120",
        "0,    10,   1, STREAM,  100, 200",
        "0,    10,   5, STREAM,  500, 600",
        "0,   100, 0.2, STREAM,  100, 120",
        "0,   100,   1, STREAM,  100, 200",
        "0,   100,   5, STREAM,  500, 600",
        "0,  1000, 0.2, STREAM,  100, 125",
        "0,  1000,   1, STREAM,  100, 200",
        "0,  1000,   5, STREAM,  500, 600",
        "20,   10, 0.2, STREAM,  120, 120",
        "20,   10,   1, STREAM,  120, 200",
        "20,   10,   5, STREAM,  500, 600",
        "20,  100, 0.2, COPY,    300, 120",
        "20,  100,   1, COPY,    300, 200",
        "20,  100,   5, STREAM,  500, 600",
        "20, 1000, 0.2, COPY,   2100, 125",
        "20, 1000,   1, COPY,   2100, 200",
        "20, 1000,   5, COPY,   2100, 600",
        "84,   10, 0.2, COPY,    184, 120",
        "84,   10,   1, STREAM,  184, 200",
        "84,   10,   5, STREAM,  500, 600",
        "84,  100, 0.2, COPY,    940, 120",
        "84,  100,   1, COPY,    940, 200",
        "84,  100,   5, COPY,    940, 600",
        "84, 1000, 0.2, COPY,   8500, 125",
        "84, 1000,   1, COPY,   8500, 200",
        "84, 1000,   5, COPY,   8500, 600",
    })
    void copyIsBestWhereStreamWaitsForEachRange(
            double roundTripMs, double mbits, double computing, Strategy best, double stream, double copy) {
        NodeCounts nodes = new NodeCounts(1, 2, 1, false, SMALL_RANGE, PlanSamples.MEMORY);

        Advice advice = advise(roundTripMs, mbits, computing, 1, nodes);

        assertThat(advice.choice()).isEqualTo(best);
        assertThat(seconds(advice, STREAM)).isCloseTo(stream, withinPercentage(2));
        assertThat(seconds(advice, OVERLAP)).isCloseTo(stream, withinPercentage(2));
        assertThat(seconds(advice, COPY)).isCloseTo(copy, withinPercentage(2));
    }
}
