package io.chimera.common.config.load;

import io.chimera.common.config.binding.ConfigNode;
import io.chimera.common.config.binding.ConfigNode.Section;
import io.chimera.common.config.binding.ConfigPath;
import io.chimera.common.config.binding.ConfigProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges sections: files of conf.d, where no key may occur twice, and overrides, which take precedence. */
final class ConfigMerger {
    private final List<ConfigProblem> problems;

    /** Creates a merger that adds problems to the list. */
    ConfigMerger(List<ConfigProblem> problems) {
        this.problems = problems;
    }

    /** Merges two sections; a value in both is a problem. */
    Section merge(Section left, Section right) {
        return merge(left, right, "");
    }

    private Section merge(Section left, Section right, String path) {
        Map<String, ConfigNode> merged = new LinkedHashMap<>(left.entries());
        right.entries().forEach((key, value) -> {
            ConfigNode before = merged.get(key);
            String full = ConfigPath.join(path, key);
            if (before == null) {
                merged.put(key, value);
            } else if (before instanceof Section one && value instanceof Section other) {
                merged.put(key, merge(one, other, full));
            } else {
                problems.add(value.place()
                        .problem(
                                full,
                                full + " is set here and in " + before.place().file() + ":"
                                        + before.place().line() + "; keep one of them."));
            }
        });
        return new Section(left.place(), merged);
    }

    /** Returns a section with one value set or replaced. */
    static Section with(Section section, List<String> path, ConfigNode value) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>(section.entries());
        String key = path.get(0);
        if (path.size() == 1) {
            entries.put(key, value);
        } else {
            Section inner = entries.get(key) instanceof Section there ? there : new Section(value.place(), Map.of());
            entries.put(key, with(inner, path.subList(1, path.size()), value));
        }
        return new Section(section.place(), entries);
    }
}
