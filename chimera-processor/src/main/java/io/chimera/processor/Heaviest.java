package io.chimera.processor;

import io.chimera.api.model.SeriesKey;
import java.util.List;

/**
 * The groups to which most values came, of the newest cycle of which this processor flushed a shard.
 *
 * @param cycle the cycle; 0 before the first
 * @param points data points that went into the groups of its shards here
 * @param groups the heaviest one first
 */
public record Heaviest(long cycle, long points, List<Group> groups) {
    /** Nothing was flushed yet. */
    public static final Heaviest NONE = new Heaviest(0, 0, List.of());

    /** Takes an unmodifiable copy. */
    public Heaviest {
        groups = List.copyOf(groups);
    }

    /**
     * A heavy group.
     *
     * @param pipeline whose group it is
     * @param key metric and tags that it is grouped by
     * @param values that came to the one of its fields to which most came
     */
    public record Group(String pipeline, SeriesKey key, long values) {}
}
