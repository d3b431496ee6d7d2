package io.chimera.apps.trending;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PointBuilder;
import java.util.ArrayList;
import java.util.List;

/** Collects the output of a block as words. */
final class WordsOutlet implements Outlet, PointBuilder {
    private final List<String> points = new ArrayList<>();
    private final StringBuilder point = new StringBuilder();

    /** Returns the output since the previous call. */
    List<String> taken() {
        List<String> taken = List.copyOf(points);
        points.clear();
        return taken;
    }

    @Override
    public void pass(int gate) {
        throw new AssertionError("The block passes nothing on.");
    }

    @Override
    public PointBuilder point(int gate) {
        point.setLength(0);
        return this;
    }

    @Override
    public PointBuilder series() {
        throw new AssertionError("At the end of a cycle there is no point to take a series from.");
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
        point.append(' ').append(name).append('=').append(value);
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, long value) {
        point.append(' ').append(name).append('=').append(value).append('i');
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, CharSequence value) {
        throw new AssertionError("The block has no texts.");
    }

    @Override
    public PointBuilder copy(CharSequence name, int index) {
        throw new AssertionError("At the end of a cycle there is no point to take a field from.");
    }

    @Override
    public PointBuilder time(long timeNs) {
        throw new AssertionError("The block takes the time of the cycle.");
    }

    @Override
    public void end() {
        points.add(point.toString());
    }
}
