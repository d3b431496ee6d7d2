package io.chimera.archive.index;

import io.chimera.api.HotPath;

/** Tokens of 128 bits, and in which interval each was seen last; one per place: a newer one displaces an older one. Writer's thread. */
final class RecentTokens {
    /** Not seen since the group began, as far as is known. */
    static final int NEW = 0;
    /** Seen since the group began. */
    static final int IN_GROUP = 1;
    /** Seen since the interval began. */
    static final int IN_INTERVAL = 2;

    private static final int PLACES_SHIFT = 13; // 256 KiB
    private static final int PLACE_SHIFT = 2;
    private static final long FIRST = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND = 0xC2B2_AE3D_27D4_EB4FL;

    private final long[] places = new long[1 << (PLACES_SHIFT + PLACE_SHIFT)]; // first, second, interval, nothing
    private long interval = 1;
    private long firstInterval = 1; // of the group

    /** When it was seen last; now it is. A token of zeros is never remembered. */
    @HotPath
    int seen(long first, long second) {
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

    /** Begins the next interval. */
    void nextInterval() {
        interval++;
    }

    /** The interval is the first of a group. */
    void nextGroup() {
        firstInterval = interval;
    }
}
