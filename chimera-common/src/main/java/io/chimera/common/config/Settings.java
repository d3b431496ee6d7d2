package io.chimera.common.config;

import io.chimera.common.config.ConfigNode.Items;
import io.chimera.common.config.ConfigNode.Place;
import io.chimera.common.config.ConfigNode.Scalar;
import io.chimera.common.config.ConfigNode.Section;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys of a section that only a plugin knows, kept with their places until the plugin's record is at hand. A component
 * of this type in a record of the configuration takes every key that no other component has. Immutable; equal when the
 * keys and values are.
 */
public final class Settings {
    /** No keys, from no file. */
    public static final Settings NONE = new Settings(new Section(new Place("", 0), Map.of()), Set.of(), "");

    private final Section section;
    private final Section own;
    private final String path;

    /** Those keys of a section that are not known otherwise. */
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
     * Makes the plugin's record of the keys. A component of a primitive type is a key that has to be there.
     *
     * @param <R> the record
     * @param type its class
     * @return the record
     * @throws ConfigException when keys are unknown, missing or wrong; names all of them
     */
    public <R extends Record> R bind(Class<R> type) {
        List<ConfigProblem> problems = new ArrayList<>();
        R bound = null;
        try {
            bound = new ConfigBinder(problems).bind(ownAnd(new RecordKeys<>(type).names()), type, path);
        } catch (IllegalStateException e) {
            problems.add(own.place()
                    .problem(path + ": " + type.getName() + " cannot be made of these keys (" + e.getMessage() + ", "
                            + e.getCause() + "); correct the plugin."));
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return bound;
    }

    /** The plugin's keys, and those in common that it also wants to know. */
    private Section ownAnd(List<String> wanted) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>(section.entries());
        entries.keySet().removeIf(key -> !own.entries().containsKey(key) && !wanted.contains(key));
        return new Section(section.place(), entries);
    }

    /**
     * Something that is wrong with the section, at the place of one of its keys.
     *
     * @param key the key; where the section has none such, its own place is named
     * @param message a sentence, which follows the full name of the section
     */
    public ConfigProblem problem(String key, String message) {
        Place place = section.entries().getOrDefault(key, section).place();
        return place.problem(path + " " + message);
    }

    /** The keys as texts, lists and maps; unmodifiable. */
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
