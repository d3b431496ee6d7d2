package io.chimera.common.composition.block;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.util.List;

/**
 * {@code threshold}: emits points at {@code above} if the field is above the limit, at {@code below} otherwise, and at
 * {@code without} if the field is missing or text.
 */
final class ThresholdType implements TransformType {
    private static final int ABOVE = 0;
    private static final int BELOW = 1;
    private static final int WITHOUT = 2;

    /**
     * Settings.
     *
     * @param field name of the field
     * @param limit limit; only greater values are above
     */
    record Settings(String field, double limit) {
        Settings {
            if (field == null || field.isEmpty()) {
                throw new IllegalArgumentException("field is missing; name the field for the limit");
            }
        }
    }

    ThresholdType() {}

    @Override
    public String name() {
        return "threshold";
    }

    @Override
    public Class<? extends Record> settings() {
        return Settings.class;
    }

    @Override
    public List<String> gates(PluginContext context) {
        return List.of("above", "below", "without");
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.NONE;
    }

    @Override
    public Transform create(PluginContext context) {
        Settings settings = context.settings(Settings.class);
        String field = settings.field();
        double limit = settings.limit();
        return (point, out) -> {
            int index = point.field(field);
            double value = index < 0 ? Double.NaN : point.number(index);
            out.pass(Double.isNaN(value) ? WITHOUT : value > limit ? ABOVE : BELOW);
        };
    }
}
