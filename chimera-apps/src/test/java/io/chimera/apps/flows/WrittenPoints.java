package io.chimera.apps.flows;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PointBuilder;
import java.util.ArrayList;
import java.util.List;

/** Collects the output of a block as text. */
final class WrittenPoints implements Outlet, PointBuilder {
    final List<String> points = new ArrayList<>();
    private final StringBuilder point = new StringBuilder();

    @Override
    public void pass(int gate) {
        points.add("passed by " + gate);
    }

    @Override
    public PointBuilder point(int gate) {
        point.setLength(0);
        return this;
    }

    @Override
    public PointBuilder series() {
        throw new UnsupportedOperationException();
    }

    @Override
    public PointBuilder metric(CharSequence metric) {
        point.append(metric);
        return this;
    }

    @Override
    public PointBuilder tag(CharSequence name, CharSequence value) {
        point.append(',').append(name).append('=').append(value);
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, double value) {
        return field(name, Double.toString(value));
    }

    @Override
    public PointBuilder field(CharSequence name, long value) {
        return field(name, Long.toString(value));
    }

    @Override
    public PointBuilder field(CharSequence name, CharSequence value) {
        point.append(' ').append(name).append('=').append(value);
        return this;
    }

    @Override
    public PointBuilder copy(CharSequence name, int index) {
        throw new UnsupportedOperationException();
    }

    @Override
    public PointBuilder time(long timeNs) {
        return this;
    }

    @Override
    public void end() {
        points.add(point.toString());
    }
}
