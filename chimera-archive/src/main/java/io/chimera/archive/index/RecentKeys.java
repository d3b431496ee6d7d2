package io.chimera.archive.index;

import io.chimera.api.HotPath;
import java.util.Arrays;

/** Keys added to the interval, one per place: a newer one displaces an older one. Writer's thread. */
final class RecentKeys {
    private static final int PLACES = 1 << 10;

    private final long[] places = new long[PLACES];

    /** 0 if the key was added, and not displaced since; otherwise 1, and it is remembered. A key is never 0. */
    @HotPath
    int isNew(long keyed) {
        int at = (int) keyed & (PLACES - 1);
        int isNew = places[at] == keyed ? 0 : 1;
        places[at] = keyed;
        return isNew;
    }

    /** Begins the next interval. */
    void clear() {
        Arrays.fill(places, 0);
    }
}
