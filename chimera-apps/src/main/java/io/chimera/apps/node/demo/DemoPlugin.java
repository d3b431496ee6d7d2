package io.chimera.apps.node.demo;

import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.Plugin;
import io.chimera.api.spi.Source;
import io.chimera.api.spi.TransformType;
import io.chimera.apps.node.load.LoadPlan;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.plugin.PluginKinds;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.common.plugin.Provided;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        try {
            Path project = from.toRealPath();
            Path jars = jars(project).isEmpty() ? project.resolve("target") : project;
            List<Path> own = Files.isDirectory(jars) ? jars(jars) : List.of();
            if (own.isEmpty()) {
                throw new ChimeraException(
                        Category.FATAL,
                        "There is no JAR in " + project
                                + " nor in its target/; build the plugin first, with 'mvn -q verify'.");
            }
            Path folder = work.resolve(FOLDER).resolve(project.getFileName().toString());
            copy(own, folder);
            if (Files.isDirectory(jars.resolve("lib"))) {
                copy(jars(jars.resolve("lib")), folder.resolve("lib"));
            }
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "The plugin in " + from + " cannot be read (" + e + ").", e);
        }
        try (PluginRegistry registry = PluginRegistry.load(work.resolve(FOLDER), DemoPlugin.class.getClassLoader())) {
            return of(
                    registry.provided().stream()
                            .filter(found -> found.origin().isFolder())
                            .toList(),
                    keys);
        }
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> isPlugin(file.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    /** What Maven leaves beside the JAR itself is none. */
    private static boolean isPlugin(String name) {
        return name.endsWith(".jar")
                && !name.endsWith("-sources.jar")
                && !name.endsWith("-javadoc.jar")
                && !name.endsWith("-tests.jar")
                && !name.startsWith("original-");
    }

    private static void copy(List<Path> files, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Path file : files) {
            Files.copy(file, folder.resolve(file.getFileName()));
        }
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
        for (String name : names(provided, TransformType.class)) {
            String metric = LoadPlan.METRIC + "." + name;
            pipelines.add(
                    "  plugin_" + name + ": { where: " + LoadPlan.METRIC + ", after: { blocks: { it: { type: " + name
                            + ", from: input" + settings + " }, shown: { type: rename, from: it, metric: { "
                            + LoadPlan.METRIC + ": "
                            + metric + " } } } }, stores: [kairos] }\n");
            metrics.add(metric + "." + LoadPlan.FIELD + ".mean");
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

    private static List<String> names(List<Provided<?>> provided, Class<? extends Plugin> kind) {
        return provided.stream()
                .filter(found -> found.kind() == kind)
                .map(Provided::name)
                .toList();
    }
}
