package io.chimera.processor.pipeline;

import io.chimera.api.spi.Aggregator;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.plugin.PluginHost;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Creates aggregator plugins by name. */
final class AggregatorPlugins {
    private AggregatorPlugins() {}

    /** Returns new plugin instances in the order of the names. */
    static List<Aggregator<?>> create(String pipeline, List<String> names, PluginHost plugins) {
        return names.stream()
                .<Aggregator<?>>map(name -> create(pipeline, name, plugins))
                .toList();
    }

    private static Aggregator<?> create(String pipeline, String name, PluginHost plugins) {
        return plugins.aggregator(name)
                .orElseThrow(() -> new ChimeraException(
                        ChimeraException.Category.FATAL,
                        "pipelines." + pipeline + ".aggregate.functions names '" + name
                                + "', an unknown function (known: "
                                + String.join(", ", known(plugins))
                                + "). Correct the name, or add a plugin with this function."));
    }

    private static Set<String> known(PluginHost plugins) {
        Set<String> names = new TreeSet<>(Function.NAMES);
        names.addAll(plugins.names(Aggregator.class));
        return names;
    }
}
