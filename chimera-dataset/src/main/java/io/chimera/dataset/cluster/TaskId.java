package io.chimera.dataset.cluster;

/**
 * A piece of work of a job.
 *
 * @param kind kind of the work
 * @param number number of the split, or of the range of windows
 */
public record TaskId(Kind kind, int number) implements Comparable<TaskId> {
    /** Kind of the work. */
    public enum Kind {
        /** Compute a split. */
        SPLIT,
        /** Merge a range of windows and store the rows. */
        RANGE
    }

    /**
     * Creates the work on a split.
     *
     * @param number number of the split
     */
    public static TaskId split(int number) {
        return new TaskId(Kind.SPLIT, number);
    }

    /**
     * Creates the work on a range of windows.
     *
     * @param number number of the range
     */
    public static TaskId range(int number) {
        return new TaskId(Kind.RANGE, number);
    }

    @Override
    public int compareTo(TaskId other) {
        int kinds = kind.compareTo(other.kind);
        return kinds == 0 ? Integer.compare(number, other.number) : kinds;
    }

    @Override
    public String toString() {
        return (kind == Kind.SPLIT ? "split " : "range ") + number;
    }
}
