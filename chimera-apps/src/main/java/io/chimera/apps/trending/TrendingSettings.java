package io.chimera.apps.trending;

import java.time.Duration;

/**
 * Settings of the block {@code trending}.
 *
 * @param tag name of the tag that is ranked; default {@code tag}
 * @param count name of the field that says how many times it was seen; default {@code count}. A point without it counts once
 * @param window what is older does not count; default 10 min
 * @param slots into which the window is cut; what is of one slot has one age; default 20
 * @param halfLife after which a sighting counts half; default 2 min
 * @param top how many of each partition are told; default 20
 * @param tags the most tags that a partition knows; default 100,000
 */
record TrendingSettings(
        String tag, String count, Duration window, Integer slots, Duration halfLife, Integer top, Integer tags) {
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final Duration HALF_LIFE = Duration.ofMinutes(2);
    private static final int SLOTS = 20;
    private static final int SLOTS_MAX = 1_000;
    private static final int TOP = 20;
    private static final int TOP_MAX = 10_000;

    /** 100,000 tags of 20 slots are 16 MB for each partition that is full. */
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
        check(!tag.isEmpty(), "tag is empty; name the tag that is ranked");
        check(!count.isEmpty(), "count is empty; name the field that is summed");
        check(slots >= 1 && slots <= SLOTS_MAX, "slots is " + slots + "; 1 to " + SLOTS_MAX + " are possible");
        check(
                window.compareTo(Duration.ofMillis(slots)) >= 0 && window.compareTo(Duration.ofDays(365)) <= 0,
                "window is " + window + "; 1 ms for each slot to a year are possible");
        check(
                window.toMillis() % slots == 0,
                "window is " + window + ", which " + slots
                        + " slots of whole milliseconds do not fill; take other slots");
        check(halfLife.toMillis() >= 1, "half_life is " + halfLife + "; at least 1 ms is possible");
        check(top >= 1 && top <= TOP_MAX, "top is " + top + "; 1 to " + TOP_MAX + " are possible");
        check(tags >= top && tags <= TAGS_MAX, "tags is " + tags + "; top to " + TAGS_MAX + " are possible");
    }

    private static void check(boolean good, String words) {
        if (!good) {
            throw new IllegalArgumentException(words);
        }
    }

    /** Length of a slot, nanoseconds. */
    long slotNs() {
        return window.toNanos() / slots;
    }
}
