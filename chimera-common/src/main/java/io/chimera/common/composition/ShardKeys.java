package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Text;
import io.chimera.common.wire.SeriesHash;
import java.util.List;

/**
 * What the points of a pipeline are spread over partitions by, where it names keys ({@code after.keys}): each is a field, or else a
 * tag, and a point goes to the partition of each key that it has. The value alone counts: a user is the same as caller and as callee.
 * Any thread; allocates nothing.
 */
public final class ShardKeys {
    /** Instead of a partition: the point does not have the key. */
    public static final int NONE = -1;

    private final String[] names;
    private final int partitions;

    /**
     * The keys of a pipeline.
     *
     * @param names at least one
     * @param partitions how many there are
     */
    public ShardKeys(List<String> names, int partitions) {
        this.names = names.toArray(String[]::new);
        this.partitions = partitions;
    }

    /** Number of keys. */
    public int count() {
        return names.length;
    }

    /** Partition of a point by one of its keys; {@link #NONE} when it does not have that. */
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
