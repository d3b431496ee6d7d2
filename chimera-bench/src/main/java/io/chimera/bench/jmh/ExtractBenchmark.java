package io.chimera.bench.jmh;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.common.wire.RecordFlyweight;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the paper lost an order of magnitude at (Chimera 2017, V-C3c): making sense of the bytes that arrive. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExtractBenchmark {
    private static final int POINTS = PointText.SERIES;

    private final PointRecords records = PointRecords.of(PointShape.FOUR_FIELDS, POINTS);
    private final RecordFlyweight record = new RecordFlyweight();

    /** Walks every tag and field of every record in place. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public double scan() {
        double sum = 0;
        for (int position = 0; position < records.length(); position += record.length()) {
            record.wrap(records.buffer(), position);
            int tag = record.firstTag();
            for (int i = record.tagCount(); i > 0; i--) {
                sum += record.sizeAt(record.tagValue(tag));
                tag = record.nextTag(tag);
            }
            int field = record.firstField();
            for (int i = record.fieldCount(); i > 0; i--) {
                sum += record.fieldAsDouble(field);
                field = record.nextField(field);
            }
        }
        return sum;
    }

    /** Checks every length of every record, as is done once with bytes that come from a peer. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int check() {
        int whole = 0;
        int position = 0;
        while (position < records.length()
                && record.wrap(records.buffer(), position).isWhole(records.length() - position)) {
            whole++;
            position += record.length();
        }
        if (whole != POINTS) {
            throw new IllegalStateException("Record " + whole + " is not whole.");
        }
        return whole;
    }
}
