package io.chimera.bench.jmh;

import io.chimera.api.spi.PointSink;
import io.chimera.bench.load.PointPieces;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.encode.RecordEncoder;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Measures parsed names and values written into the off-heap body of a batch. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WireEncodeBenchmark {
    private static final int POINTS = PointText.SERIES;

    /** Size of a slot between parser and journaler. */
    private static final int SLOT_LENGTH = BatchLayout.LENGTH_MAX;

    private static final long TIME_NS = 1_700_000_000_000_000_000L;

    private final PointPieces pieces = PointPieces.of(PointShape.FOUR_FIELDS, POINTS);
    private final RecordEncoder encoder = new RecordEncoder();
    private final UnsafeBuffer slot = new UnsafeBuffer(ByteBuffer.allocateDirect(SLOT_LENGTH));

    /** Encodes all points, each of another series, into one body. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int encode() {
        encoder.open(slot, 0, SLOT_LENGTH);
        for (int point = 0; point < POINTS; point++) {
            encoder.begin();
            pieces.encode(point, encoder);
            if (encoder.end(TIME_NS + point, 0) != PointSink.OK) {
                throw new IllegalStateException("A thousand points do not fit into a slot.");
            }
        }
        return encoder.position();
    }
}
