package io.chimera.api.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tags of a series: an immutable map ordered by tag name, so that equal tags give equal keys (Chimera 2017, III-B).
 *
 * @param asMap tag names and values, ordered by name
 */
public record Tags(SortedMap<String, String> asMap) {
    /** No tags. */
    public static final Tags NONE = new Tags(new TreeMap<>());

    /**
     * Takes an ordered, unmodifiable copy.
     *
     * @param asMap tag names and values
     */
    public Tags {
        asMap = Collections.unmodifiableSortedMap(new TreeMap<>(asMap));
    }

    /**
     * Tags from any map.
     *
     * @param tags names and values
     * @return an ordered immutable copy
     */
    public static Tags of(Map<String, String> tags) {
        return tags.isEmpty() ? NONE : new Tags(new TreeMap<>(tags));
    }

    /**
     * Value of one tag.
     *
     * @param name the tag's name
     * @return its value, or null when there is none of that name
     */
    public String get(String name) {
        return asMap.get(name);
    }
}
