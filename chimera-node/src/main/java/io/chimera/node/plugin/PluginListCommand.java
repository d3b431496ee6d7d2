package io.chimera.node.plugin;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.plugin.PluginKinds;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.common.plugin.Provided;
import io.chimera.node.Json;
import io.chimera.node.option.ConfigOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the plugins that a node would load. */
@Command(
        name = "ls",
        description = "Load the plugins as a node does, and list the provided types.",
        mixinStandardHelpOptions = true)
final class PluginListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--folder", paramLabel = "DIR", description = "Plugin folder, overriding the configuration.")
    private Path folder;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Override
    public Integer call() {
        Path from = folder == null ? NodePlugins.folder(config()) : folder.toAbsolutePath();
        PrintWriter out = spec.commandLine().getOut();
        PluginRegistry registry = PluginRegistry.load(from, PluginListCommand.class.getClassLoader());
        if (json) {
            List<Map<String, Object>> all = new ArrayList<>();
            registry.provided().forEach(found -> all.add(row(found)));
            out.println(Json.line(Map.of("folder", from.toString(), "plugins", all)));
        } else if (registry.provided().isEmpty()) {
            out.println("There are no plugins in " + from + ". Create a plugin with chimera plugin new <name>.");
        } else {
            registry.provided()
                    .forEach(found -> out.printf(
                            "%-10s %-20s %-20s %-14s %-12s %s%n",
                            PluginKinds.word(found.kind()),
                            found.name(),
                            found.origin().name(),
                            found.origin().version().isEmpty()
                                    ? "-"
                                    : found.origin().version(),
                            shortDigest(found),
                            found.origin().place()));
        }
        return 0;
    }

    private ChimeraConfig config() {
        return options.loadIfPresent()
                .orElseGet(() -> new ConfigLoader(System.getenv()).parse("defaults", "", List.of()));
    }

    private static String shortDigest(Provided<?> found) {
        String digest = found.origin().digest();
        return digest.isEmpty() ? "class path" : digest.substring(0, 12);
    }

    private static Map<String, Object> row(Provided<?> found) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("kind", PluginKinds.word(found.kind()));
        row.put("name", found.name());
        row.put("plugin", found.origin().name());
        row.put("version", found.origin().version());
        row.put("digest", found.origin().digest());
        row.put("place", found.origin().place());
        return row;
    }
}
