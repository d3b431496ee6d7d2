package io.chimera.archive.query.point;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.interval.IntervalHeader;
import io.chimera.archive.query.key.KeySet;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.common.error.ChimeraException;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Arbitrary bytes after a valid header are data points or are rejected as damaged. */
final class PointIntervalFuzz {
    private static final PointFilter FILTER = PointFilter.compile("metric=m or host=a or not value>1");

    @FuzzTest(maxDuration = "1m")
    void readsAnyBytes(byte[] bytes) {
        UnsafeBuffer record = new UnsafeBuffer(Arrays.copyOf(bytes, Math.max(bytes.length, IntervalHeader.BYTES)));
        PointInterval.HEADER.write(record, 1, Integer.MAX_VALUE, record.capacity(), 0, 0);
        PointInterval points = new PointInterval();
        try {
            points.wrap(record, 0, record.capacity());
            while (points.next()) {
                FILTER.matches(points.point());
                PointKeys.add(points.point(), new KeySet());
                points.rowHash();
                points.row();
            }
        } catch (ChimeraException e) {
            // rejected
        }
    }
}
