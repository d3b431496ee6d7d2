package io.chimera.dataset.format.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tree of the mapped paths of a JSON object: one node per key. */
final class JsonPath {
    private final Map<String, JsonPath> children = new HashMap<>();
    private int column = -1;

    private JsonPath() {}

    /**
     * Builds the tree.
     *
     * @param columns paths of keys with dots between them; the index is the number of the column
     * @throws IllegalArgumentException when a path is empty, or leads through the value of another path
     */
    static JsonPath of(List<String> columns) {
        JsonPath root = new JsonPath();
        for (int i = 0; i < columns.size(); i++) {
            JsonPath node = root;
            for (String key : columns.get(i).split("\\.", -1)) {
                if (key.isEmpty() || node.column >= 0) {
                    throw notMappable(columns.get(i));
                }
                node = node.children.computeIfAbsent(key, absent -> new JsonPath());
            }
            if (!node.children.isEmpty()) {
                throw notMappable(columns.get(i));
            }
            node.column = i;
        }
        return root;
    }

    private static IllegalArgumentException notMappable(String path) {
        return new IllegalArgumentException(
                "path \"" + path + "\"; expected keys with dots between them, and no path below another path");
    }

    @Nullable
    JsonPath child(String key) {
        return children.get(key);
    }

    /** Number of the column with this path; -1 for the way to longer paths. */
    int column() {
        return column;
    }
}
