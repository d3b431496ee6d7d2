package io.chimera.dataset.format.text;

/** Reads booleans: true, t and 1; false, f and 0; in upper or lower case. */
final class TruthText {
    /** Result for any other text. */
    static final long NEITHER = -1;

    private TruthText() {}

    /** Returns 1, 0 or {@link #NEITHER}. */
    static long read(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length == 1) {
            return switch (bytes[from]) {
                case '1', 't', 'T' -> 1;
                case '0', 'f', 'F' -> 0;
                default -> NEITHER;
            };
        }
        if (is("true", bytes, from, length)) {
            return 1;
        }
        return is("false", bytes, from, length) ? 0 : NEITHER;
    }

    private static boolean is(String lower, byte[] bytes, int from, int length) {
        if (length != lower.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if ((bytes[from + i] | 0x20) != lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
