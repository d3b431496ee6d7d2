package io.chimera.common.composition.block;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointBuilder;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.util.Map;

/** {@code rename}: renames metrics, tags and fields. */
final class RenameType implements TransformType {
    /**
     * Settings.
     *
     * @param metric new metric by old metric
     * @param tags new tag name by old tag name
     * @param fields new field name by old field name
     */
    record Settings(Map<String, String> metric, Map<String, String> tags, Map<String, String> fields) {
        Settings {
            metric = metric == null ? Map.of() : Map.copyOf(metric);
            tags = tags == null ? Map.of() : Map.copyOf(tags);
            fields = fields == null ? Map.of() : Map.copyOf(fields);
            if (metric.isEmpty() && tags.isEmpty() && fields.isEmpty()) {
                throw new IllegalArgumentException("nothing to rename; set metric, tags or fields");
            }
        }
    }

    RenameType() {}

    @Override
    public String name() {
        return "rename";
    }

    @Override
    public Class<? extends Record> settings() {
        return Settings.class;
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.NONE;
    }

    @Override
    public Transform create(PluginContext context) {
        Settings settings = context.settings(Settings.class);
        return new Rename(new Names(settings.metric()), new Names(settings.tags()), new Names(settings.fields()));
    }

    private static final class Names {
        private final String[] before;
        private final String[] after;

        Names(Map<String, String> names) {
            before = names.keySet().toArray(String[]::new);
            after = new String[before.length];
            for (int i = 0; i < before.length; i++) {
                after[i] = names.get(before[i]);
            }
        }

        CharSequence of(Text name) {
            for (int i = 0; i < before.length; i++) {
                if (name.is(before[i])) {
                    return after[i];
                }
            }
            return name;
        }
    }

    private record Rename(Names metrics, Names tags, Names fields) implements Transform {
        @Override
        public void apply(PointView point, Outlet out) {
            PointBuilder renamed = out.point(0).metric(metrics.of(point.metric()));
            for (int i = 0; i < point.tags(); i++) {
                renamed.tag(tags.of(point.tagName(i)), point.tagValue(i));
            }
            for (int i = 0; i < point.fields(); i++) {
                renamed.copy(fields.of(point.fieldName(i)), i);
            }
            renamed.end();
        }
    }
}
