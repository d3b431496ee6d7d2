package io.chimera.archive.index;

import io.chimera.api.HotPath;
import java.util.Arrays;

/** Tokens of 128 bits seen in the interval, one per place: a newer one displaces an older one. Writer's thread. */
final class RecentTokens {
    private static final int PLACES_SHIFT = 9;
    private static final long FIRST = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND = 0xC2B2_AE3D_27D4_EB4FL;

    private final long[] tokens = new long[2 << PLACES_SHIFT];

    /** Whether it was seen, and not displaced since; if not, it is remembered. A token of zeros is never remembered. */
    @HotPath
    boolean seen(long first, long second) {
        int at = (int) (((first * FIRST) ^ (second * SECOND)) >>> (Long.SIZE - PLACES_SHIFT)) << 1;
        if (tokens[at] == first && tokens[at + 1] == second) {
            return (first | second) != 0;
        }
        tokens[at] = first;
        tokens[at + 1] = second;
        return false;
    }

    /** Begins the next interval. */
    void clear() {
        Arrays.fill(tokens, 0);
    }
}
