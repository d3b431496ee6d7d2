package chimera.examples.mean;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The mean of a field over the window that ends with each point, of each series by itself. What it keeps reaches back as far as the
 * window, so a processor that takes a partition over builds it again from the points of so long.
 */
public final class MovingMean implements TransformType {
    /**
     * The keys of the block.
     *
     * @param field whose mean is taken
     * @param window how far back
     * @param points the most points of a series that are kept; the oldest go first
     */
    public record Settings(String field, Duration window, Integer points) {
        /** Fills in the defaults. */
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

    /** For the ServiceLoader. */
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

        /** A series of which nothing came for a window is forgotten. */
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
