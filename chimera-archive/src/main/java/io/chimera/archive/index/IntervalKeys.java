package io.chimera.archive.index;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * The distinct keys of the interval that is being written, each hashed once and superimposed when the interval ends, when
 * their number is known. An open hash table that grows within its bound, and a list. Writer's thread.
 */
final class IntervalKeys {
    private static final int TABLE_MIN = 1 << 10;
    /** A chain is not followed further: whoever makes keys collide gets a longer signature, not a slower writer. */
    private static final int CHAIN_MAX = 32;

    private final long[] table;
    private final long[] distinct;
    private int mask = TABLE_MIN - 1;
    private int size;
    private boolean isOverflown;

    /** For so many distinct keys. */
    IntervalKeys(int keysMax) {
        distinct = new long[keysMax];
        table = new long[Math.max(TABLE_MIN, 2 * Integer.highestOneBit(2 * keysMax - 1))];
    }

    /** Adds a key, see {@link KeyBits#keyed}. */
    @HotPath
    void add(long keyed) {
        int at = (int) keyed & mask;
        for (int i = 0; i < CHAIN_MAX; i++) {
            long held = table[at];
            if (held == keyed) {
                return;
            }
            if (held == 0) {
                append(keyed, at);
                return;
            }
            at = (at + 1) & mask;
        }
        append(keyed, at);
    }

    /** The last place of a chain that is too long is overwritten: its key may be added once more. */
    private void append(long keyed, int at) {
        if (size == distinct.length) {
            isOverflown = true;
            return;
        }
        table[at] = keyed;
        distinct[size++] = keyed;
        if (2 * size > mask && mask + 1 < table.length) {
            grow();
        }
    }

    private void grow() {
        Arrays.fill(table, 0, mask + 1, 0);
        mask = 2 * mask + 1;
        for (int i = 0; i < size; i++) {
            int at = (int) distinct[i] & mask;
            for (int step = 0; step < CHAIN_MAX && table[at] != 0; step++) {
                at = (at + 1) & mask;
            }
            table[at] = distinct[i];
        }
    }

    /** Distinct keys. */
    int size() {
        return size;
    }

    /** The i-th. */
    long get(int i) {
        return distinct[i];
    }

    /** Whether keys were left out because there were too many. */
    boolean isOverflown() {
        return isOverflown;
    }

    /** Begins the next interval. The table stays as large as this one needed. */
    void clear() {
        Arrays.fill(table, 0, mask + 1, 0);
        while (mask >= 2 * TABLE_MIN - 1 && 4 * size < mask) {
            mask >>>= 1;
        }
        size = 0;
        isOverflown = false;
    }
}
