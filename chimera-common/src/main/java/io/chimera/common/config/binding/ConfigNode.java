package io.chimera.common.config.binding;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parsed configuration, independent of the known keys. Every node has its place in the file. */
public sealed interface ConfigNode {
    /** Place of the node; the place of a value is the place of its key. */
    Place place();

    /** Place in a file; line 0 means no line. */
    record Place(String file, int line) {
        public ConfigProblem problem(String key, String message) {
            return new ConfigProblem(file, line, key, message);
        }
    }

    /** Keys and values. */
    record Section(Place place, Map<String, ConfigNode> entries) implements ConfigNode {
        public Section {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }
    }

    /** A list. */
    record Items(Place place, List<ConfigNode> items) implements ConfigNode {
        public Items {
            items = List.copyOf(items);
        }
    }

    /** Single value as text; empty for a key without a value. */
    record Scalar(Place place, String text) implements ConfigNode {}
}
