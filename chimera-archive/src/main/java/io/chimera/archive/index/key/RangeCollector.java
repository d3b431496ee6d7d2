package io.chimera.archive.index.key;

import io.chimera.api.HotPath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects the values of a range key in the interval in progress. Writer's thread. */
public final class RangeCollector {
    private final IndexKey key;
    private final long[] cells;
    private final @Nullable TopCounts top;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;

    public RangeCollector(IndexKey key) {
        this.key = key;
        cells = new long[key.cells() / Long.SIZE];
        top = key.top() == 0 ? null : new TopCounts(key.top());
    }

    @HotPath
    public void add(long value) {
        if (value < min) {
            min = value;
        }
        if (value > max) {
            max = value;
        }
        if (cells.length > 0) {
            int cell = key.cell(value);
            cells[cell >>> 6] |= 1L << cell;
        }
        if (top != null) {
            top.add(value);
        }
    }

    /** Ends the interval and starts the next. */
    public RangeSummary end() {
        RangeSummary summary = new RangeSummary(min, max, cells.clone(), top == null ? TopValues.NONE : top.end());
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
        Arrays.fill(cells, 0);
        return summary;
    }
}
