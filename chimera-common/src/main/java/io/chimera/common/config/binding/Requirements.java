package io.chimera.common.config.binding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects the invalid values of one record, to report all at once. */
public final class Requirements {
    private final List<InvalidRecordException.Fault> faults = new ArrayList<>();

    /** Requires a value within two inclusive bounds. */
    public <T extends Comparable<T>> Requirements between(String key, T value, T least, T most) {
        boolean inside = value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
        return that(inside, key, value, text(least) + " to " + text(most));
    }

    /** Requires a condition. */
    public Requirements that(boolean condition, String key, Object value, String expected) {
        if (!condition) {
            faults.add(new InvalidRecordException.Fault(key, "is " + text(value) + "; expected " + expected + "."));
        }
        return this;
    }

    /** Throws if any requirement failed. */
    public void check() {
        if (!faults.isEmpty()) {
            throw new InvalidRecordException(faults);
        }
    }

    private static String text(Object value) {
        return value instanceof Duration duration ? Durations.format(duration) : String.valueOf(value);
    }
}
