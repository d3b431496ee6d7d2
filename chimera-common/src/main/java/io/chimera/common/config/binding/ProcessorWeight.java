package io.chimera.common.config.binding;

/**
 * Weight of a processor in the distribution of shards, written as {@code auto} or as a number.
 *
 * @param fixed 1 to 100; 0 for {@link #AUTO}
 */
public record ProcessorWeight(int fixed) {
    /** Weight that the conductor measures. */
    public static final ProcessorWeight AUTO = new ProcessorWeight(0);

    /** Maximum weight. */
    public static final int MAX = 100;

    private static final String AUTO_TEXT = "auto";

    /** Checks the range. */
    public ProcessorWeight {
        if (fixed < 0 || fixed > MAX) {
            throw new IllegalArgumentException("A processor has a weight of 1 to " + MAX + ".");
        }
    }

    /**
     * Parses a weight.
     *
     * @throws IllegalArgumentException for another format, or a number out of range
     */
    public static ProcessorWeight parse(String text) {
        if (text.equals(AUTO_TEXT)) {
            return AUTO;
        }
        if (!text.matches("[1-9]\\d{0,2}")) {
            throw new IllegalArgumentException("no weight");
        }
        return new ProcessorWeight(Integer.parseInt(text));
    }

    /** Formats the weight as in the file. */
    @Override
    public String toString() {
        return fixed == 0 ? AUTO_TEXT : String.valueOf(fixed);
    }
}
