package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import java.util.Arrays;

/** A set of small numbers. One thread; allocates only where it grows. */
final class NumberSet {
    private long[] words = new long[16];

    NumberSet() {}

    @HotPath
    boolean has(int number) {
        int word = number >>> 6;
        return word < words.length && (words[word] >>> number & 1) != 0;
    }

    /** Adds a number; false when it was there. */
    @HotPath
    boolean add(int number) {
        if (has(number)) {
            return false;
        }
        int word = number >>> 6;
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, 2 * words.length));
        }
        words[word] |= 1L << number;
        return true;
    }

    void clear() {
        Arrays.fill(words, 0);
    }
}
