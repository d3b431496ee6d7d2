package io.chimera.processor;

import io.chimera.api.spi.Aggregator;

/** A plugin for tests that throws when it is told to. */
public final class TouchyAggregator implements Aggregator<TouchyAggregator.Last> {
    static boolean isTouched;

    /** The last value. */
    public static final class Last {
        double value;
    }

    @Override
    public String name() {
        return "touchy";
    }

    @Override
    public Last create() {
        return new Last();
    }

    @Override
    public void fold(Last state, double value, long timeNs) {
        if (isTouched) {
            throw new IllegalStateException("touched");
        }
        state.value = value;
    }

    @Override
    public void merge(Last into, Last from) {
        into.value = from.value;
    }

    @Override
    public double result(Last state) {
        return state.value;
    }
}
