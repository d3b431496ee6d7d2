package io.chimera.api.model;

import io.chimera.api.ColdPath;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a series: an immutable map ordered by tag name, so that equal tags give equal keys (Chimera 2017, III-B).
 * The constructor computes the hash once, because row processing uses tags as map keys throughout.
 */
public final class Tags {
    /** No tags. */
    public static final Tags NONE = new Tags(new TreeMap<>());

    private final SortedMap<String, String> asMap;
    private final int hash;

    /**
     * Makes an ordered, unmodifiable copy.
     *
     * @param asMap tag names and values
     */
    public Tags(SortedMap<String, String> asMap) {
        this.asMap = Collections.unmodifiableSortedMap(new TreeMap<>(asMap));
        hash = this.asMap.hashCode();
    }

    /**
     * Creates tags from any map.
     *
     * @param tags names and values
     * @return an ordered immutable copy
     */
    @ColdPath
    public static Tags of(Map<String, String> tags) {
        return tags.isEmpty() ? NONE : new Tags(new TreeMap<>(tags));
    }

    /**
     * Returns all tags.
     *
     * @return tag names and values, ordered by name; unmodifiable
     */
    public SortedMap<String, String> asMap() {
        return asMap;
    }

    /**
     * Returns the value of one tag.
     *
     * @param name name of the tag
     * @return value of the tag, or null when no tag has this name
     */
    public @Nullable String get(String name) {
        return asMap.get(name);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Tags tags && hash == tags.hash && asMap.equals(tags.asMap));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "Tags" + asMap;
    }
}
