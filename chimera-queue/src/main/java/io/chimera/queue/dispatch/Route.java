package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.composition.ShardKeys;
import io.chimera.common.config.AggregateConfig;
import io.chimera.common.config.PipelineConfig;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import io.chimera.common.wire.Slice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
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

    /** Result of {@link #shard} for a series of which each record has the shards of its own keys. */
    static final int KEYED = -3;

    private static final byte ANY = '*';

    /** Takes nothing: the place of a pipeline that has no part in a replay. */
    static final Route NONE = new Route(new boolean[0], new byte[0], AggregateConfig.DEFAULT, null, null, 0, null);

    private final boolean[] inputs;
    private final byte[] where;
    private final GroupKey groupKey;
    private final AggregateConfig aggregate;
    private final Before before;

    /** By which points are spread; null where it is the group that decides. */
    private final ShardKeys keys;

    /** Of the keys, where shards are made of them; 0 where they are not. */
    private final int partitions;

    /** What is wanted of a past cycle; null otherwise. */
    private final BitSet wanted;

    private Route(
            boolean[] inputs,
            byte[] where,
            AggregateConfig aggregate,
            Before before,
            ShardKeys keys,
            int partitions,
            BitSet wanted) {
        this.inputs = inputs;
        this.where = where;
        this.aggregate = aggregate;
        groupKey = GroupKey.of(aggregate.by(), aggregate.without());
        this.before = before;
        this.keys = keys;
        this.partitions = partitions;
        this.wanted = wanted;
    }

    /** The same for a past cycle, of which some partitions are wanted: they are shard 0, and the others no shard at all. */
    Route past(BitSet partitionsWanted) {
        return new Route(inputs, where, aggregate, before, keys, partitions, partitionsWanted);
    }

    /** Whether the shards of the pipeline are made of partitions, as they are where blocks keep state. */
    boolean hasPartitions() {
        return partitions > 0;
    }

    /**
     * The routes of all pipelines; the index of each is the pipeline's ordinal.
     *
     * @param pipelines pipelines by name
     * @param inputNames names of all inputs
     * @param befores compositions ahead of the shard, by the names of their pipelines
     * @param partitions of the keys by pipeline, where shards are made of them
     */
    static List<Route> of(
            Map<String, PipelineConfig> pipelines,
            SortedSet<String> inputNames,
            Map<String, Before> befores,
            Map<String, Integer> partitions) {
        List<String> ordered = List.copyOf(inputNames);
        List<Route> routes = new ArrayList<>();
        new TreeMap<>(pipelines).forEach((name, pipeline) -> {
            boolean[] taken = new boolean[ordered.size()];
            for (int i = 0; i < taken.length; i++) {
                taken[i] = pipeline.inputs().isEmpty() || pipeline.inputs().contains(ordered.get(i));
            }
            int ofRoute = partitions.getOrDefault(name, 0);
            List<String> keys =
                    pipeline.after() == null ? List.of() : pipeline.after().keys();
            routes.add(new Route(
                    taken,
                    pipeline.where().getBytes(StandardCharsets.UTF_8),
                    pipeline.aggregate(),
                    befores.get(name),
                    keys.isEmpty() ? null : new ShardKeys(keys, ofRoute),
                    ofRoute,
                    null));
        });
        return routes;
    }

    /** What puts the records of its hot series together in a part of a shard of a cycle; null where that is not wanted. */
    HotSeries hotSeries(long clockMs) {
        if (aggregate.combineAfter() == 0) {
            return null;
        }
        long lateAfterNs = aggregate.lateAfter().toNanos();
        long earliestNs = lateAfterNs == 0 ? Long.MIN_VALUE : TimeUnit.MILLISECONDS.toNanos(clockMs) - lateAfterNs;
        return new HotSeries(aggregate.combineAfter(), earliestNs);
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

    /** Whether records have shards of their own, so that those of a series go to several. */
    boolean isKeyed() {
        return keys != null;
    }

    /**
     * Shard of the records of a series; {@link #NO_SHARD} when the pipeline takes none of them, {@link #BEFORE}, or
     * {@link #KEYED}.
     */
    int shard(SeriesFlyweight series, int shards) {
        if (!matches(series)) {
            return NO_SHARD;
        }
        if (before != null) {
            return BEFORE;
        }
        return keys == null ? shardOf(series, shards) : KEYED;
    }

    /** The key of a series' group, or of its partition, in the slices of its shard. */
    @HotPath
    int slice(SeriesFlyweight series, int shards) {
        groupKey.of(series);
        return sliceOfGroup(shards);
    }

    @HotPath
    private int sliceOfGroup(int shards) {
        return partitions == 0
                ? SeriesHash.slice(groupKey.hash(), shards)
                : Slice.key(SeriesHash.shard(groupKey.hash(), partitions), shards);
    }

    /** Finds the shards of a point that comes to the shards, whatever its metric. */
    @HotPath
    void shardsOf(PointFlyweight point, int shards, PointShards found) {
        found.clear();
        if (keys == null) {
            SeriesFlyweight series = point.series();
            int shard = shardOf(series, shards);
            found.add(shard, sliceOfGroup(shards));
            return;
        }
        for (int key = 0; key < keys.count(); key++) {
            int partition = keys.partition(point, key);
            if (partition != ShardKeys.NONE) {
                found.add(shardOf(partition, shards), Slice.key(partition, shards));
            }
        }
    }

    @HotPath
    private int shardOf(SeriesFlyweight series, int shards) {
        groupKey.of(series);
        if (partitions == 0) {
            return SeriesHash.shard(groupKey.hash(), shards);
        }
        return shardOf(SeriesHash.shard(groupKey.hash(), partitions), shards);
    }

    @HotPath
    private int shardOf(int partition, int shards) {
        if (wanted == null) {
            return partition % shards;
        }
        return wanted.get(partition) ? 0 : NO_SHARD;
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
