package io.chimera.archive.query.point;

import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.encode.RecordEncoder;
import org.agrona.concurrent.UnsafeBuffer;

/** Data points in the encoding of batches. */
public final class Points {
    private Points() {}

    public static PointFlyweight cpu() {
        PointBytes point = new PointBytes("cpu")
                .tag("host", "web1")
                .tag("stream", "s1")
                .field("load", 0.75)
                .field("count", 9_007_199_254_740_993L)
                .field("up", true)
                .field("note", "two words")
                .time(1_700_000_000_000_000_000L);
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[1 << 12]);
        int length = point.encode(new RecordEncoder(), buffer, 0, buffer.capacity());
        BodyReader reader = new BodyReader().wrap(buffer, 0, length);
        reader.nextRecord();
        return new PointFlyweight().wrap(reader.seriesOfRecord(), reader.fieldsOfRecord(), reader.record());
    }
}
