package io.chimera.queue.parser.remotewrite;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;

/** Parser of one version of remote write, with the counts for the answer. */
public sealed interface RemoteWriteParser extends Parser permits RemoteWrite1Parser, RemoteWrite2Parser {
    /** Elements written since the last {@link #reset}. */
    WrittenCounts written();

    /** Rejects and consumes a body as a whole. */
    static void rejectBody(Chunk chunk, PointSink sink, RemoteWriteError error) {
        int length = Math.min(chunk.limit() - chunk.offset(), BodyLayout.TEXT_LENGTH_MAX);
        sink.reject(chunk.bytes(), chunk.offset(), length, chunk.line(), error.text());
        chunk.consumedTo(chunk.limit(), 0);
    }
}
