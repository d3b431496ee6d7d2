package io.chimera.common.composition.block;

import io.chimera.api.ColdPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.HistogramWriter;
import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointBuilder;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * {@code increase}: turns counters that only grow into what they grew by since the last point of their series: the
 * field {@code total} into {@code delta}, the field {@code histogram_total} into {@code histogram}. A smaller value, or
 * a later {@code start_ms}, is a restart of the sender: the whole value is the increase. All other fields pass. A point
 * that is not later than the last one of its series leaves at {@code late}, unchanged.
 */
final class IncreaseType implements TransformType {
    private static final String TOTAL = "total";
    private static final String HISTOGRAM_TOTAL = "histogram_total";
    private static final String START = "start_ms";
    private static final int OUT = 0;
    private static final int LATE = 1;
    private static final Duration STALENESS_DEFAULT = Duration.ofMinutes(10);

    /** The increase of the first value of a series, which says nothing about the time before. */
    enum First {
        /** No field: the series has no increase yet. */
        NONE,
        /** 0, so that the series has a row from its first point on. */
        ZERO,
        /** The value, for counters that begin with their series. */
        VALUE
    }

    /**
     * Settings.
     *
     * @param staleness a series without a point for longer than this begins again, by the times of its points and by
     *     those of the cycles; so does a series whose next point is older by more than this
     * @param first increase of the first value: none, zero or value
     */
    record Settings(Duration staleness, String first) {
        Settings {
            staleness = staleness == null ? STALENESS_DEFAULT : staleness;
            first = first == null ? "none" : first;
            if (staleness.isNegative() || staleness.isZero()) {
                throw new IllegalArgumentException("staleness is " + staleness + "; expected a time such as 10m");
            }
            if (!List.of("none", "zero", "value").contains(first)) {
                throw new IllegalArgumentException("first is " + first + "; expected none, zero or value");
            }
        }
    }

    IncreaseType() {}

    @Override
    public String name() {
        return "increase";
    }

    @Override
    public Class<? extends Record> settings() {
        return Settings.class;
    }

    @Override
    public List<String> gates(PluginContext context) {
        return List.of("out", "late");
    }

    @Override
    public Duration horizon(PluginContext context) {
        return context.settings(Settings.class).staleness();
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.BY_KEY;
    }

    @Override
    public Transform create(PluginContext context) {
        return new Increase(context.settings(Settings.class));
    }

    /** The series of a partition. Allocates for new series and larger histograms. */
    private static final class Increase implements Transform {
        private final long stalenessNs;
        private final First first;
        private final Long2ObjectHashMap<CounterState> series = new Long2ObjectHashMap<>();
        private final byte[] histogram = new byte[HistogramWriter.LENGTH_MAX];

        Increase(Settings settings) {
            stalenessNs = settings.staleness().toNanos();
            first = First.valueOf(settings.first().toUpperCase(Locale.ROOT));
        }

        @Override
        public void apply(PointView point, Outlet out) {
            int total = point.field(TOTAL);
            int histogramTotal = point.field(HISTOGRAM_TOTAL);
            if (total < 0 && histogramTotal < 0) {
                out.pass(OUT);
                return;
            }
            CounterState state = stateOf(point);
            boolean isFirst = state.timeNs() == Long.MIN_VALUE;
            long laterNs = isFirst ? 0 : point.timeNs() - state.timeNs();
            if (!isFirst && laterNs <= 0 && laterNs >= -stalenessNs) {
                out.pass(LATE);
                return;
            }
            if (Math.abs(laterNs) > stalenessNs) {
                state.forget();
            }
            int start = point.field(START);
            boolean isSame = state.advance(point.timeNs(), start < 0 ? Long.MIN_VALUE : point.whole(start));
            PointBuilder built = out.point(OUT).series();
            int added = 0;
            for (int i = 0; i < point.fields(); i++) {
                if (i == total) {
                    added += number(state, point, i, isSame, built);
                } else if (i == histogramTotal) {
                    added += histogram(state, point, i, isSame, built);
                } else if (i != start) {
                    built.copy(point.fieldName(i), i);
                    added++;
                }
            }
            if (added > 0) {
                built.end();
            }
        }

        private CounterState stateOf(PointView point) {
            long key = CounterState.hash(point);
            CounterState state = series.get(key);
            while (state != null && !state.isOf(point)) {
                state = series.get(++key); // another series with the same hash
            }
            return state == null ? begin(key, point) : state;
        }

        @ColdPath
        private CounterState begin(long key, PointView point) {
            CounterState state = new CounterState(point);
            series.put(key, state);
            return state;
        }

        private int number(CounterState state, PointView point, int field, boolean isSame, PointBuilder built) {
            FieldType type = point.fieldType(field);
            double value = point.number(field);
            if (Double.isNaN(value)) {
                return 0;
            }
            int added = 1;
            if (!state.hasNumber()) {
                added = addFirst(type, point, field, built);
            } else if (type == FieldType.LONG && (!isSame || state.isLong())) {
                built.field("delta", isSame ? state.whole(point.whole(field)) : point.whole(field));
            } else {
                double delta = isSame ? state.number(value) : value;
                if (Double.isFinite(delta)) {
                    built.field("delta", delta);
                } else {
                    added = 0;
                }
            }
            state.keep(type, type == FieldType.DOUBLE ? Double.doubleToRawLongBits(value) : point.whole(field));
            return added;
        }

        private int addFirst(FieldType type, PointView point, int field, PointBuilder built) {
            boolean isLong = type == FieldType.LONG;
            switch (first) {
                case NONE -> {
                    return 0;
                }
                case ZERO -> {
                    if (isLong) {
                        built.field("delta", 0L);
                    } else {
                        built.field("delta", 0.0);
                    }
                }
                case VALUE -> {
                    if (isLong) {
                        built.field("delta", point.whole(field));
                    } else {
                        built.field("delta", point.number(field));
                    }
                }
            }
            return 1;
        }

        private int histogram(CounterState state, PointView point, int field, boolean isSame, PointBuilder built) {
            int length = point.histogram(field, histogram);
            if (length == 0) {
                return 0;
            }
            int added = 0;
            if (state.hasHistogram() && isSame) {
                byte[] increase = state.increase(histogram, length);
                built.histogram("histogram", increase, state.increaseLength());
                added = 1;
            } else if (state.hasHistogram() || first == First.VALUE) {
                built.histogram("histogram", histogram, length);
                added = 1;
            }
            state.keep(histogram, length);
            return added;
        }

        /**
         * Removes series without a point in the cycles of the staleness. Points may be older than their cycles, so the
         * times of points do not count here.
         */
        @Override
        public void endCycle(long timeNs, Outlet out) {
            boolean isAnyStale = false;
            Iterator<CounterState> states = series.values().iterator();
            while (states.hasNext()) {
                isAnyStale |= states.next().endCycle(timeNs) > stalenessNs;
            }
            if (isAnyStale) {
                sweep(timeNs);
            }
        }

        @ColdPath
        private void sweep(long timeNs) {
            List<CounterState> kept = series.values().stream()
                    .filter(state -> state.endCycle(timeNs) <= stalenessNs)
                    .toList();
            series.clear();
            for (CounterState state : kept) { // again from the first place, because probes must find no gap
                long key = state.hash();
                while (series.containsKey(key)) {
                    key++;
                }
                series.put(key, state);
            }
        }
    }
}
