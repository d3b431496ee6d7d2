package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.config.AggregateConfig;
import io.chimera.common.config.PipelineConfig;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/** One pipeline as the channel manager sees it: which records it takes and which shard each belongs to. One thread. */
final class Route {
    /** Result of {@link #shard} for a series that the pipeline does not take. */
    static final int NO_SHARD = -1;

    /** Result of {@link #shard} for a series that blocks take first: what they emit has shards. */
    static final int BEFORE = -2;

    private static final byte ANY = '*';

    /** Takes nothing: the place of a pipeline that has no part in a replay. */
    static final Route NONE = new Route(new boolean[0], "", AggregateConfig.DEFAULT, null);

    private final boolean[] inputs;
    private final byte[] where;
    private final GroupKey groupKey;
    private final int combineAfter;
    private final long lateAfterNs;
    private final Before before;

    private Route(boolean[] inputs, String where, AggregateConfig aggregate, Before before) {
        this.inputs = inputs;
        this.where = where.getBytes(StandardCharsets.UTF_8);
        groupKey = GroupKey.of(aggregate.by(), aggregate.without());
        combineAfter = aggregate.combineAfter();
        lateAfterNs = aggregate.lateAfter().toNanos();
        this.before = before;
    }

    /**
     * The routes of all pipelines; the index of each is the pipeline's ordinal.
     *
     * @param pipelines pipelines by name
     * @param inputNames names of all inputs
     * @param befores compositions ahead of the shard, by the names of their pipelines
     */
    static List<Route> of(
            Map<String, PipelineConfig> pipelines, SortedSet<String> inputNames, Map<String, Before> befores) {
        List<String> ordered = List.copyOf(inputNames);
        List<Route> routes = new ArrayList<>();
        new TreeMap<>(pipelines).forEach((name, pipeline) -> {
            boolean[] taken = new boolean[ordered.size()];
            for (int i = 0; i < taken.length; i++) {
                taken[i] = pipeline.inputs().isEmpty() || pipeline.inputs().contains(ordered.get(i));
            }
            routes.add(new Route(taken, pipeline.where(), pipeline.aggregate(), befores.get(name)));
        });
        return routes;
    }

    /** What puts the records of its hot series together in a part of a shard of a cycle; null where that is not wanted. */
    HotSeries hotSeries(long cycleTimeMs) {
        if (combineAfter == 0) {
            return null;
        }
        long earliestNs = lateAfterNs == 0 ? Long.MIN_VALUE : TimeUnit.MILLISECONDS.toNanos(cycleTimeMs) - lateAfterNs;
        return new HotSeries(combineAfter, earliestNs);
    }

    /** Whether the pipeline takes what came by an input. */
    @HotPath
    boolean takesInput(int input) {
        return input < inputs.length && inputs[input];
    }

    /** The composition ahead of the shard, or null. */
    Before before() {
        return before;
    }

    /** Shard of the records of a series; {@link #NO_SHARD} when the pipeline takes none of them, or {@link #BEFORE}. */
    int shard(SeriesFlyweight series, int shards) {
        if (!matches(series)) {
            return NO_SHARD;
        }
        return before == null ? shardOf(series, shards) : BEFORE;
    }

    /** Shard of the points of a series that comes to the shards, whatever its metric. */
    @HotPath
    int shardOf(SeriesFlyweight series, int shards) {
        groupKey.of(series);
        return SeriesHash.shard(groupKey.hash(), shards);
    }

    /** Wildcard match without recursion: on a mismatch the last star takes one byte more. */
    private boolean matches(SeriesFlyweight series) {
        DirectBuffer buffer = series.buffer();
        int start = series.metric() + 2;
        int length = series.sizeAt(series.metric());
        int pattern = 0;
        int text = 0;
        int starPattern = -1;
        int starText = 0;
        while (text < length) {
            if (pattern < where.length && where[pattern] == ANY) {
                starPattern = ++pattern;
                starText = text;
            } else if (pattern < where.length && where[pattern] == buffer.getByte(start + text)) {
                pattern++;
                text++;
            } else if (starPattern >= 0) {
                pattern = starPattern;
                text = ++starText;
            } else {
                return false;
            }
            if (pattern == where.length && starPattern == pattern) {
                return true;
            }
        }
        while (pattern < where.length && where[pattern] == ANY) {
            pattern++;
        }
        return pattern == where.length;
    }
}
