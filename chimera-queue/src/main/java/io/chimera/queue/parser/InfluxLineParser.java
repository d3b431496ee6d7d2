package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.Utf8;

/**
 * Parses the InfluxDB line protocol: {@code metric,tag=value field=1.5,other="text" 1700000000000000000}.
 *
 * <p>Makes one pass over the text; only for a malformed line is the line end searched first. Allocates nothing. Quoted
 * text may contain line feeds, so a point may span several lines. An error costs one line; after an unclosed quote,
 * parsing continues at the next line.
 */
public final class InfluxLineParser implements Parser {
    /** Result of reading a line. */
    private static final int TAKEN = 0;

    private static final int OTHER = 1;
    private static final int NO_ROOM = 2;

    private final LineCursor cursor = new LineCursor();
    private final LinePoint point = new LinePoint();

    private Chunk chunk;
    private PointSink sink;
    private byte[] bytes;

    /** Creates a parser in its initial state. */
    public InfluxLineParser() {}

    @Override
    public void reset() {
        cursor.reset();
        point.release();
        chunk = null;
        sink = null;
        bytes = null;
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink target) {
        chunk = input;
        sink = target;
        bytes = input.bytes();
        cursor.open(input, target);
        while (true) {
            int read = lineAhead();
            if (read == NO_ROOM) {
                return false;
            }
            if (read == OTHER) {
                if (!cursor.next()) {
                    return true;
                }
                read = line();
                if (read != TAKEN) {
                    return read == OTHER;
                }
            }
        }
    }

    /**
     * Optimistically reads a line without searching for the line end, assuming a valid point of a length similar to the
     * previous line. On any other input nothing is rejected or consumed, and {@link #line} reads the line again.
     *
     * @return {@link #TAKEN}, {@link #OTHER} or {@link #NO_ROOM}
     */
    private int lineAhead() {
        int start = chunk.offset();
        int bound = cursor.boundOfLine();
        if (bound == start || bytes[start] == '#' || isBlank(bytes[start])) {
            return OTHER;
        }
        if (!sink.begin(bound - start)) {
            return NO_ROOM;
        }
        ParseError wrong = point.read(bytes, start, bound, false, chunk.unitNs(), sink);
        if (wrong != null || !cursor.isLineEnd(point.position(), bound) || !isUtf8(start) || sink.end() < 0) {
            return OTHER;
        }
        cursor.consumeAhead(point.position());
        return TAKEN;
    }

    private boolean isUtf8(int start) {
        return point.isKnown()
                || ByteScan.newlineOrHigh(bytes, start, point.position()) >= 0
                || Utf8.isValid(bytes, start, point.position());
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r';
    }

    /**
     * Processes the cursor's line.
     *
     * @return {@link #TAKEN}; {@link #OTHER} when the line continues in a chunk not yet received; {@link #NO_ROOM}
     */
    private int line() {
        byte first = bytes[cursor.start()];
        if (cursor.isBlank()) {
            cursor.consume();
        } else if (first == '#' || first == '\r') {
            noPoint(first);
        } else if (!sink.begin(cursor.lineFeed() - cursor.start())) {
            return NO_ROOM;
        } else {
            ParseError wrong = point.read(bytes, cursor.start(), cursor.lineFeed(), false, chunk.unitNs(), sink);
            if (wrong == ParseError.UNCLOSED_QUOTE && cursor.lineFeed() < chunk.limit()) {
                int before = chunk.offset();
                if (!pointOverLines()) {
                    return NO_ROOM;
                }
                return chunk.offset() == before ? OTHER : TAKEN;
            }
            end(wrong);
            cursor.consume();
        }
        return TAKEN;
    }

    private void noPoint(byte first) {
        if (first == '\r' || isBadComment()) {
            cursor.reject(first == '\r' ? ParseError.LONE_RETURN : ParseError.BAD_COMMENT);
        }
        cursor.consume();
    }

    private boolean isBadComment() {
        for (int i = cursor.start(); i < cursor.textEnd(); i++) {
            if ((bytes[i] >= 0 && bytes[i] < ' ' && bytes[i] != '\t') || bytes[i] == 0x7F) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads a point again, across line feeds, because the first line feed is inside quoted text. The end of the point
     * is unknown, so each attempt doubles the search range. Returns false when the sink is full; consumes nothing when
     * more of the point may arrive.
     */
    private boolean pointOverLines() {
        int start = cursor.start();
        int limit = chunk.limit();
        int furthest = Math.min(limit, start + LineCursor.LENGTH_MAX);
        int bound = cursor.lineFeed();
        while (bound < furthest) {
            int twice = Math.min(furthest, start + 2 * (bound - start + 1));
            bound = Math.min(furthest, ByteScan.newline(bytes, twice, limit));
            if (!sink.begin(bound - start)) {
                return false;
            }
            ParseError wrong = point.read(bytes, start, bound, true, chunk.unitNs(), sink);
            boolean atLineEnd = bound < limit ? bytes[bound] == '\n' : chunk.last();
            if (wrong != ParseError.UNCLOSED_QUOTE && (atLineEnd || point.position() < bound)) {
                endOverLines(wrong);
                return true;
            }
        }
        if (furthest < limit || chunk.last()) {
            cursor.reject(ParseError.UNCLOSED_QUOTE);
            cursor.consume();
        }
        return true;
    }

    /** Ends a point read across line feeds. */
    private void endOverLines(ParseError wrong) {
        int lineFeed = ByteScan.newline(bytes, point.position(), chunk.limit());
        boolean ended = lineFeed < chunk.limit() || chunk.last();
        if (ended || lineFeed - cursor.start() > LineCursor.LENGTH_MAX) {
            cursor.extend(lineFeed);
            end(wrong);
            cursor.consumeAll();
        } // else the point is malformed and the rest of the last line has not arrived
    }

    private void end(ParseError wrong) {
        ParseError error = wrong == null && !cursor.isUtf8() ? ParseError.NOT_UTF8 : wrong;
        if (error == null) {
            cursor.endPoint();
        } else {
            cursor.reject(error);
        }
    }
}
