package io.chimera.bench.peers.job;

import java.util.HashMap;
import java.util.Map;

/** How many times each hashtag was seen. One thread. */
public final class TagCounts {
    /** Names what is counted, in results. */
    public static final String FIELD = "count";

    private final Map<String, long[]> counts = new HashMap<>();

    /** Nothing was seen. */
    public TagCounts() {}

    /** A hashtag was seen. */
    public void add(String tag) {
        long[] count = counts.get(tag);
        if (count == null) {
            count = new long[1];
            counts.put(tag, count);
        }
        count[0]++;
    }

    /** Adds the counts to results, and forgets them. */
    public void moveTo(ResultTable results) {
        counts.forEach((tag, count) -> add(results, tag, count[0]));
        counts.clear();
    }

    /** Adds how many times a tag was seen to results. */
    public static void add(ResultTable results, String tag, long count) {
        results.total(tag, FIELD).add(count, (double) count, 1, 1, 1, 0);
    }
}
