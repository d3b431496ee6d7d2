package io.chimera.apps.trending;

import java.time.Duration;

/**
 * Settings of the block {@code trending}.
 *
 * @param tag name of the ranked tag; default {@code tag}
 * @param count name of the field with the number of sightings; default {@code count}. A point without the field counts
 *     once
 * @param window length of the ranked time; older sightings do not count; default 10 min
 * @param slots number of slots in the window; all sightings in a slot have the same age; default 20
 * @param halfLife age at which a sighting counts half; default 2 min
 * @param top number of reported tags per partition; default 20
 * @param tags maximum number of tags per partition; default 100,000
 */
record TrendingSettings(
        String tag, String count, Duration window, Integer slots, Duration halfLife, Integer top, Integer tags) {
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final Duration HALF_LIFE = Duration.ofMinutes(2);
    private static final int SLOTS = 20;
    private static final int SLOTS_MAX = 1_000;
    private static final int TOP = 20;
    private static final int TOP_MAX = 10_000;

    /** 100,000 tags with 20 slots use 16 MB in a full partition. */
    private static final int TAGS = 100_000;

    private static final int TAGS_MAX = 10_000_000;

    TrendingSettings {
        tag = tag == null ? "tag" : tag;
        count = count == null ? "count" : count;
        window = window == null ? WINDOW : window;
        halfLife = halfLife == null ? HALF_LIFE : halfLife;
        slots = slots == null ? Integer.valueOf(SLOTS) : slots;
        top = top == null ? Integer.valueOf(TOP) : top;
        tags = tags == null ? Integer.valueOf(TAGS) : tags;
        check(!tag.isEmpty(), "tag is empty; expected the name of the ranked tag");
        check(!count.isEmpty(), "count is empty; expected the name of the summed field");
        check(slots >= 1 && slots <= SLOTS_MAX, "slots is " + slots + "; expected 1 to " + SLOTS_MAX + " slots");
        check(
                window.compareTo(Duration.ofMillis(slots)) >= 0 && window.compareTo(Duration.ofDays(365)) <= 0,
                "window is " + window + "; expected 1 ms per slot to 365 days");
        check(
                window.toMillis() % slots == 0,
                "window is " + window + ", not divisible into " + slots
                        + " slots of whole milliseconds; use another number of slots");
        check(halfLife.toMillis() >= 1, "half_life is " + halfLife + "; expected at least 1 ms");
        check(top >= 1 && top <= TOP_MAX, "top is " + top + "; expected 1 to " + TOP_MAX + " tags");
        check(tags >= top && tags <= TAGS_MAX, "tags is " + tags + "; expected top to " + TAGS_MAX + " tags");
    }

    private static void check(boolean good, String words) {
        if (!good) {
            throw new IllegalArgumentException(words);
        }
    }

    /** Returns the length of a slot in nanoseconds. */
    long slotNs() {
        return window.toNanos() / slots;
    }
}
