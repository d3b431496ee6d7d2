package io.chimera.common.config.check;

import io.chimera.common.config.Listening;
import io.chimera.common.config.binding.ConfigPath;
import io.chimera.common.config.binding.ConfigProblem;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sections of a configuration with an invalid or unknown key. Their values may be defaults, so further checks of such a
 * section would report problems that the file does not have.
 */
public final class WrongSections {
    /** Sections with named entries. */
    private static final Set<String> NAMES = Set.of("inputs", "pipelines", "stores");

    private final Set<String> keys;
    private final Set<String> sections;

    /** Collects the keys of problems, and the sections of these keys. */
    public WrongSections(List<ConfigProblem> problems) {
        keys = problems.stream()
                .map(ConfigProblem::key)
                .filter(key -> !key.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
        sections = keys.stream().map(WrongSections::section).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns whether a key, or a key of the section with this name, may have a default in place of an invalid value.
     */
    public boolean concern(String key) {
        return !key.isEmpty() && sections.stream().anyMatch(section -> isRelated(key, section));
    }

    /** Returns whether a problem of a further check concerns such a key. */
    public boolean concern(ConfigProblem problem) {
        return concern(problem.key());
    }

    /** Returns whether the key of a problem, or a key inside it, is itself wrong; other keys of a section do not count. */
    public boolean contain(ConfigProblem problem) {
        return !problem.key().isEmpty() && keys.stream().anyMatch(key -> isRelated(problem.key(), key));
    }

    /** Returns whether the existence of a port depends on a wrong key: on the role, or on the number of lanes. */
    public boolean makeUncertain(Listening listening) {
        boolean isOfRole = !listening.path().equals("node.http");
        return (isOfRole && isDefault("node.role"))
                || (listening.lane() > 0 && isDefault(section(listening.path()) + ".lanes"));
    }

    /** Returns whether a key has its default because the key, or a section around the key, is wrong. */
    private boolean isDefault(String key) {
        return keys.stream().anyMatch(wrong -> ConfigPath.isWithin(key, wrong));
    }

    private static boolean isRelated(String key, String other) {
        return ConfigPath.isWithin(key, other) || ConfigPath.isWithin(other, key);
    }

    /**
     * Returns the section of a key. An invalid key may turn its whole section into defaults, but not the other entries
     * of a section with named entries.
     */
    private static String section(String key) {
        int dot = key.lastIndexOf('.');
        return dot < 0 || NAMES.contains(key.substring(0, dot)) ? key : key.substring(0, dot);
    }
}
