package io.chimera.api.model;

/**
 * Number of a cycle. Numbers of replay cycles are higher than all numbers of live cycles, and a later replay has a
 * higher number than an earlier replay.
 *
 * @param value 1 or more
 */
public record CycleNumber(long value) implements Comparable<CycleNumber> {
    /**
     * Checks the number.
     *
     * @param value 1 or more
     */
    public CycleNumber {
        if (value < 1) {
            throw new IllegalArgumentException("A cycle number is 1 or more, not " + value + ".");
        }
    }

    @Override
    public int compareTo(CycleNumber other) {
        return Long.compare(value, other.value);
    }
}
