package io.chimera.node.demo;

import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.Plugin;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Source;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.TransformType;
import io.chimera.common.config.binding.Settings;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.plugin.PluginKinds;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.common.plugin.Provided;
import io.chimera.node.load.LoadPlan;
import io.chimera.node.plugin.PluginBuild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Plugin shown by the demo in addition to its standard pipelines. Its JARs go into the demo's own plugin folder, and
 * its functions, blocks, inputs and stores into pipelines or inputs of their own.
 *
 * @param title title for the user
 * @param configuration additions to the configuration
 * @param metrics metrics of the rows shown at the end
 * @param kinds kinds of the provided plugins
 * @param text sample text for its parser
 */
record DemoPlugin(
        String title,
        String configuration,
        List<String> metrics,
        Set<Class<? extends Plugin>> kinds,
        Optional<byte[]> text) {
    /**
     * Metric stored by both KairosDB and the plugin's store: rows read back from KairosDB must also be in the plugin's
     * store.
     */
    static final String STORED_TWICE = LoadPlan.METRIC + "." + LoadPlan.FIELD + ".p50";

    /** Plugin folder below the demo's folder. */
    static final String FOLDER = "plugins";

    /**
     * Installs a plugin.
     *
     * @param from a folder with JARs, or a project with JARs in target/
     * @param work the demo's folder
     * @param keys keys for the plugin's settings
     */
    static DemoPlugin install(Path from, Path work, Map<String, String> keys) {
        PluginBuild build = PluginBuild.in(from);
        Optional<byte[]> text;
        try {
            build.copyTo(work.resolve(FOLDER).resolve(build.name()));
            text = build.demoText().isPresent()
                    ? Optional.of(Files.readAllBytes(build.demoText().get()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "The plugin in " + from + " cannot be copied (" + e + ").", e);
        }
        PluginRegistry registry = PluginRegistry.load(work.resolve(FOLDER), DemoPlugin.class.getClassLoader());
        return of(
                registry.provided().stream()
                        .filter(found -> found.origin().isFolder())
                        .toList(),
                keys,
                text);
    }

    boolean provides(Class<? extends Plugin> kind) {
        return kinds.contains(kind);
    }

    private static DemoPlugin of(List<Provided<?>> provided, Map<String, String> keys, Optional<byte[]> text) {
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
        names(provided, Source.class)
                .forEach(name -> inputs.add("  plugin_" + name + ": { type: " + name + settings + " }\n"));
        List<String> stores = names(provided, Store.class);
        if (!stores.isEmpty()) {
            pipelines.add("  plugin_store: { where: " + LoadPlan.METRIC
                    + ", aggregate: { functions: [p50] }, stores: [kairos, plugin] }\n");
            metrics.add(STORED_TWICE);
        }
        checkOne("parser", names(provided, ParserType.class));
        checkOne("store", stores);
        String configuration = section("pipelines", pipelines)
                + section("inputs", inputs)
                + section(
                        "stores",
                        stores.stream()
                                .map(name -> "  plugin: { type: " + name + settings + " }\n")
                                .toList());
        String title = provided.stream()
                .map(found -> PluginKinds.word(found.kind()) + " " + found.name())
                .collect(Collectors.joining(
                        ", ", "plugin " + provided.get(0).origin().name() + ": ", ""));
        return new DemoPlugin(
                title,
                configuration,
                metrics,
                provided.stream().map(Provided::kind).collect(Collectors.toSet()),
                text);
    }

    private static void checkOne(String kind, List<String> names) {
        if (names.size() > 1) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The demo can run one " + kind + " only; the plugin has " + String.join(", ", names) + ".");
        }
    }

    private static String section(String key, List<String> entries) {
        return entries.isEmpty() ? "" : key + ":\n" + String.join("", entries);
    }

    /**
     * Builds the pipeline of a block. A stateless block runs before the shard. The block's output gets another metric
     * than the load, because the load's rows are compared.
     */
    private static String pipeline(TransformType type, String settings) {
        String name = type.name();
        String pipeline = "  plugin_" + name + ": { where: " + LoadPlan.METRIC + ", %s: { blocks: { it: { type: " + name
                + ", from: input" + settings + " }, shown: { type: rename, from: it, metric: { " + LoadPlan.METRIC
                + ": "
                + LoadPlan.METRIC + "." + name + " } } } }, stores: [kairos], rows: { tags: { pipeline: plugin_" + name
                + " } } }\n";
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
