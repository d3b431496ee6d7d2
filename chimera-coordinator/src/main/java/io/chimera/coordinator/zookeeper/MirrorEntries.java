package io.chimera.coordinator.zookeeper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decoded znodes by type and path. Used by the agent's thread only. */
final class MirrorEntries {
    private final Map<Class<?>, Map<String, Entry>> types = new LinkedHashMap<>();

    private record Entry(Object value, int round) {}

    /** Stores a value read in the given round, and returns the replaced value; null for a new znode. */
    Object put(String path, Object value, int round) {
        Entry before =
                types.computeIfAbsent(value.getClass(), type -> new HashMap<>()).put(path, new Entry(value, round));
        return before == null ? null : before.value;
    }

    /** Removes a value; returns whether there was one. */
    boolean remove(String path) {
        boolean isRemoved = false;
        for (Map<String, Entry> ofType : types.values()) {
            isRemoved |= ofType.remove(path) != null;
        }
        return isRemoved;
    }

    /** Removes the values that were not stored in the given round. */
    void removeOlder(int round) {
        types.values().forEach(ofType -> ofType.values().removeIf(entry -> entry.round < round));
    }

    /** Returns the value at a path; null without one. */
    <V> V get(Class<V> type, String path) {
        Entry entry = types.getOrDefault(type, Map.of()).get(path);
        return entry == null ? null : type.cast(entry.value);
    }

    /** Returns the values of a type in a new list. */
    <V> List<V> values(Class<V> type) {
        List<V> values = new ArrayList<>();
        for (Entry entry : types.getOrDefault(type, Map.of()).values()) {
            values.add(type.cast(entry.value));
        }
        return values;
    }

    /** Returns the paths of a type. */
    Collection<String> paths(Class<?> type) {
        return types.getOrDefault(type, Map.of()).keySet();
    }

    int size(Class<?> type) {
        return types.getOrDefault(type, Map.of()).size();
    }
}
