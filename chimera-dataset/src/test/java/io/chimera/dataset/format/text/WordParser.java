package io.chimera.dataset.format.text;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;

/**
 * Tiny line parser: {@code metric number}. Within double quotes a metric may contain line feeds, and then an unclosed
 * quote waits for more input. Allocates nothing for good lines.
 */
final class WordParser implements Parser {
    private static final byte[] FIELD = {'v'};

    int resets;

    @Override
    public boolean parse(Chunk chunk, PointSink sink) {
        byte[] bytes = chunk.bytes();
        while (!chunk.isEmpty()) {
            int start = chunk.offset();
            int from = start;
            int feeds = 0;
            if (bytes[start] == '"') {
                from = LineScan.indexOf(bytes, start + 1, chunk.limit(), '"');
                if (from == chunk.limit() && !chunk.last()) {
                    return true;
                }
                for (int i = start; i < from; i++) {
                    feeds += bytes[i] == '\n' ? 1 : 0;
                }
            }
            int lineFeed = LineScan.indexOf(bytes, from, chunk.limit(), '\n');
            if (lineFeed == chunk.limit() && !chunk.last()) {
                return true;
            }
            int end = lineFeed > start && bytes[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
            if (end > start) {
                take(bytes, start, from, end, chunk.line(), sink);
            }
            chunk.consumedTo(Math.min(lineFeed + 1, chunk.limit()), feeds + 1);
        }
        return true;
    }

    private static void take(byte[] bytes, int start, int from, int end, long line, PointSink sink) {
        int space = LineScan.indexOf(bytes, from, end, ' ');
        long negated = space < end ? DecimalText.negated(bytes, space + 1, end) : DecimalText.NO_NUMBER;
        if (negated == DecimalText.NO_NUMBER) {
            sink.reject(bytes, start, end - start, line, "no number");
            return;
        }
        sink.begin(end - start);
        sink.metric(bytes, start, space - start);
        sink.field(FIELD, 0, 1, FieldType.LONG.code(), -negated);
        sink.end();
    }

    @Override
    public void reset() {
        resets++;
    }
}
