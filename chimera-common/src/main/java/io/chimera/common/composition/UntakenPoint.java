package io.chimera.common.composition;

import io.chimera.api.spi.PointBuilder;

/** Point builder for a gate without consumers; builds nothing, so an unused gate costs nothing. */
enum UntakenPoint implements PointBuilder {
    /** Only instance; stateless. */
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
        // no consumer
    }
}
