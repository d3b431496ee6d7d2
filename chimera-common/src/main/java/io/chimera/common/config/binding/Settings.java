package io.chimera.common.config.binding;

import io.chimera.common.config.binding.ConfigNode.Items;
import io.chimera.common.config.binding.ConfigNode.Place;
import io.chimera.common.config.binding.ConfigNode.Scalar;
import io.chimera.common.config.binding.ConfigNode.Section;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plugin-specific keys of a section, stored with their places until the plugin's record type is available. A component
 * of this type in a configuration record receives every key without another component. Immutable; equal for equal keys
 * and values.
 */
public final class Settings {
    /** No keys. */
    public static final Settings NONE = new Settings(new Section(new Place("", 0), Map.of()), Set.of(), "");

    private final Section section;
    private final Section own;
    private final String path;

    /** Extracts the keys of a section except the known keys. */
    Settings(Section section, Set<String> known, String path) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>(section.entries());
        entries.keySet().removeAll(known);
        this.section = section;
        this.own = new Section(section.place(), entries);
        this.path = path;
    }

    /** Full name of the section, e.g. {@code pipelines.calls.after.blocks.score}. */
    public String path() {
        return path;
    }

    /**
     * Binds the keys to the plugin's record. A component of a primitive type is a required key.
     *
     * @param <R> the record
     * @param type class of the record
     * @return the record
     * @throws ConfigException for unknown, missing or invalid keys; contains all problems
     */
    public <R extends Record> R bind(Class<R> type) {
        List<ConfigProblem> problems = new ArrayList<>();
        R bound = null;
        try {
            bound = new ConfigBinder(problems).bind(ownAnd(new RecordKeys<>(type).names()), type, path);
        } catch (IllegalStateException e) {
            problems.add(own.place()
                    .problem(
                            path,
                            path + ": " + type.getName() + " cannot be created from these keys (" + e.getMessage()
                                    + ", " + e.getCause() + "); correct the plugin."));
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return bound;
    }

    /** Returns the plugin's keys plus the common keys that are also components of the plugin's record. */
    private Section ownAnd(List<String> wanted) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>(section.entries());
        entries.keySet().removeIf(key -> !own.entries().containsKey(key) && !wanted.contains(key));
        return new Section(section.place(), entries);
    }

    /**
     * Creates a problem of the whole section at the place of one key: a plugin that refuses its settings may have read
     * any of the keys.
     *
     * @param key the key; without this key in the section, the problem has the place of the section
     * @param message a sentence, phrased to follow the full name of the section
     */
    public ConfigProblem problem(String key, String message) {
        Place place = section.entries().getOrDefault(key, section).place();
        return place.problem(path, path + " " + message);
    }

    /** Keys with values as texts, lists and maps; unmodifiable. */
    public Map<String, Object> asMap() {
        return map(own);
    }

    private static Map<String, Object> map(Section section) {
        Map<String, Object> map = new LinkedHashMap<>();
        section.entries().forEach((key, node) -> map.put(key, plain(node)));
        return Collections.unmodifiableMap(map);
    }

    private static Object plain(ConfigNode node) {
        if (node instanceof Section section) {
            return map(section);
        }
        if (node instanceof Items items) {
            return items.items().stream().map(Settings::plain).toList();
        }
        return ((Scalar) node).text();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Settings settings && asMap().equals(settings.asMap());
    }

    @Override
    public int hashCode() {
        return asMap().hashCode();
    }

    @Override
    public String toString() {
        return "Settings" + asMap().keySet();
    }
}
