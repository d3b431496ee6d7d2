package io.chimera.processor.store.postgresql;

import io.chimera.api.model.CycleNumber;
import io.chimera.api.model.PipelineName;
import io.chimera.api.model.PipelinesDigest;
import io.chimera.api.model.Row;
import io.chimera.api.model.RowOrder;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.model.SliceIndex;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.ShardWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of cycles for tests with several processes: a function of cycle and number of shards. */
final class PostgresRows {
    /** Rows of a cycle. */
    static final int ROWS = 40;

    /** Base of the numbers of replay cycles. */
    static final long REPLAYS = 1_000_000_000_000_000L;

    private PostgresRows() {}

    static long timeMs(long cycle) {
        return 1_700_000_000_000L + 10_000 * cycle;
    }

    /** Returns the rows of a shard of a cycle, in order. */
    static List<Row> of(long cycle, ShardIndex shard) {
        List<Row> rows = new ArrayList<>();
        for (int i = shard.index(); i < ROWS; i += shard.count()) {
            Tags tags = Tags.of(Map.of("host", "h" + i));
            rows.add(
                    i % 3 == 0
                            ? Row.ofLong("cpu.user.count", tags, timeMs(cycle), cycle + i)
                            : Row.ofDouble("cpu.user.mean", tags, timeMs(cycle), cycle + i / 7.0));
        }
        rows.sort(RowOrder.BY_IDENTITY);
        return rows;
    }

    static ShardWrite live(long cycle, ShardIndex shard, int attempt) {
        return shard(new CycleNumber(cycle), null, timeMs(cycle), shard, attempt);
    }

    static ShardWrite replay(long cycle, ShardIndex shard) {
        return shard(new CycleNumber(REPLAYS + cycle), new CycleNumber(cycle), timeMs(cycle), shard, 0);
    }

    private static ShardWrite shard(
            CycleNumber cycle, @Nullable CycleNumber repeats, long timeMs, ShardIndex shard, int attempt) {
        return new ShardWrite(
                cycle,
                repeats,
                timeMs,
                new PipelineName("p"),
                shard,
                SliceIndex.WHOLE,
                attempt,
                new PipelinesDigest("d"));
    }
}
