package io.chimera.common.plugin;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;

/**
 * Guarded parser of a plugin. After a failure, the rest of the chunk is rejected and goes to the dead letters; the
 * connection continues. Same threading as the parser.
 */
final class FencedParser implements Parser {
    private final PluginGuard fence;
    private final Watch watch;
    private final Parser parser;

    FencedParser(PluginGuard fence, Parser parser) {
        this.fence = fence;
        this.parser = parser;
        watch = fence.watch();
    }

    @Override
    public boolean parse(Chunk chunk, PointSink sink) {
        boolean isDone = true;
        try {
            fence.check();
            isDone = call(chunk, sink);
        } catch (PluginFailure e) {
            rejectRest(chunk, sink, e.getMessage());
        }
        return isDone;
    }

    private boolean call(Chunk chunk, PointSink sink) {
        Throwable thrown = null;
        boolean isDone = true;
        watch.enter("parse");
        try {
            isDone = parser.parse(chunk, sink);
        } catch (Throwable e) { // any error of a plugin
            thrown = e;
        }
        watch.exit(thrown);
        return isDone;
    }

    private static void rejectRest(Chunk chunk, PointSink sink, String reason) {
        int length = chunk.limit() - chunk.offset();
        if (length > 0) {
            sink.reject(chunk.bytes(), chunk.offset(), length, chunk.line(), reason);
            chunk.consumedTo(chunk.limit(), 0);
        }
    }

    @Override
    public void reset() {
        Throwable thrown = null;
        watch.enter("reset");
        try {
            parser.reset();
        } catch (Throwable e) {
            thrown = e;
        }
        exit(thrown);
    }

    @Override
    public void close() {
        Throwable thrown = null;
        watch.enter("close");
        try {
            parser.close();
        } catch (Throwable e) {
            thrown = e;
        }
        watch.close();
        exit(thrown);
    }

    /** Swallows the failure: without input there is nothing to reject. */
    private void exit(Throwable thrown) {
        try {
            watch.exit(thrown);
        } catch (PluginFailure e) {
            assert e.getMessage() != null; // already counted and reported
        }
    }
}
