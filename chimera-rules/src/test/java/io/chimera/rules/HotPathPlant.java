package io.chimera.rules;

import io.chimera.api.HotPath;

/** An allocation two calls below the hot path, for {@link HotPathTest}. */
final class HotPathPlant {
    private Object last;

    @HotPath
    void run() {
        first();
    }

    private void first() {
        second();
    }

    private void second() {
        last = new Object();
    }

    Object last() {
        return last;
    }
}
