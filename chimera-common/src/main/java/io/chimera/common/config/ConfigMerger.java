package io.chimera.common.config;

import io.chimera.common.config.ConfigNode.Section;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts sections together: files of conf.d beside the main one, where no key may stand twice; overrides, which win. */
final class ConfigMerger {
    private final List<ConfigProblem> problems;

    /** Problems are added to the list. */
    ConfigMerger(List<ConfigProblem> problems) {
        this.problems = problems;
    }

    /** Both sections together; a value that stands in both is a problem. */
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
                        .problem(full + " stands here and in " + before.place().file() + ":"
                                + before.place().line() + "; keep one of them."));
            }
        });
        return new Section(left.place(), merged);
    }

    /** A section with one value set, whatever stood there. */
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
