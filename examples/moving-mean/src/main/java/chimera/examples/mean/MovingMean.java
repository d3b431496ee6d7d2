package chimera.examples.mean;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Mean of a field over the window that ends with each point, per series. The state reaches back one window, so a
 * processor that takes over a partition rebuilds the state from the points of the last window.
 */
public final class MovingMean implements TransformType {
    /**
     * Configuration of the block.
     *
     * @param field name of the field
     * @param window length of the window
     * @param points maximum number of points per series; the oldest points are dropped first
     */
    public record Settings(String field, Duration window, Integer points) {
        /** Sets defaults and checks the values. */
        public Settings {
            field = field == null ? "value" : field;
            window = window == null ? Duration.ofMinutes(1) : window;
            points = points == null ? 1_000 : points;
            if (window.isNegative() || window.isZero()) {
                throw new IllegalArgumentException("window is " + window + "; expected a time such as 1m");
            }
            if (points < 1) {
                throw new IllegalArgumentException("points is " + points + "; expected 1 or more");
            }
        }
    }

    /** Called by the ServiceLoader. */
    public MovingMean() {}

    @Override
    public String name() {
        return "moving_mean";
    }

    @Override
    public Class<? extends Record> settings() {
        return Settings.class;
    }

    @Override
    public Duration horizon(PluginContext context) {
        return context.settings(Settings.class).window();
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.BY_KEY;
    }

    @Override
    public Transform create(PluginContext context) {
        return new Mean(context.settings(Settings.class));
    }

    private static final class Mean implements Transform {
        private final Settings settings;
        private final String name;
        private final Map<String, Window> series = new HashMap<>();

        Mean(Settings settings) {
            this.settings = settings;
            name = settings.field() + "_mean";
        }

        @Override
        public void apply(PointView point, Outlet out) {
            int field = point.field(settings.field());
            if (field < 0 || Double.isNaN(point.number(field))) {
                return;
            }
            Window window = series.computeIfAbsent(key(point), unseen -> new Window(settings));
            out.point(0).series().field(name, window.add(point.timeNs(), point.number(field))).end();
        }

        private static String key(PointView point) {
            StringBuilder key = new StringBuilder(point.metric());
            for (int i = 0; i < point.tags(); i++) {
                key.append('\0').append(point.tagName(i)).append('\0').append(point.tagValue(i));
            }
            return key.toString();
        }

        /** Removes series without a point within the window. */
        @Override
        public void endCycle(long timeNs, Outlet out) {
            Iterator<Window> windows = series.values().iterator();
            while (windows.hasNext()) {
                if (windows.next().endsBefore(timeNs)) {
                    windows.remove();
                }
            }
        }
    }
}
