package io.chimera.archive.index;

import java.util.List;

/**
 * What is asked of an index: which intervals <em>may</em> hold an item that matches. A tree of tests of keys; what an index
 * cannot say is widened to everything, and what is visited is filtered again by who asked. Immutable.
 */
public sealed interface Probe {
    /** Every interval. */
    static Probe all() {
        return All.EVERYTHING;
    }

    /** Intervals where {@link IndexWriter#add} was given this hash for the key. */
    static Probe exact(int key, long hash) {
        return new Exact(key, hash);
    }

    /** Intervals where {@link IndexWriter#addRange} was given a value from low to high, both included. */
    static Probe range(int key, long low, long high) {
        return new Range(key, low, high);
    }

    /** Intervals where a value of a key with most frequent values was given so many times or more. */
    static Probe frequent(int key, long value, long count) {
        return new Frequent(key, value, count);
    }

    /** Intervals that may match all of them. */
    static Probe and(List<Probe> probes) {
        List<Probe> narrowing =
                probes.stream().filter(probe -> probe != All.EVERYTHING).toList();
        return narrowing.isEmpty() ? all() : narrowing.size() == 1 ? narrowing.get(0) : new And(narrowing);
    }

    /** Intervals that may match all of them. */
    static Probe and(Probe... probes) {
        return and(List.of(probes));
    }

    /** Intervals that may match one of them; none if there are none. */
    static Probe or(List<Probe> probes) {
        return probes.contains(All.EVERYTHING) ? all() : probes.size() == 1 ? probes.get(0) : new Or(probes);
    }

    /** Intervals that may match one of them. */
    static Probe or(Probe... probes) {
        return or(List.of(probes));
    }

    /** Everything: an interval that holds what is not wanted may hold anything else beside it. */
    static Probe not(Probe probe) {
        return all();
    }

    /** See {@link #all}. */
    enum All implements Probe {
        /** The only one. */
        EVERYTHING
    }

    /**
     * See {@link #exact}.
     *
     * @param key number of an exact key
     * @param hash of the value
     */
    record Exact(int key, long hash) implements Probe {}

    /**
     * See {@link #range}.
     *
     * @param key number of a range key
     * @param low the least value
     * @param high the greatest value
     */
    record Range(int key, long low, long high) implements Probe {}

    /**
     * See {@link #frequent}.
     *
     * @param key number of a range key with most frequent values
     * @param value the value
     * @param count how often at least
     */
    record Frequent(int key, long value, long count) implements Probe {}

    /**
     * See {@link #and(List)}.
     *
     * @param probes all of these
     */
    record And(List<Probe> probes) implements Probe {
        /** Copies. */
        public And {
            probes = List.copyOf(probes);
        }
    }

    /**
     * See {@link #or(List)}.
     *
     * @param probes one of these
     */
    record Or(List<Probe> probes) implements Probe {
        /** Copies. */
        public Or {
            probes = List.copyOf(probes);
        }
    }
}
