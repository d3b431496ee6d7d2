package io.chimera.common.composition;

import io.chimera.api.spi.PointBuilder;

/** A point that leaves by a gate from which nobody takes: nothing is built, so that a gate that is not used costs nothing. */
enum UntakenPoint implements PointBuilder {
    /** The only one: it holds nothing. */
    BUILDER;

    @Override
    public PointBuilder series() {
        return this;
    }

    @Override
    public PointBuilder metric(CharSequence metric) {
        return this;
    }

    @Override
    public PointBuilder tag(CharSequence name, CharSequence value) {
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, double value) {
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, long value) {
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, CharSequence value) {
        return this;
    }

    @Override
    public PointBuilder copy(CharSequence name, int index) {
        return this;
    }

    @Override
    public PointBuilder time(long timeNs) {
        return this;
    }

    @Override
    public void end() {
        // nobody takes it
    }
}
