package io.chimera.api.model;

/**
 * Version of the rows of a shard. Of two writes of the same row, the write with the higher version stands; writes with
 * equal versions have equal values.
 *
 * @param value 0 for rows without a cycle, such as rows of a job over a data set; otherwise 1 or more
 */
public record RowVersion(long value) implements Comparable<RowVersion> {
    /** Version of rows without a cycle. */
    public static final RowVersion NONE = new RowVersion(0);

    /**
     * Checks the version.
     *
     * @param value 0 or more
     */
    public RowVersion {
        if (value < 0) {
            throw new IllegalArgumentException("A row version is 0 or more, not " + value + ".");
        }
    }

    @Override
    public int compareTo(RowVersion other) {
        return Long.compare(value, other.value);
    }
}
