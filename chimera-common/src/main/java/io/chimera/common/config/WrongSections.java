package io.chimera.common.config;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sections of a configuration with an invalid or unknown key. Their values may be defaults, so further checks of such a
 * section would report problems that the file does not have.
 */
public final class WrongSections {
    private static final String UNKNOWN = "Unknown key ";

    /** Sections with named entries. */
    private static final Set<String> NAMES = Set.of("inputs", "pipelines", "stores");

    private final Set<String> sections;

    /** Collects the sections of problems of single keys. */
    public WrongSections(List<ConfigProblem> problems) {
        sections = problems.stream().map(WrongSections::section).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns whether a key, or a key of the section with this name, may have a default in place of an invalid value.
     */
    public boolean concern(String key) {
        return sections.stream().anyMatch(section -> isWithin(key, section) || isWithin(section, key));
    }

    /** Returns whether a problem of a further check concerns such a key. */
    public boolean concern(ConfigProblem problem) {
        return concern(key(problem));
    }

    private static boolean isWithin(String key, String section) {
        return key.startsWith(section)
                && (key.length() == section.length() || ".[".indexOf(key.charAt(section.length())) >= 0);
    }

    /**
     * Returns the section of a problem's key. An invalid key may turn its whole section into defaults, but not the
     * other entries of a section with named entries.
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
