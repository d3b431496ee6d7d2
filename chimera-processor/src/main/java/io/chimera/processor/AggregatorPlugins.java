package io.chimera.processor;

import io.chimera.api.spi.Aggregator;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds aggregator plugins by their names. */
final class AggregatorPlugins {
    private AggregatorPlugins() {}

    /** New instances of the plugins of the given names, in their order. */
    static List<Aggregator<?>> create(String pipeline, List<String> names) {
        return names.stream().<Aggregator<?>>map(name -> create(pipeline, name)).toList();
    }

    private static Aggregator<?> create(String pipeline, String name) {
        TreeSet<String> found = new TreeSet<>(Function.NAMES);
        for (Aggregator<?> aggregator : providers()) {
            if (aggregator.name().equals(name)) {
                return aggregator;
            }
            found.add(aggregator.name());
        }
        throw new ChimeraException(
                ChimeraException.Category.FATAL,
                "pipelines." + pipeline + ".aggregate.functions names '" + name
                        + "', but there is no such function (there is: " + String.join(", ", found)
                        + "). Correct the name, or add the plugin that brings it.");
    }

    private static List<Aggregator<?>> providers() {
        List<Aggregator<?>> aggregators = new ArrayList<>();
        for (Aggregator<?> aggregator : ServiceLoader.load(Aggregator.class)) {
            aggregators.add(aggregator); // a new loader makes new instances
        }
        return aggregators;
    }
}
