package io.chimera.bench.jmh;

import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.parser.InfluxLineParser;
import io.chimera.queue.source.DatagramSource;
import io.chimera.queue.source.InputContext;
import io.chimera.queue.source.SourceEnvironment;
import io.chimera.queue.source.reject.DeadLetters;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.LangUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures line protocol to records in the ring (Chimera 2017, III-C1): source, parser, encoder and ring on one thread,
 * with chunks of about 64 KiB. The limit is a copy of the same text.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ParseBenchmark {
    private static final InetSocketAddress SENDER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private static final int POINTS = PointText.SERIES;
    private static final int POINTS_PER_CHUNK = 125;
    private static final int SLOTS = 8;

    private final byte[] fourFields = PointText.of(PointShape.FOUR_FIELDS).lines(POINTS);
    private final byte[] tenFields = PointText.of(PointShape.TEN_FIELDS).lines(POINTS);
    private final BatchRing ring = new BatchRing(SLOTS, BatchLayout.LENGTH_MAX);
    private final BatchRing.SlotHandler take = this::take;
    private final DatagramSource source = source(ring);
    private int points;

    private static DatagramSource source(BatchRing ring) {
        Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        SystemClock clock = new SystemClock();
        // nothing is rejected, so nothing is written
        DeadLetters deadLetters = new DeadLetters(Path.of("unused"), counters, clock);
        return new DatagramSource(
                new InputContext(
                        "bench",
                        0,
                        InfluxLineParser::new,
                        new SourceEnvironment(ring, deadLetters, counters, clock, LangUtil::rethrowUnchecked)),
                1);
    }

    /** Parses points of 500 bytes with 8 sorted tags and 4 fields. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int line500() {
        return parse(fourFields);
    }

    /** Parses points of 346 bytes with 10 unsorted tags and 10 fields. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int line346() {
        return parse(tenFields);
    }

    private int parse(byte[] text) {
        points = 0;
        int chunk = text.length / POINTS * POINTS_PER_CHUNK;
        for (int offset = 0; offset < text.length; offset += chunk) {
            source.onDatagram(text, offset, chunk, SENDER);
            source.onReadComplete();
            ring.poll(take, SLOTS);
        }
        if (points != POINTS) {
            throw new IllegalStateException(points + " of " + POINTS + " points arrived in the ring.");
        }
        return points;
    }

    private boolean take(Slot slot) {
        points += slot.count();
        return true;
    }
}
