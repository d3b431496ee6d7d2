package io.chimera.archive.index.key;

import io.chimera.api.HotPath;

/**
 * Cache of 128-bit tokens with the interval of their last use, one per slot: a newer token displaces an older token.
 * Writer's thread.
 */
public final class RecentTokens {
    /** Not seen in this group, as far as known. */
    public static final int NEW = 0;
    /** Seen in this group. */
    static final int IN_GROUP = 1;
    /** Seen in this interval. */
    public static final int IN_INTERVAL = 2;

    private static final int PLACES_SHIFT = 13; // 256 KiB
    private static final int PLACE_SHIFT = 2;
    private static final long FIRST = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND = 0xC2B2_AE3D_27D4_EB4FL;

    private final long[] places = new long[1 << (PLACES_SHIFT + PLACE_SHIFT)]; // first, second, interval, unused
    private long interval = 1;
    private long firstInterval = 1; // first interval of the group

    /** Returns the last use of a token and records the current use. A token of zeros is never remembered. */
    @HotPath
    public int seen(long first, long second) {
        int at = (int) (((first * FIRST) ^ (second * SECOND)) >>> (Long.SIZE - PLACES_SHIFT)) << PLACE_SHIFT;
        boolean isSame = ((places[at] ^ first) | (places[at + 1] ^ second)) == 0;
        long last = isSame ? places[at + 2] : 0;
        if (last == interval) {
            return IN_INTERVAL;
        }
        if ((first | second) == 0) {
            return NEW;
        }
        places[at] = first;
        places[at + 1] = second;
        places[at + 2] = interval;
        return last >= firstInterval ? IN_GROUP : NEW;
    }

    /** Starts the next interval. */
    public void nextInterval() {
        interval++;
    }

    /** Starts a group with the current interval. */
    public void nextGroup() {
        firstInterval = interval;
    }
}
