package io.chimera.processor;

import io.chimera.api.spi.Aggregator;
import java.util.Arrays;

/** Distance between the smallest and the largest value; keeps every value. */
public final class RangeAggregator implements Aggregator<RangeAggregator.Seen> {
    /** Grows with every value, so its cell outside the heap has to grow as well. */
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
