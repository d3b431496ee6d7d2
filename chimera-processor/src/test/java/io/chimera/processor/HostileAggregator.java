package io.chimera.processor;

import io.chimera.api.spi.Aggregator;

/** A sum that throws at some values, after changing its state, and at some results. */
public final class HostileAggregator implements Aggregator<HostileAggregator.Sum> {
    static final double THROWS = 666;
    static final double OVERFLOWS_THE_STACK = 667;
    static final double FILLS_THE_HEAP = 668;

    /** The next value after this value throws. */
    static final double ARMS = 13;

    /** The result of this sum throws. */
    static final double HAS_NO_RESULT = 1000;

    /** State of the aggregator. */
    public static final class Sum {
        double value;
        boolean isArmed;
    }

    @Override
    public String name() {
        return "hostile";
    }

    @Override
    public Sum create() {
        return new Sum();
    }

    @Override
    public void fold(Sum state, double value, long timeNs) {
        boolean wasArmed = state.isArmed;
        state.isArmed = value == ARMS;
        state.value += value;
        if (value == THROWS || wasArmed) {
            throw new IllegalStateException("hostile to " + value);
        }
        if (value == OVERFLOWS_THE_STACK) {
            fold(state, value, timeNs);
        }
        if (value == FILLS_THE_HEAP) {
            throw new OutOfMemoryError("hostile to " + value);
        }
    }

    @Override
    public void merge(Sum into, Sum from) {
        into.value += from.value;
        into.isArmed = from.isArmed;
    }

    @Override
    public double result(Sum state) {
        if (state.value == HAS_NO_RESULT) {
            throw new IllegalStateException("no result");
        }
        return state.value;
    }
}
