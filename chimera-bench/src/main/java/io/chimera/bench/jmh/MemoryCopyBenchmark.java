package io.chimera.bench.jmh;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
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

/** The limit that stages are compared with: their bytes copied from one place in memory to another, in one block. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MemoryCopyBenchmark {
    private static final int POINTS = PointText.SERIES;

    private final byte[] text = PointText.of(PointShape.FOUR_FIELDS).lines(POINTS);
    private final byte[] textCopy = new byte[text.length];
    private final byte[] shortText = PointText.of(PointShape.TEN_FIELDS).lines(POINTS);
    private final byte[] shortTextCopy = new byte[shortText.length];
    private final PointRecords records = PointRecords.of(PointShape.FOUR_FIELDS, POINTS);
    private final UnsafeBuffer recordsCopy = new UnsafeBuffer(ByteBuffer.allocateDirect(records.length()));
    private final PointRecords shortRecords = PointRecords.of(PointShape.TEN_FIELDS, POINTS);
    private final UnsafeBuffer shortRecordsCopy = new UnsafeBuffer(ByteBuffer.allocateDirect(shortRecords.length()));

    /** 500 bytes per point, as a parser reads them. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public byte[] text500() {
        System.arraycopy(text, 0, textCopy, 0, text.length);
        return textCopy;
    }

    /** 346 bytes per point. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public byte[] text346() {
        System.arraycopy(shortText, 0, shortTextCopy, 0, shortText.length);
        return shortTextCopy;
    }

    /** The records of the 500-byte points, as every stage behind the parser reads them. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public UnsafeBuffer records() {
        recordsCopy.putBytes(0, records.buffer(), 0, records.length());
        return recordsCopy;
    }

    /** The records of the 346-byte points. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public UnsafeBuffer records346() {
        shortRecordsCopy.putBytes(0, shortRecords.buffer(), 0, shortRecords.length());
        return shortRecordsCopy;
    }
}
