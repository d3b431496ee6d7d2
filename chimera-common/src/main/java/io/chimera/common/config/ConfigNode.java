package io.chimera.common.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A parsed configuration before anything is known of its keys. Every node knows where it stands. */
sealed interface ConfigNode {
    /** Where it stands; a value stands where its key does. */
    Place place();

    /** A place in a file; line 0 is no line. */
    record Place(String file, int line) {
        ConfigProblem problem(String message) {
            return new ConfigProblem(file, line, message);
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

    /** One value as text; empty when nothing stands behind the key. */
    record Scalar(Place place, String text) implements ConfigNode {}
}
