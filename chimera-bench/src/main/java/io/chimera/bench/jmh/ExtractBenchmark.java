package io.chimera.bench.jmh;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
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
    private final BodyReader body = new BodyReader();

    /** Walks every tag and field of every record in place. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public double scan() {
        double sum = 0;
        body.wrap(records.buffer(), 0, records.length());
        while (body.nextRecord()) {
            SeriesFlyweight series = body.seriesOfRecord();
            int tag = series.firstTag();
            for (int i = series.tagCount(); i > 0; i--) {
                sum += series.sizeAt(series.tagValue(tag));
                tag = series.nextTag(tag);
            }
            FieldsFlyweight fields = body.fieldsOfRecord();
            int field = fields.first();
            for (int i = 0; i < fields.count(); i++) {
                sum += body.record().asDouble(i, fields.type(field));
                field = fields.next(field);
            }
        }
        return sum;
    }

    /** Checks every length of every entry, as is done once with bytes that come from a peer. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int check() {
        int whole = 0;
        body.wrap(records.buffer(), 0, records.length());
        while (body.nextRecord()) {
            whole++;
        }
        if (whole != POINTS) {
            throw new IllegalStateException("Record " + whole + " is not whole.");
        }
        return whole;
    }
}
