package io.chimera.api.kit;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PointBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Keeps what a block emits, as texts that can be compared: {@code <gate>: <point>}. */
public final class KitOutlet implements Outlet {
    private final List<String> emitted = new ArrayList<>();
    private final int gates;
    private KitPoint given;
    private long timeNs;
    private boolean isOpen;

    /**
     * An outlet.
     *
     * @param gates number of the block's gates
     */
    public KitOutlet(int gates) {
        this.gates = gates;
    }

    /** What was emitted so far, in its order. */
    public List<String> emitted() {
        return emitted;
    }

    void begin(KitPoint point, long newTimeNs) {
        given = point;
        timeNs = newTimeNs;
        isOpen = true;
    }

    void end() {
        isOpen = false;
    }

    private void check(int gate) {
        if (!isOpen) {
            throw new IllegalStateException("The outlet is used outside of a call of the block.");
        }
        if (gate < 0 || gate >= gates) {
            throw new IllegalArgumentException("There is no gate " + gate + "; the block declares " + gates + ".");
        }
    }

    @Override
    public void pass(int gate) {
        check(gate);
        if (given == null) {
            throw new IllegalStateException("There is no point to pass at the end of a cycle.");
        }
        emitted.add(gate + ": " + given);
    }

    @Override
    public PointBuilder point(int gate) {
        check(gate);
        return new Builder(gate);
    }

    private final class Builder implements PointBuilder {
        private final int gate;
        private final Map<String, String> tags = new TreeMap<>();
        private final Map<String, Object> fields = new LinkedHashMap<>();
        private String metric = "";
        private long pointNs = timeNs;

        Builder(int gate) {
            this.gate = gate;
        }

        @Override
        public PointBuilder series() {
            if (given != null) {
                metric = given.metric().toString();
                tags.putAll(given.tagMap());
            }
            return this;
        }

        @Override
        public PointBuilder metric(CharSequence newMetric) {
            metric = newMetric.toString();
            return this;
        }

        @Override
        public PointBuilder tag(CharSequence name, CharSequence value) {
            if (name.length() == 0 || value.length() == 0) {
                throw new IllegalArgumentException("a tag without name or value");
            }
            tags.put(name.toString(), value.toString());
            return this;
        }

        @Override
        public PointBuilder field(CharSequence name, double value) {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("the field " + name + " is not finite");
            }
            return put(name, value);
        }

        @Override
        public PointBuilder field(CharSequence name, long value) {
            return put(name, value);
        }

        @Override
        public PointBuilder field(CharSequence name, CharSequence value) {
            return put(name, value.toString());
        }

        @Override
        public PointBuilder copy(CharSequence name, int index) {
            if (given == null) {
                throw new IllegalStateException("There is no point at the end of a cycle.");
            }
            return put(name, given.value(index));
        }

        private PointBuilder put(CharSequence name, Object value) {
            if (name.length() == 0) {
                throw new IllegalArgumentException("a field without a name");
            }
            fields.put(name.toString(), value);
            return this;
        }

        @Override
        public PointBuilder time(long newTimeNs) {
            pointNs = newTimeNs;
            return this;
        }

        @Override
        public void end() {
            check(gate);
            if (metric.isEmpty() || fields.isEmpty()) {
                throw new IllegalArgumentException("a point without metric or field");
            }
            KitPoint point = KitPoint.of(metric, pointNs);
            tags.forEach(point::tag);
            fields.forEach(point::field);
            emitted.add(gate + ": " + point);
        }
    }
}
