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

/** Measures the limit of the stages: their bytes copied within memory, in one block. */
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

    /** Copies text of 500 bytes per point, the input of a parser. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public byte[] text500() {
        System.arraycopy(text, 0, textCopy, 0, text.length);
        return textCopy;
    }

    /** Copies text of 346 bytes per point. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public byte[] text346() {
        System.arraycopy(shortText, 0, shortTextCopy, 0, shortText.length);
        return shortTextCopy;
    }

    /** Copies the records of the 500-byte points, the input of every stage after the parser. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public UnsafeBuffer records() {
        recordsCopy.putBytes(0, records.buffer(), 0, records.length());
        return recordsCopy;
    }

    /** Copies the records of the 346-byte points. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public UnsafeBuffer records346() {
        shortRecordsCopy.putBytes(0, shortRecords.buffer(), 0, shortRecords.length());
        return shortRecordsCopy;
    }
}
