package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Text;
import io.chimera.common.wire.SeriesHash;
import java.util.List;

/**
 * Routes the points of a pipeline with {@code after.keys} to partitions. Each key names a field, or else a tag; a point
 * goes to one partition for each of its keys. Only the value determines the partition: a user has the same partition as
 * caller and as callee. Any thread; allocates nothing.
 */
public final class ShardKeys {
    /** Returned instead of a partition for a point without the key. */
    public static final int NONE = -1;

    private final String[] names;
    private final int partitions;

    /**
     * Creates the router of a pipeline.
     *
     * @param names names of the keys, at least one
     * @param partitions number of partitions
     */
    public ShardKeys(List<String> names, int partitions) {
        this.names = names.toArray(String[]::new);
        this.partitions = partitions;
    }

    /** Number of keys. */
    public int count() {
        return names.length;
    }

    /** Returns the partition of a point for one key, or {@link #NONE} for a point without the key. */
    @HotPath
    public int partition(PointFlyweight point, int key) {
        int field = point.field(names[key]);
        if (field >= 0) {
            return SeriesHash.shard(point.hash(field), partitions);
        }
        Text tag = point.tag(names[key]);
        return tag == null ? NONE : SeriesHash.shard(tag.hash(), partitions);
    }
}
