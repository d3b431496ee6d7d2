package io.chimera.node.option;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Command-line options that select the configuration. */
public final class ConfigOptions {
    private static final Path SYSTEM_WIDE = Path.of("/etc/chimera/chimera.yaml");

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration file. Default: CHIMERA_CONFIG, else ./chimera.yaml, else"
                    + " /etc/chimera/chimera.yaml.")
    private Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Set one key, overriding the file, e.g. --set cycle.every=5s. Repeatable.")
    private List<String> overrides = new ArrayList<>();

    /** Creates the options for picocli. */
    public ConfigOptions() {}

    /** Loads the configuration. The command's own overrides take precedence over the user's. */
    public ChimeraConfig load(List<String> more) {
        List<String> all = new ArrayList<>(overrides);
        all.addAll(more);
        return new ConfigLoader(System.getenv()).load(path(), all);
    }

    /**
     * Reads as much of the configuration as possible.
     *
     * @param problems receives all problems
     */
    public ConfigLoader.PartialConfig read(List<ConfigProblem> problems) {
        return new ConfigLoader(System.getenv()).read(path(), overrides, problems);
    }

    /** Loads the configuration if a file exists. For commands that also work without a configuration. */
    public Optional<ChimeraConfig> loadIfPresent() {
        return file != null || find(System.getenv()).isPresent() ? Optional.of(load(List.of())) : Optional.empty();
    }

    public Path path() {
        if (file != null) {
            return file;
        }
        return find(System.getenv())
                .orElseThrow(() -> new NoConfigurationException("There is no configuration: neither --config nor"
                        + " CHIMERA_CONFIG names a file, and neither ./chimera.yaml nor " + SYSTEM_WIDE
                        + " exists. Start with a copy of conf/chimera.example.yaml."));
    }

    private static Optional<Path> find(Map<String, String> environment) {
        String named = environment.getOrDefault("CHIMERA_CONFIG", "");
        if (!named.isEmpty()) {
            return Optional.of(Path.of(named));
        }
        return List.of(Path.of("chimera.yaml"), SYSTEM_WIDE).stream()
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** No configuration file was found. */
    public static final class NoConfigurationException extends ChimeraException {
        private static final long serialVersionUID = 1L;

        NoConfigurationException(String message) {
            super(Category.FATAL, message);
        }
    }
}
