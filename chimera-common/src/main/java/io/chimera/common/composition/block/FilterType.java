package io.chimera.common.composition.block;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.util.List;
import java.util.Map;

/**
 * {@code keep} and {@code drop}: {@code keep} emits matching points at {@code out} and other points at {@code rest};
 * {@code drop} does the reverse. A point matches if its metric matches the pattern and every configured tag exists with
 * a matching value.
 */
final class FilterType implements TransformType {
    private static final int OUT_GATE = 0;
    private static final int REST_GATE = 1;

    private final String name;
    private final int matching;
    private final int others;

    /**
     * Settings.
     *
     * @param metric pattern of the whole metric, with * for any text; null matches any metric
     * @param tags patterns of values, by tag name
     */
    record Settings(String metric, Map<String, String> tags) {
        Settings {
            metric = metric == null ? "*" : metric;
            tags = tags == null ? Map.of() : Map.copyOf(tags);
            if (metric.equals("*") && tags.isEmpty()) {
                throw new IllegalArgumentException("every point matches; set metric or tags");
            }
        }
    }

    private FilterType(String name, int matching, int others) {
        this.name = name;
        this.matching = matching;
        this.others = others;
    }

    static FilterType keep() {
        return new FilterType("keep", OUT_GATE, REST_GATE);
    }

    static FilterType drop() {
        return new FilterType("drop", REST_GATE, OUT_GATE);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<? extends Record> settings() {
        return Settings.class;
    }

    @Override
    public List<String> gates(PluginContext context) {
        return List.of(OUT, "rest");
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.NONE;
    }

    @Override
    public Transform create(PluginContext context) {
        Settings settings = context.settings(Settings.class);
        TextPattern metric = new TextPattern(settings.metric());
        String[] names = settings.tags().keySet().toArray(String[]::new);
        TextPattern[] values = new TextPattern[names.length];
        for (int i = 0; i < names.length; i++) {
            values[i] = new TextPattern(settings.tags().get(names[i]));
        }
        return (point, out) -> out.pass(matches(point, metric, names, values) ? matching : others);
    }

    private static boolean matches(PointView point, TextPattern metric, String[] names, TextPattern[] values) {
        if (!metric.matches(point.metric())) {
            return false;
        }
        for (int i = 0; i < names.length; i++) {
            Text value = point.tag(names[i]);
            if (value == null || !values[i].matches(value)) {
                return false;
            }
        }
        return true;
    }
}
