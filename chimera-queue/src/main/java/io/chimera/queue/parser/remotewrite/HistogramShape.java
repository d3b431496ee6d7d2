package io.chimera.queue.parser.remotewrite;

import io.chimera.queue.parser.protobuf.WireShape;

/** Structure of a native histogram, the same in both versions: spans and packed arrays of buckets. */
final class HistogramShape {
    static final WireShape SHAPE = new WireShape()
            .message(8, new WireShape())
            .varints(9)
            .fixed64s(10)
            .message(11, new WireShape())
            .varints(12)
            .fixed64s(13)
            .fixed64s(16);

    private HistogramShape() {}
}
