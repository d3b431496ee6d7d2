package io.chimera.queue.parser;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;

/**
 * Steps over the lines of chunks. A line whose end has not come is left in the chunk, and its bytes are not searched
 * again; one that is longer than 64 KiB is rejected once and skipped to its end, so nothing grows. Not thread-safe;
 * allocates nothing.
 */
final class LineCursor {
    static final int LENGTH_MAX = BodyLayout.TEXT_LENGTH_MAX;

    /** Bytes by which a line may be longer than twice the one before and still be like it. */
    private static final int SLACK = 1 << 10;

    private static final int LENGTH_FIRST = 1_000;

    static final String TOO_LONG = "line longer than 64 KiB";

    private Chunk chunk;
    private PointSink sink;
    private byte[] bytes;
    private int limit;
    private int start;
    private int lineFeed;

    /** True between the start of a line that is rejected already and its end. */
    private boolean skipping;

    /** Bytes at the front of the next chunk in which there is no line feed: they were looked at when they came. */
    private int looked;

    /** Bytes of the last line that was consumed, its line feed included. */
    private int lengthOfLast = LENGTH_FIRST;

    /** Whether the line may hold bytes that are not ASCII. */
    private boolean high;

    LineCursor() {}

    /** Forgets an unfinished line, and lets go of the chunk and its array. */
    void reset() {
        skipping = false;
        looked = 0;
        chunk = null;
        sink = null;
        bytes = null;
    }

    /** Begins to read a chunk. */
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

    /** Steps to the next line, past leading spaces; false when no whole line is left. */
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
                reject(TOO_LONG);
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
     * Index behind which a line that is like the last one has ended. The offset of the chunk where no whole line is to be
     * expected: behind one that was cut, and at the end of the chunk, for what is cut there.
     */
    int boundOfLine() {
        int offset = chunk.offset();
        if (looked > 0 || (limit - offset < lengthOfLast && !chunk.last())) {
            return offset;
        }
        return Math.min(limit, offset + Math.min(2 * lengthOfLast + SLACK, LENGTH_MAX));
    }

    /** Whether a line that was read up to a bound ends at an index. */
    boolean isLineEnd(int index, int bound) {
        return index < bound ? bytes[index] == '\n' : index == limit && chunk.last();
    }

    /** Consumes a line that was read without a look for its end. */
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

    /** Index of the line's first byte. */
    int start() {
        return start;
    }

    /** Index of the line feed, or behind the last byte of the input when that ends the line. */
    int lineFeed() {
        return lineFeed;
    }

    /** Index behind the text of the line: without its line end. */
    int textEnd() {
        return lineFeed > start && bytes[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
    }

    /** Whether the line is empty. */
    boolean isBlank() {
        return textEnd() == start;
    }

    /** Whether the line is text in UTF-8; costs nothing where all is ASCII. */
    boolean isUtf8() {
        return !high || Utf8.isValid(bytes, start, lineFeed);
    }

    /** Makes the line longer: a line feed in it is part of a text. It may have no end yet, and is then skipped to it. */
    void extend(int newLineFeed) {
        lineFeed = newLineFeed;
        high = true;
        skipping = newLineFeed == limit && !chunk.last();
    }

    /** Rejects the line. */
    void reject(String reason) {
        sink.reject(bytes, start, Math.min(textEnd() - start, LENGTH_MAX), chunk.line(), reason);
    }

    /** Consumes the line and the line feed behind it, which is its only one. */
    void consume() {
        consume(lineFeed < limit ? 1 : 0);
    }

    /** Consumes the line with all the line feeds in it. */
    void consumeAll() {
        consume(ByteScan.newlines(bytes, start, Math.min(lineFeed + 1, limit)));
    }

    private void consume(int lines) {
        lengthOfLast = lineFeed + 1 - chunk.offset();
        chunk.consumedTo(Math.min(lineFeed + 1, limit), lines);
    }
}
