package io.chimera.common.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with the values of one record, so that all of it is told at once. */
final class Requirements {
    private final List<InvalidRecordException.Fault> faults = new ArrayList<>();

    /** Wants a value between two bounds, both included. */
    <T extends Comparable<T>> Requirements between(String key, T value, T least, T most) {
        boolean inside = value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
        return that(inside, key, value, text(least) + " to " + text(most));
    }

    /** Wants a condition to hold. */
    Requirements that(boolean condition, String key, Object value, String expected) {
        if (!condition) {
            faults.add(new InvalidRecordException.Fault(key, "is " + text(value) + "; expected " + expected + "."));
        }
        return this;
    }

    /** Throws when anything is wrong. */
    void check() {
        if (!faults.isEmpty()) {
            throw new InvalidRecordException(faults);
        }
    }

    private static String text(Object value) {
        return value instanceof Duration duration ? Durations.format(duration) : String.valueOf(value);
    }
}
