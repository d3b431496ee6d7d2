package io.chimera.bench.peers.flink;

import io.chimera.bench.peers.job.Aggregate;
import io.chimera.bench.peers.job.Point;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.java.tuple.Tuple3;

/** Aggregates points of a key and window in place. */
final class Fold implements AggregateFunction<Tuple3<String, Long, double[]>, Aggregate, Aggregate> {
    private final String[] fields;

    Fold(String[] fields) {
        this.fields = fields;
    }

    @Override
    public Aggregate createAccumulator() {
        return new Aggregate();
    }

    @Override
    public Aggregate add(Tuple3<String, Long, double[]> point, Aggregate aggregate) {
        aggregate.add(new Point(point.f0, point.f1, fields, point.f2));
        return aggregate;
    }

    @Override
    public Aggregate getResult(Aggregate aggregate) {
        return aggregate;
    }

    @Override
    public Aggregate merge(Aggregate one, Aggregate other) {
        one.add(other);
        return one;
    }
}
