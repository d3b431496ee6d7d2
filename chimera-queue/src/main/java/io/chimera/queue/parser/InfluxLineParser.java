package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;

/**
 * Parses the InfluxDB line protocol: {@code metric,tag=value field=1.5,other="text" 1700000000000000000}. One pass over
 * the text after a quick look for the end of the line; no garbage. A text in quotes may hold line feeds, so a point may
 * be several lines. What is wrong costs its line and no other; after a quote that is never closed, parsing goes on with
 * the next line.
 */
public final class InfluxLineParser implements Parser {
    static final String NOT_UTF8 = "not UTF-8";
    private static final String LONE_RETURN = "carriage return without line feed";
    private static final String BAD_COMMENT = "control character in a comment";

    private final LineCursor cursor = new LineCursor();
    private final LinePoint point = new LinePoint();

    private Chunk chunk;
    private PointSink sink;
    private byte[] bytes;

    /** A parser that has seen nothing. */
    public InfluxLineParser() {}

    @Override
    public void reset() {
        cursor.reset();
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink target) {
        chunk = input;
        sink = target;
        bytes = input.bytes();
        cursor.open(input, target);
        while (cursor.next()) {
            byte first = bytes[cursor.start()];
            if (cursor.isBlank()) {
                cursor.consume();
            } else if (first == '#' || first == '\r') {
                noPoint(first);
            } else if (!sink.begin(cursor.lineFeed() - cursor.start())) {
                return false;
            } else {
                String wrong = point.read(bytes, cursor.start(), cursor.lineFeed(), input.unitNs(), target);
                if (LinePoint.UNCLOSED.equals(wrong) && cursor.lineFeed() < input.limit()) {
                    int before = input.offset();
                    if (!pointOverLines()) {
                        return false;
                    }
                    if (input.offset() == before) {
                        return true; // the end of the point has not come yet
                    }
                } else {
                    end(wrong);
                    cursor.consume();
                }
            }
        }
        return true;
    }

    private void noPoint(byte first) {
        if (first == '\r' || isBadComment()) {
            cursor.reject(first == '\r' ? LONE_RETURN : BAD_COMMENT);
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
     * Reads a point again, over line ends: its first line feed is inside a text in quotes. How far the point goes is not
     * known, so each try looks twice as far as the one before. False when the sink has no room; consumes nothing when
     * more of the point may come.
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
            String wrong = point.read(bytes, start, bound, chunk.unitNs(), sink);
            boolean atLineEnd = bound < limit ? bytes[bound] == '\n' : chunk.last();
            if (!LinePoint.UNCLOSED.equals(wrong) && (atLineEnd || point.position() < bound)) {
                endOverLines(wrong);
                return true;
            }
        }
        if (furthest < limit || chunk.last()) {
            cursor.reject(LinePoint.UNCLOSED);
            cursor.consume();
        }
        return true;
    }

    /** Ends a point that was read over line ends. */
    private void endOverLines(String wrong) {
        int lineFeed = ByteScan.newline(bytes, point.position(), chunk.limit());
        boolean ended = lineFeed < chunk.limit() || chunk.last();
        if (ended || lineFeed - cursor.start() > LineCursor.LENGTH_MAX) {
            cursor.extend(lineFeed);
            end(wrong);
            cursor.consumeAll();
        } // else the point is bad, and the rest of its last line has not come yet
    }

    /** Ends the point that was read. */
    private void end(String wrong) {
        String reason = wrong;
        if (reason == null && !cursor.isUtf8()) {
            reason = NOT_UTF8;
        }
        if (reason == null) {
            int ended = sink.end();
            reason = ended < 0 ? PointSink.reasonOf(ended) : null;
        }
        if (reason != null) {
            cursor.reject(reason);
        }
    }
}
