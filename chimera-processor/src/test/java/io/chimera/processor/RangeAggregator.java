package io.chimera.processor;

import io.chimera.api.spi.Aggregator;
import java.util.Arrays;

/** A plugin for tests: the distance between the least and the greatest of the values, of which it keeps every one. */
public final class RangeAggregator implements Aggregator<RangeAggregator.Seen> {
    /** Grows with every value, so that its place outside the heap has to grow too. */
    public static final class Seen {
        double[] values = new double[0];
    }

    @Override
    public String name() {
        return "range";
    }

    @Override
    public Seen create() {
        return new Seen();
    }

    @Override
    public void fold(Seen state, double value, long timeNs) {
        double[] more = Arrays.copyOf(state.values, state.values.length + 1);
        more[more.length - 1] = value;
        state.values = more;
    }

    @Override
    public void merge(Seen into, Seen from) {
        for (double value : from.values) {
            fold(into, value, 0);
        }
    }

    @Override
    public double result(Seen state) {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (double value : state.values) {
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        return max - min;
    }
}
