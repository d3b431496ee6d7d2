package io.chimera.queue.parser;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Utf8;

/**
 * Iterates over the lines of chunks. An incomplete line stays in the chunk, and the bytes already searched are not
 * searched again. A line longer than 64 KiB is rejected once and skipped to its end, so buffers never grow. Not
 * thread-safe; allocates nothing.
 */
final class LineCursor {
    static final int LENGTH_MAX = BodyLayout.TEXT_LENGTH_MAX;

    /**
     * Tolerance of the length estimate: a line of similar length has at most twice the previous length plus this many
     * bytes.
     */
    private static final int SLACK = 1 << 10;

    private static final int LENGTH_FIRST = 1_000;

    private Chunk chunk;
    private PointSink sink;
    private byte[] bytes;
    private int limit;
    private int start;
    private int lineFeed;

    /** Whether the rest of a rejected line is being skipped. */
    private boolean skipping;

    /** Bytes at the front of the next chunk already searched without finding a line feed. */
    private int looked;

    /** Bytes of the most recently consumed line, including the line feed. */
    private int lengthOfLast = LENGTH_FIRST;

    /** Whether the line may contain non-ASCII bytes. */
    private boolean high;

    LineCursor() {}

    /** Discards an incomplete line, and releases the chunk and the chunk's array. */
    void reset() {
        skipping = false;
        looked = 0;
        chunk = null;
        sink = null;
        bytes = null;
    }

    /** Starts reading a chunk. */
    void open(Chunk input, PointSink target) {
        chunk = input;
        sink = target;
        bytes = input.bytes();
        limit = input.limit();
        if (skipping) {
            lineFeed = ByteScan.newline(bytes, chunk.offset(), limit);
            skipping = lineFeed == limit;
            consume();
        }
    }

    /** Advances to the next line and past leading spaces; false when no complete line is left. */
    boolean next() {
        while (!chunk.isEmpty()) {
            skipSpaces();
            start = chunk.offset();
            int found = ByteScan.newlineOrHigh(bytes, start + looked, limit);
            high = found < 0 || (looked > 0 && high);
            lineFeed = found < 0 ? ~found : found;
            looked = 0;
            boolean ended = lineFeed < limit || chunk.last();
            if (lineFeed - start > LENGTH_MAX) {
                reject(ParseError.LINE_TOO_LONG);
                skipping = !ended;
                consume();
            } else if (!ended) {
                looked = limit - start;
                return false;
            } else if (start < limit) {
                return true;
            }
        }
        return false;
    }

    /**
     * Upper bound for the end of the next line, assuming a length similar to the previous line. Returns the chunk's
     * offset when a complete line is unlikely: after a partial line, and near the end of the chunk.
     */
    int boundOfLine() {
        int offset = chunk.offset();
        if (looked > 0 || (limit - offset < lengthOfLast && !chunk.last())) {
            return offset;
        }
        return Math.min(limit, offset + Math.min(2 * lengthOfLast + SLACK, LENGTH_MAX));
    }

    /** Whether a line read up to a bound ends at the index. */
    boolean isLineEnd(int index, int bound) {
        return index < bound ? bytes[index] == '\n' : index == limit && chunk.last();
    }

    /** Consumes a line read without a search for the line end. */
    void consumeAhead(int newLineFeed) {
        lineFeed = newLineFeed;
        consume();
    }

    private void skipSpaces() {
        int i = chunk.offset();
        while (i < limit && bytes[i] == ' ') {
            i++;
        }
        chunk.consumedTo(i, 0);
    }

    /** First byte of the line. */
    int start() {
        return start;
    }

    /** Index of the line feed; the end of the input when the last line has no line feed. */
    int lineFeed() {
        return lineFeed;
    }

    /** Index after the text of the line, without the line terminator. */
    int textEnd() {
        return lineFeed > start && bytes[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
    }

    boolean isBlank() {
        return textEnd() == start;
    }

    /** Whether the line is valid UTF-8; free of cost for ASCII lines. */
    boolean isUtf8() {
        return !high || Utf8.isValid(bytes, start, lineFeed);
    }

    /**
     * Extends the line, because its line feed is part of a quoted text. If the extended line is incomplete, the rest is
     * skipped later.
     */
    void extend(int newLineFeed) {
        lineFeed = newLineFeed;
        high = true;
        skipping = newLineFeed == limit && !chunk.last();
    }

    /** Ends the point of the current line; rejects the line if the sink refuses the point. */
    void endPoint() {
        int ended = sink.end();
        if (ended < 0) {
            reject(PointSink.reasonOf(ended));
        }
    }

    void reject(ParseError error) {
        reject(error == ParseError.TIME_TOO_LARGE ? outOfRange(chunk.unitNs()) : error.text());
    }

    /** Returns the reason for a timestamp that is too large in a unit: mostly, the precision is wrong. */
    private static String outOfRange(long unitNs) {
        if (unitNs == 1_000) {
            return "timestamp out of range 1970 to 2262 with precision us";
        }
        if (unitNs == 1_000_000) {
            return "timestamp out of range 1970 to 2262 with precision ms";
        }
        return unitNs == 1_000_000_000
                ? "timestamp out of range 1970 to 2262 with precision s"
                : ParseError.TIME_TOO_LARGE.text();
    }

    /** Rejects a text in place of the current line. */
    void reject(byte[] text, int length, String reason) {
        sink.reject(text, 0, length, chunk.line(), reason);
    }

    /** Rejects the current line. */
    void reject(String reason) {
        sink.reject(bytes, start, Math.min(textEnd() - start, LENGTH_MAX), chunk.line(), reason);
    }

    /** Consumes a line with a single line feed. */
    void consume() {
        consume(lineFeed < limit ? 1 : 0);
    }

    /** Consumes a line with several points, each of which counts as a line for the quota of the sender. */
    void consumePoints(int points) {
        consume(points - (lineFeed < limit ? 0 : 1));
    }

    /** Consumes a line with all contained line feeds. */
    void consumeAll() {
        consume(ByteScan.newlines(bytes, start, Math.min(lineFeed + 1, limit)));
    }

    private void consume(int lines) {
        lengthOfLast = lineFeed + 1 - chunk.offset();
        chunk.consumedTo(Math.min(lineFeed + 1, limit), lines);
    }
}
