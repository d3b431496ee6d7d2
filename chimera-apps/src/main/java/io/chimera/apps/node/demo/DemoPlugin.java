package io.chimera.apps.node.demo;

import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.Plugin;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Source;
import io.chimera.api.spi.TransformType;
import io.chimera.apps.node.load.LoadPlan;
import io.chimera.apps.node.plugin.PluginBuild;
import io.chimera.common.config.ConfigLoader;
import io.chimera.common.config.Settings;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.plugin.PluginKinds;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.common.plugin.Provided;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The plugin that the demo shows, beside what it shows otherwise: its JARs go into the demo's own plugin folder, and what it provides
 * into a pipeline, or an input, of its own.
 *
 * @param title for the user
 * @param configuration what its use adds to the configuration
 * @param metrics of the rows that are shown at the end
 * @param isParser whether the queue nodes get one more input
 */
record DemoPlugin(String title, String configuration, List<String> metrics, boolean isParser) {
    /** Below the demo's folder. */
    static final String FOLDER = "plugins";

    /**
     * Takes a plugin in.
     *
     * @param from a folder with JARs, or a project with JARs in target/
     * @param work the demo's folder
     * @param keys of its settings
     */
    static DemoPlugin install(Path from, Path work, Map<String, String> keys) {
        PluginBuild build = PluginBuild.in(from);
        try {
            build.copyTo(work.resolve(FOLDER).resolve(build.name()));
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "The plugin in " + from + " cannot be copied (" + e + ").", e);
        }
        PluginRegistry registry = PluginRegistry.load(work.resolve(FOLDER), DemoPlugin.class.getClassLoader());
        return of(
                registry.provided().stream()
                        .filter(found -> found.origin().isFolder())
                        .toList(),
                keys);
    }

    private static DemoPlugin of(List<Provided<?>> provided, Map<String, String> keys) {
        String settings = keys.entrySet().stream()
                .map(key -> ", " + key.getKey() + ": \"" + key.getValue().replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining());
        List<String> pipelines = new ArrayList<>();
        List<String> inputs = new ArrayList<>();
        List<String> metrics = new ArrayList<>();
        List<String> functions = names(provided, Aggregator.class);
        if (!functions.isEmpty()) {
            pipelines.add("  plugin: { where: " + LoadPlan.METRIC + ", aggregate: { functions: " + functions
                    + " }, stores: [kairos] }\n");
            functions.forEach(name -> metrics.add(LoadPlan.METRIC + "." + LoadPlan.FIELD + "." + name));
        }
        for (Provided<?> found : provided) {
            if (found.maker().get() instanceof TransformType type) {
                pipelines.add(pipeline(type, settings));
                metrics.add(LoadPlan.METRIC + "." + type.name() + "." + LoadPlan.FIELD + ".mean");
            }
        }
        names(provided, ParserType.class)
                .forEach(name ->
                        inputs.add("  plugin: { type: " + name + ", http: \"127.0.0.1:0\"" + settings + " }\n"));
        names(provided, Source.class).forEach(name -> inputs.add("  plugin: { type: " + name + settings + " }\n"));
        if (pipelines.isEmpty() && inputs.isEmpty()) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The demo shows aggregators, transforms, parsers and sources, and compares what was stored in KairosDB;"
                            + " try a store in a configuration of your own.");
        }
        String configuration = (pipelines.isEmpty() ? "" : "pipelines:\n" + String.join("", pipelines))
                + (inputs.isEmpty() ? "" : "inputs:\n" + String.join("", inputs));
        String title = provided.stream()
                .map(found -> PluginKinds.word(found.kind()) + " " + found.name())
                .collect(Collectors.joining(
                        ", ", "plugin " + provided.get(0).origin().name() + ": ", ""));
        return new DemoPlugin(
                title,
                configuration,
                metrics,
                !names(provided, ParserType.class).isEmpty());
    }

    /** A block that keeps nothing stands ahead of the shard. What leaves it has another metric than the load, whose rows are compared. */
    private static String pipeline(TransformType type, String settings) {
        String name = type.name();
        String pipeline = "  plugin_" + name + ": { where: " + LoadPlan.METRIC + ", %s: { blocks: { it: { type: " + name
                + ", from: input" + settings + " }, shown: { type: rename, from: it, metric: { " + LoadPlan.METRIC
                + ": "
                + LoadPlan.METRIC + "." + name + " } } } }, stores: [kairos] }\n";
        Settings own = new ConfigLoader(Map.of())
                .parse("--with", "pipelines:\n" + pipeline.formatted("before") + "stores: { kairos: {} }\n", List.of())
                .pipelines()
                .get("plugin_" + name)
                .before()
                .blocks()
                .get("it")
                .settings();
        PluginContext context = new PluginContext("it", own.asMap(), own.bind(type.settings()));
        return pipeline.formatted(type.horizon(context).isZero() ? "before" : "after");
    }

    private static List<String> names(List<Provided<?>> provided, Class<? extends Plugin> kind) {
        return provided.stream()
                .filter(found -> found.kind() == kind)
                .map(Provided::name)
                .toList();
    }
}
