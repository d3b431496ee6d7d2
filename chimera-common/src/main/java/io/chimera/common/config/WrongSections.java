package io.chimera.common.config;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sections of a configuration with a wrong or unknown key. Defaults stand in place of their values, so a further check of such a section would
 * report problems that the file does not have.
 */
public final class WrongSections {
    private static final String UNKNOWN = "Unknown key ";

    /** Sections of entries with names. */
    private static final Set<String> NAMES = Set.of("inputs", "pipelines", "stores");

    private final Set<String> sections;

    /** The sections of problems of single keys. */
    public WrongSections(List<ConfigProblem> problems) {
        sections = problems.stream().map(WrongSections::section).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a key, or a key of the section of that name, may have a default in place of a wrong value. */
    public boolean concern(String key) {
        return sections.stream().anyMatch(section -> isWithin(key, section) || isWithin(section, key));
    }

    /** Whether a problem found by a further check is about such a key. */
    public boolean concern(ConfigProblem problem) {
        return concern(key(problem));
    }

    private static boolean isWithin(String key, String section) {
        return key.startsWith(section)
                && (key.length() == section.length() || ".[".indexOf(key.charAt(section.length())) >= 0);
    }

    /**
     * The section of the key of a problem: where one key is wrong, all of the section may be defaults. The other entries of a section of
     * names are not.
     */
    private static String section(ConfigProblem problem) {
        String key = key(problem);
        int dot = key.lastIndexOf('.');
        return dot < 0 || NAMES.contains(key.substring(0, dot)) ? key : key.substring(0, dot);
    }

    private static String key(ConfigProblem problem) {
        String message = problem.message();
        return (message.startsWith(UNKNOWN) ? message.substring(UNKNOWN.length()) : message).split("[ :;,]", 2)[0];
    }
}
