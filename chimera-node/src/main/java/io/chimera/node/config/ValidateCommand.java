package io.chimera.node.config;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.TokensConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.check.WrongSections;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.node.Json;
import io.chimera.node.option.ConfigOptions;
import io.chimera.node.plugin.NodePlugins;
import io.chimera.node.security.Certificates;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks a configuration and the machine without starting a node. */
@Command(
        name = "validate",
        description = "Check a configuration, its folders and ports; report every problem.",
        mixinStandardHelpOptions = true)
public final class ValidateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Option(names = "--file-only", description = "Check only the file, not the folders and ports of this machine.")
    private boolean fileOnly;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<ConfigProblem> problems = new ArrayList<>();
        ChimeraConfig config = null;
        try {
            ConfigLoader.PartialConfig reading = options.read(problems);
            config = reading.config();
            if (config != null) {
                problems.addAll(check(config, reading.wrongValues()));
            }
        } catch (ConfigException e) {
            problems.addAll(e.problems());
        }
        if (!problems.isEmpty()) {
            List<ConfigProblem> all = problems.stream().distinct().toList();
            if (json) {
                out.println(Json.line(Map.of("valid", false, "problems", all)));
            }
            throw new ConfigException(all);
        }
        String file = options.path().toString();
        List<String> warnings = config.warnings();
        if (json) {
            out.println(
                    Json.line(Map.of("valid", true, "file", file, "digest", config.digest(), "warnings", warnings)));
        } else {
            warnings.forEach(warning -> out.println("Warning: " + warning));
            out.println(file + " is valid: " + counted(config.inputs().size(), "input") + ", "
                    + counted(config.pipelines().size(), "pipeline") + ", "
                    + counted(config.stores().size(), "store") + "; digest "
                    + config.digest().substring(0, 12) + ".");
        }
        return 0;
    }

    /** Runs all further checks, whatever the earlier checks have found. */
    private List<ConfigProblem> check(ChimeraConfig config, List<ConfigProblem> wrongValues) {
        String file = options.path().toString();
        WrongSections wrong = new WrongSections(wrongValues);
        List<ConfigProblem> found = new ArrayList<>(Certificates.check(file, config, !fileOnly));
        add(found, file, () -> {
            PluginRegistry registry = NodePlugins.load(config);
            PipelineCheck.problems(file, config, PluginHost.unfenced(registry)).stream()
                    .filter(problem -> !wrong.concern(problem))
                    .forEach(found::add);
        });
        if (!fileOnly) {
            found.addAll(MachineCheck.problems(file, config, wrong));
        }
        // a wrong key was replaced by its default; problems of the default are meaningless
        found.removeIf(wrong::contain);
        if (wrong.concern("coordinator") || wrong.concern("node")) {
            found.removeIf(problem -> problem.key().equals(Certificates.IDENTITY));
        }
        if (config.node().tokens() != null) {
            add(found, file, () -> TokensConfig.read(config.node().tokens())); // keys of another file
        }
        return found;
    }

    private static void add(List<ConfigProblem> found, String file, Runnable step) {
        try {
            step.run();
        } catch (ConfigException e) {
            found.addAll(e.problems());
        } catch (ChimeraException e) {
            found.add(ConfigProblem.ofFile(file, e.getMessage()));
        }
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
