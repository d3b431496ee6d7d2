package io.chimera.common.config.binding;

/**
 * Number of lanes of a node, written as {@code auto} or as a number.
 *
 * @param fixed 1 to 64; 0 for {@link #AUTO}
 */
public record LaneCount(int fixed) {
    /** Number of lanes that follows from the size of the JVM. */
    public static final LaneCount AUTO = new LaneCount(0);

    /** Maximum number of lanes. */
    public static final int MAX = 64;

    private static final String AUTO_TEXT = "auto";

    /** Maximum result of {@link #AUTO}: each lane has a channel to every node of the other tier. */
    private static final int AUTO_MAX = 16;

    /** Processors for each lane: a lane keeps three threads and a part of two event loops busy. */
    private static final int PROCESSORS_PER_LANE = 4;

    /** Memory for each lane: staged groups or buffers of connections, and headroom for the garbage collector. */
    private static final long BYTES_PER_LANE = 128L << 20;

    /** Checks the range. */
    public LaneCount {
        if (fixed < 0 || fixed > MAX) {
            throw new IllegalArgumentException("A node has 1 to " + MAX + " lanes.");
        }
    }

    /**
     * Parses a number of lanes.
     *
     * @throws IllegalArgumentException for another format, or a number out of range
     */
    public static LaneCount parse(String text) {
        if (text.equals(AUTO_TEXT)) {
            return AUTO;
        }
        if (!text.matches("[1-9]\\d?")) {
            throw new IllegalArgumentException("no number of lanes");
        }
        return new LaneCount(Integer.parseInt(text));
    }

    /** Returns whether the number follows from the size of the JVM. */
    public boolean isAuto() {
        return fixed == 0;
    }

    /**
     * Returns the number of lanes in a JVM.
     *
     * @param processors processors that the JVM may use
     * @param bytes memory of the JVM, the smaller one of heap and direct memory
     */
    public int in(int processors, long bytes) {
        if (!isAuto()) {
            return fixed;
        }
        long byMemory = Math.min(AUTO_MAX, bytes / BYTES_PER_LANE);
        return (int) Math.max(1, Math.min(processors / PROCESSORS_PER_LANE, byMemory));
    }

    /** Formats the number as in the file. */
    @Override
    public String toString() {
        return isAuto() ? AUTO_TEXT : String.valueOf(fixed);
    }
}
