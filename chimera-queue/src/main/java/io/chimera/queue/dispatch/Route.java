package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.composition.ShardKeys;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.MetricFilter;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import io.chimera.common.wire.Slice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Route of one pipeline: selects the records of the pipeline and computes their shards. One thread. */
final class Route {
    /** Result of {@link #shard} for a series outside the pipeline. */
    static final int NO_SHARD = -1;

    /** Result of {@link #shard} when blocks run first: the points emitted by the blocks have shards. */
    static final int BEFORE = -2;

    /** Result of {@link #shard} when the keys of each record determine the shards. */
    static final int KEYED = -3;

    /** Takes no records: placeholder for a pipeline outside a replay. */
    static final Route NONE = new Route(
            new boolean[0], new MetricFilter(""), AggregateConfig.DEFAULT, null, new Distribution(null, 0, null));

    private final boolean[] inputs;
    private final MetricFilter where;
    private final GroupKey groupKey;
    private final AggregateConfig aggregate;
    private final QueueComposition before;

    /** Keys that distribute the points; null when the group distributes them. */
    private final ShardKeys keys;

    /** Number of key partitions when shards consist of partitions; 0 otherwise. */
    private final int partitions;

    /** Requested partitions of a past cycle; null for a live cycle. */
    private final BitSet wanted;

    /** Distribution of the points to shards; the fields of the same names explain the components. */
    private record Distribution(ShardKeys keys, int partitions, BitSet wanted) {}

    private Route(
            boolean[] inputs,
            MetricFilter where,
            AggregateConfig aggregate,
            QueueComposition before,
            Distribution distribution) {
        this.inputs = inputs;
        this.where = where;
        this.aggregate = aggregate;
        groupKey = GroupKey.of(aggregate.by(), aggregate.without());
        this.before = before;
        keys = distribution.keys();
        partitions = distribution.partitions();
        wanted = distribution.wanted();
    }

    /**
     * Returns the route for requested partitions of a past cycle. All requested partitions are shard 0; other
     * partitions have no shard.
     */
    Route past(BitSet partitionsWanted) {
        return new Route(inputs, where, aggregate, before, new Distribution(keys, partitions, partitionsWanted));
    }

    /** Whether the shards of the pipeline consist of partitions, as required for blocks with state. */
    boolean hasPartitions() {
        return partitions > 0;
    }

    /**
     * Creates the routes of all pipelines; the index of a route is the ordinal of its pipeline.
     *
     * @param pipelines pipelines by name
     * @param inputNames names of all inputs
     * @param befores compositions before sharding, by pipeline name
     * @param partitions number of key partitions by pipeline name, for pipelines whose shards consist of partitions
     */
    static List<Route> of(
            Map<String, PipelineConfig> pipelines,
            SortedSet<String> inputNames,
            Map<String, QueueComposition> befores,
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
                    new MetricFilter(pipeline.where()),
                    pipeline.aggregate(),
                    befores.get(name),
                    new Distribution(keys.isEmpty() ? null : new ShardKeys(keys, ofRoute), ofRoute, null)));
        });
        return routes;
    }

    /** Creates the pre-aggregation for a part of a shard of a cycle; null when disabled. */
    HotSeries hotSeries(long clockMs) {
        if (aggregate.combineAfter() == 0) {
            return null;
        }
        long lateAfterNs = aggregate.lateAfter().toNanos();
        long earliestNs = lateAfterNs == 0 ? Long.MIN_VALUE : TimeUnit.MILLISECONDS.toNanos(clockMs) - lateAfterNs;
        return new HotSeries(aggregate.combineAfter(), earliestNs);
    }

    /** Whether the pipeline takes records of an input. */
    @HotPath
    boolean takesInput(int input) {
        return input < inputs.length && inputs[input];
    }

    /** Composition before sharding, or null. */
    QueueComposition before() {
        return before;
    }

    /** Whether records of one series may go to several shards by their keys. */
    boolean isKeyed() {
        return keys != null;
    }

    /**
     * Shard of the records of a series; {@link #NO_SHARD} when the pipeline takes no record of the series, {@link
     * #BEFORE}, or {@link #KEYED}.
     */
    int shard(SeriesFlyweight series, int shards) {
        if (!where.matches(series)) {
            return NO_SHARD;
        }
        if (before != null) {
            return BEFORE;
        }
        return keys == null ? shardOf(series, shards) : KEYED;
    }

    /** Slice key of a series within its shard: derived from the group, or from the partition. */
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

    /** Finds the shards of a point. The metric of the point is not checked. */
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
}
