package io.chimera.faults.sim.world;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A block with state. At the end of each cycle, for each metric and group, or series when the second key is the series,
 * the block emits the number of points in a sliding window of cycles and a number that depends on all points and on
 * their order.
 */
public final class SlidingType implements TransformType {
    /** Separator between metric and key; occurs in no name. */
    private static final String SEPARATOR = "\n";

    private final long windowMs;
    private final SimLayout layout;

    SlidingType(long windowMs, SimLayout layout) {
        this.windowMs = windowMs;
        this.layout = layout;
    }

    @Override
    public String name() {
        return "sliding";
    }

    @Override
    public Duration horizon(PluginContext context) {
        return Duration.ofMillis(windowMs);
    }

    @Override
    public Transform create(PluginContext context) {
        return new Sliding(windowMs, layout);
    }

    /** Returns a number that depends on the numbers and on their order. */
    public static long digest(long digest, long number) {
        return (31 * digest + number + 1) % 1_000_003;
    }

    private static final class Sliding implements Transform {
        private final long windowMs;
        private final SimLayout layout;
        private final Map<String, Deque<Bucket>> windows = new TreeMap<>();
        private final Map<String, List<Long>> arrived = new TreeMap<>();

        private record Bucket(long timeMs, List<Long> numbers) {}

        Sliding(long windowMs, SimLayout layout) {
            this.windowMs = windowMs;
            this.layout = layout;
        }

        @Override
        public void apply(PointView point, Outlet out) {
            String key = point.metric() + SEPARATOR + point.tag(point.key() == 0 ? layout.group() : layout.series());
            arrived.computeIfAbsent(key, group -> new ArrayList<>()).add(point.whole(0));
        }

        @Override
        public void endCycle(long timeNs, Outlet out) {
            long timeMs = TimeUnit.NANOSECONDS.toMillis(timeNs);
            arrived.forEach((key, numbers) -> windows.computeIfAbsent(key, group -> new ArrayDeque<>())
                    .add(new Bucket(timeMs, List.copyOf(numbers))));
            arrived.clear();
            for (Iterator<Map.Entry<String, Deque<Bucket>>> all =
                            windows.entrySet().iterator();
                    all.hasNext(); ) {
                Map.Entry<String, Deque<Bucket>> window = all.next();
                window.getValue().removeIf(bucket -> bucket.timeMs <= timeMs - windowMs);
                if (window.getValue().isEmpty()) {
                    all.remove();
                } else {
                    emit(window.getKey().split(SEPARATOR, -1), window.getValue(), out);
                }
            }
        }

        private void emit(String[] key, Deque<Bucket> window, Outlet out) {
            long count = 0;
            long digest = 0;
            for (Bucket bucket : window) {
                for (long number : bucket.numbers) {
                    count++;
                    digest = digest(digest, number);
                }
            }
            out.point(0)
                    .metric(key[0])
                    .tag(layout.group(), key[1])
                    .field("count", count)
                    .field("digest", digest)
                    .end();
        }
    }
}
