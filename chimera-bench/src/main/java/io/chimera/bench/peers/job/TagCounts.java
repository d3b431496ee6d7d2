package io.chimera.bench.peers.job;

import java.util.HashMap;
import java.util.Map;

/** Counts of hashtags. One thread. */
public final class TagCounts {
    /** Name of counts in results. */
    public static final String FIELD = "count";

    private final Map<String, long[]> counts = new HashMap<>();

    /** Creates empty counts. */
    public TagCounts() {}

    /** Counts a hashtag. */
    public void add(String tag) {
        long[] count = counts.get(tag);
        if (count == null) {
            count = new long[1];
            counts.put(tag, count);
        }
        count[0]++;
    }

    /** Moves the counts to results. */
    public void moveTo(ResultTable results) {
        counts.forEach((tag, count) -> add(results, tag, count[0]));
        counts.clear();
    }

    /** Adds the count of a tag to results. */
    public static void add(ResultTable results, String tag, long count) {
        results.total(tag, FIELD).add(count, (double) count, 1, 1, 1, 0);
    }
}
