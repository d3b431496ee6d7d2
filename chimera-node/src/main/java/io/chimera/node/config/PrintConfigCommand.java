package io.chimera.node.config;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.node.Json;
import io.chimera.node.option.ConfigOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the effective configuration. */
@Command(
        name = "print-config",
        description = "Print the effective configuration with defaults; secrets are redacted.",
        mixinStandardHelpOptions = true)
public final class PrintConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--json", description = "Print JSON instead of YAML.")
    private boolean json;

    @Override
    public Integer call() {
        ChimeraConfig config = options.load(List.of());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? Json.line(ConfigWriter.tree(config)) + System.lineSeparator() : ConfigWriter.yaml(config));
        out.flush();
        return 0;
    }
}
