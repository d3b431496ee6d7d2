package io.chimera.common.config.load;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigBinder;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigNode.Section;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.binding.Secrets;
import io.chimera.common.config.binding.YamlReader;
import io.chimera.common.config.check.CrossChecks;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Loads the configuration: the main file, then the files of its folder {@code conf.d} ordered by name, then overrides.
 * References are resolved after parsing. All problems are reported at once.
 */
public final class ConfigLoader {
    private static final int FILE_BYTES_MAX = 4 * YamlReader.CHARACTERS_MAX;
    private static final String NO_CONFIGURATION =
            "The file does not exist; set another with --config, or start from conf/chimera.example.yaml.";

    private final Map<String, String> environment;

    /**
     * Configuration as far as readable.
     *
     * @param config configuration with defaults in place of invalid values; null if binding is impossible
     * @param wrongValues problems of single keys, whose values are therefore defaults
     */
    public record PartialConfig(ChimeraConfig config, List<ConfigProblem> wrongValues) {
        /** Copies the list. */
        public PartialConfig {
            wrongValues = List.copyOf(wrongValues);
        }
    }

    /**
     * Creates a loader.
     *
     * @param environment environment variables available to references
     */
    public ConfigLoader(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * Loads a file.
     *
     * @param file the main file
     * @param overrides overrides in the form {@code key=value}, with the full path of the key
     * @return the validated configuration
     * @throws ConfigException for an invalid configuration; contains all problems
     */
    public ChimeraConfig load(Path file, List<String> overrides) {
        List<ConfigProblem> problems = new ArrayList<>();
        return sound(read(file, overrides, problems).config(), problems);
    }

    /**
     * Loads a file as far as readable, for checks that continue after the first problems.
     *
     * @param file the main file
     * @param overrides as for {@link #load}
     * @param problems receives all problems
     * @throws ConfigException for an unreadable file or invalid YAML
     */
    public PartialConfig read(Path file, List<String> overrides, List<ConfigProblem> problems) {
        ConfigMerger merger = new ConfigMerger(problems);
        Section merged = YamlReader.readFile(file.toString(), text(file, NO_CONFIGURATION));
        Path folder = file.toAbsolutePath().getParent();
        for (Path part : partsBeside(file)) {
            merged = merger.merge(merged, YamlReader.readFile(part.toString(), text(part, NO_CONFIGURATION)));
        }
        return bind(merged, folder, overrides, problems);
    }

    /**
     * Loads a file of another kind, without a folder {@code conf.d} and without overrides.
     *
     * @param <R> record of the file
     * @param file the file
     * @param type record of the file
     * @return the record, without problems
     * @throws ConfigException for an invalid file; contains all problems
     */
    public <R> R loadAs(Path file, Class<R> type) {
        List<ConfigProblem> problems = new ArrayList<>();
        Section read = YamlReader.readFile(file.toString(), text(file, "The file does not exist; check the path."));
        Section resolved = new References(environment, file.toAbsolutePath().getParent(), problems).resolve(read);
        R bound = new ConfigBinder(problems).bind(resolved, type, "");
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return bound;
    }

    /**
     * Reads text of another kind as it is: references are not resolved, so that the author of the text learns nothing
     * about this machine.
     *
     * @param <R> record of the text
     * @param name name of the text in messages
     * @param yaml the text
     * @param type record of the text
     * @return the record, without problems
     * @throws ConfigException for an invalid text; contains all problems
     */
    public static <R> R parseLiterally(String name, String yaml, Class<R> type) {
        List<ConfigProblem> problems = new ArrayList<>();
        R bound = new ConfigBinder(problems).bind(YamlReader.readFile(name, yaml), type, "");
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return bound;
    }

    /**
     * Loads a configuration from text, like {@link #load} from a file.
     *
     * @param name name of the file in messages
     * @param yaml the text
     * @param overrides as for {@link #load}
     */
    public ChimeraConfig parse(String name, String yaml, List<String> overrides) {
        List<ConfigProblem> problems = new ArrayList<>();
        return sound(
                bind(YamlReader.readFile(name, yaml), Path.of(""), overrides, problems)
                        .config(),
                problems);
    }

    private static ChimeraConfig sound(ChimeraConfig config, List<ConfigProblem> problems) {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return config;
    }

    private PartialConfig bind(Section merged, Path folder, List<String> overrides, List<ConfigProblem> problems) {
        Section all = merged;
        for (String override : overrides) {
            all = override(all, override, problems);
        }
        Section resolved = new References(environment, folder, problems).resolve(all);
        ChimeraConfig config = new ConfigBinder(problems).bind(resolved, ChimeraConfig.class, "");
        PartialConfig reading = new PartialConfig(config, problems);
        if (config != null) {
            new CrossChecks(config, resolved, problems).run();
        }
        problems.sort(Comparator.comparing(ConfigProblem::file).thenComparing(ConfigProblem::line));
        return reading;
    }

    private static Section override(Section section, String override, List<ConfigProblem> problems) {
        int equals = override.indexOf('=');
        String origin = "--set " + Secrets.withoutUserInfo(equals < 0 ? override : override.substring(0, equals));
        if (equals <= 0 || override.startsWith(".") || override.charAt(equals - 1) == '.') {
            problems.add(ConfigProblem.ofFile(origin, "Write it as key=value, e.g. --set cycle.every=5s."));
            return section;
        }
        List<String> path = List.of(override.substring(0, equals).split("\\.", -1));
        return ConfigMerger.with(section, path, YamlReader.readValue(origin, override.substring(equals + 1)));
    }

    private static List<Path> partsBeside(Path file) {
        Path folder = file.toAbsolutePath().resolveSibling("conf.d");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> entry.getFileName().toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw unreadable(folder, e.getClass().getSimpleName());
        }
    }

    private static String text(Path file, String ifMissing) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw unreadable(file, "it is larger than 4 MiB");
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new ConfigException(List.of(ConfigProblem.ofFile(file.toString(), ifMissing)));
        } catch (MalformedInputException e) {
            throw unreadable(file, "it is not UTF-8 text");
        } catch (IOException e) {
            throw unreadable(file, e.getClass().getSimpleName());
        }
    }

    private static ConfigException unreadable(Path file, String why) {
        return new ConfigException(List.of(ConfigProblem.ofFile(file.toString(), "Cannot be read (" + why + ").")));
    }
}
