package io.chimera.processor.pipeline;

import io.chimera.api.model.SeriesKey;
import java.util.Comparator;
import java.util.List;

/**
 * Groups with most values in the newest cycle with a shard flushed by this processor.
 *
 * @param cycle the cycle; 0 before the first
 * @param points data points aggregated in the shards of the cycle on this processor
 * @param groups in descending order of values
 */
public record TopGroups(long cycle, long points, List<Group> groups) {
    /** Value before the first flush. */
    public static final TopGroups NONE = new TopGroups(0, 0, List.of());

    /** Takes an unmodifiable copy. */
    public TopGroups {
        groups = List.copyOf(groups);
    }

    /**
     * Returns the heaviest groups of several lanes in their newest cycle, as many as the lane with most groups has. No
     * two lanes have the same group.
     */
    public static TopGroups together(List<TopGroups> lanes) {
        long newest = lanes.stream().mapToLong(TopGroups::cycle).max().orElse(0);
        List<TopGroups> ofNewest =
                lanes.stream().filter(lane -> lane.cycle == newest).toList();
        int most = ofNewest.stream().mapToInt(lane -> lane.groups.size()).max().orElse(0);
        return new TopGroups(
                newest,
                ofNewest.stream().mapToLong(TopGroups::points).sum(),
                ofNewest.stream()
                        .flatMap(lane -> lane.groups.stream())
                        .sorted(Comparator.comparingLong(Group::values).reversed())
                        .limit(most)
                        .toList());
    }

    /**
     * A heavy group.
     *
     * @param pipeline name of the pipeline
     * @param key metric and tags of the group
     * @param values number of values of the fullest field of the group
     */
    public record Group(String pipeline, SeriesKey key, long values) {}
}
