package io.chimera.apps.node;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.ConfigException;
import io.chimera.common.config.ConfigProblem;
import io.chimera.common.config.TokensConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks a configuration without starting anything. */
@Command(
        name = "validate",
        description = "Checks a configuration and tells everything that is wrong with it.",
        mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--json", description = "Prints the result as JSON.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        ChimeraConfig config;
        try {
            config = options.load(List.of());
            List<ConfigProblem> unusable = Certificates.check(options.path().toString(), config);
            if (!unusable.isEmpty()) {
                throw new ConfigException(unusable);
            }
            PluginRegistry registry = NodePlugins.load(config);
            if (config.node().tokens() != null) {
                TokensConfig.read(config.node().tokens());
            }
            PipelineCheck.check(options.path().toString(), config, PluginHost.unfenced(registry));
        } catch (ConfigException e) {
            if (json) {
                out.println(Json.line(Map.of("valid", false, "problems", e.problems())));
            }
            throw e;
        }
        String file = options.path().toString();
        if (json) {
            out.println(Json.line(
                    Map.of("valid", true, "file", file, "digest", config.digest(), "warnings", config.openPorts())));
        } else {
            config.openPorts().forEach(warning -> out.println("Warning: " + warning));
            out.println(file + " is good: " + counted(config.inputs().size(), "input") + ", "
                    + counted(config.pipelines().size(), "pipeline") + ", "
                    + counted(config.stores().size(), "store") + "; digest "
                    + config.digest().substring(0, 12) + ".");
        }
        return 0;
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
