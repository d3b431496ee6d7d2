package io.chimera.bench.jmh;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the decoding of arriving bytes, at which the paper lost an order of magnitude (Chimera 2017, V-C3c): here of
 * a batch of 3,000 points of 1,000 series.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExtractBenchmark {
    private static final int POINTS = 3 * PointText.SERIES;

    private final PointRecords records = PointRecords.of(PointShape.FOUR_FIELDS, POINTS);
    private final BodyReader body = new BodyReader();

    /** Walks every entry of a batch in place, every tag of a series and every value of a record. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public double scan() {
        double sum = 0;
        body.wrap(records.buffer(), 0, records.length());
        for (int kind = body.step(); kind >= 0; kind = body.step()) {
            if (kind == BodyLayout.SERIES) {
                sum += tagsOf(body.series());
            } else if (kind == BodyLayout.RECORD) {
                sum += valuesOf(body.record(), body.fieldsOfRecord());
            }
        }
        return sum;
    }

    private static int tagsOf(SeriesFlyweight series) {
        int sum = 0;
        int tag = series.firstTag();
        for (int i = series.tagCount(); i > 0; i--) {
            sum += series.sizeAt(series.tagValue(tag));
            tag = series.nextTag(tag);
        }
        return sum;
    }

    private static double valuesOf(RecordFlyweight record, FieldsFlyweight fields) {
        double sum = 0;
        int field = fields.first();
        int count = fields.count();
        for (int i = 0; i < count; i++) {
            sum += record.asDouble(i, fields.type(field));
            field = fields.next(field);
        }
        return sum;
    }

    /** Checks every length in a batch, as a node does once with bytes from a peer. */
    @Benchmark
    @OperationsPerInvocation(POINTS)
    public int check() {
        int whole = 0;
        body.wrap(records.buffer(), 0, records.length());
        while (body.nextRecord()) {
            whole++;
        }
        if (whole != POINTS) {
            throw new IllegalStateException("Record " + whole + " is incomplete.");
        }
        return whole;
    }
}
