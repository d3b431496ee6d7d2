package io.chimera.archive.index.key;

import io.chimera.api.HotPath;
import java.util.Arrays;

/** Cache of keys added to the interval, one per slot: a newer key displaces an older key. Writer's thread. */
public final class RecentKeys {
    private static final int PLACES = 1 << 10;

    private final long[] places = new long[PLACES];

    /** Returns 0 if the key is cached; otherwise 1, and caches the key. A key is never 0. */
    @HotPath
    public int isNew(long keyed) {
        int at = (int) keyed & (PLACES - 1);
        int isNew = places[at] == keyed ? 0 : 1;
        places[at] = keyed;
        return isNew;
    }

    /** Starts the next interval. */
    public void clear() {
        Arrays.fill(places, 0);
    }
}
