package io.chimera.archive.index.key;

import java.util.List;

/**
 * Query to an index: selects the intervals that <em>may</em> hold a matching item. A tree of key tests. Tests
 * unsupported by the index match everything, and the caller filters the visited intervals again. Immutable.
 */
public sealed interface Probe {
    /** Matches every interval. */
    static Probe all() {
        return All.EVERYTHING;
    }

    /** Matches intervals with this hash added for the key. */
    static Probe exact(int key, long hash) {
        return new Exact(key, hash);
    }

    /** Matches intervals with a value from low to high, both included. */
    static Probe range(int key, long low, long high) {
        return new Range(key, low, high);
    }

    /** Matches intervals with at least the given count of a value, for a key with most frequent values. */
    static Probe frequent(int key, long value, long count) {
        return new Frequent(key, value, count);
    }

    /** Matches intervals that may match all probes. */
    static Probe and(List<Probe> probes) {
        List<Probe> narrowing =
                probes.stream().filter(probe -> probe != All.EVERYTHING).toList();
        return narrowing.isEmpty() ? all() : narrowing.size() == 1 ? narrowing.get(0) : new And(narrowing);
    }

    /** Matches intervals that may match all probes. */
    static Probe and(Probe... probes) {
        return and(List.of(probes));
    }

    /** Matches intervals that may match any of the probes; no interval for an empty list. */
    static Probe or(List<Probe> probes) {
        return probes.contains(All.EVERYTHING) ? all() : probes.size() == 1 ? probes.get(0) : new Or(probes);
    }

    /** Matches intervals that may match any of the probes. */
    static Probe or(Probe... probes) {
        return or(List.of(probes));
    }

    /** Matches every interval: an interval with an excluded item may also hold other items. */
    static Probe not(Probe probe) {
        return all();
    }

    /** See {@link #all}. */
    enum All implements Probe {
        /** Singleton. */
        EVERYTHING
    }

    /**
     * See {@link #exact}.
     *
     * @param key number of an exact key
     * @param hash hash of the value
     */
    record Exact(int key, long hash) implements Probe {}

    /**
     * See {@link #range}.
     *
     * @param key number of a range key
     * @param low least value
     * @param high greatest value
     */
    record Range(int key, long low, long high) implements Probe {}

    /**
     * See {@link #frequent}.
     *
     * @param key number of a range key with most frequent values
     * @param value searched value
     * @param count minimum count
     */
    record Frequent(int key, long value, long count) implements Probe {}

    /**
     * See {@link #and(List)}.
     *
     * @param probes conjunction
     */
    record And(List<Probe> probes) implements Probe {
        /** Copies the list. */
        public And {
            probes = List.copyOf(probes);
        }
    }

    /**
     * See {@link #or(List)}.
     *
     * @param probes disjunction
     */
    record Or(List<Probe> probes) implements Probe {
        /** Copies the list. */
        public Or {
            probes = List.copyOf(probes);
        }
    }
}
