package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.GraphiteTemplate;
import java.util.List;

/**
 * Parses Graphite's plaintext protocol: a path (see {@link GraphitePaths}), a value and perhaps a time per line.
 *
 * <p>The time has seconds, with decimal places if any; without a time, or with the time -1, the time of arrival counts.
 * Every value is a double and becomes the field {@code value}. Allocates nothing.
 */
public final class GraphiteLineParser implements Parser {
    private final LineCursor cursor = new LineCursor();
    private final WordCursor words = new WordCursor(false);
    private final NumberText number = new NumberText();
    private final UnixTime time = new UnixTime(number);
    private final GraphitePaths paths;
    private byte[] bytes;

    /**
     * Creates a parser in its initial state.
     *
     * @param templates templates for paths without tags, the longest filter first
     */
    public GraphiteLineParser(List<GraphiteTemplate> templates) {
        paths = new GraphitePaths(templates);
    }

    @Override
    public void reset() {
        cursor.reset();
        words.release();
        number.release();
        bytes = null;
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink sink) {
        bytes = input.bytes();
        cursor.open(input, sink);
        while (cursor.next()) {
            words.open(bytes, cursor.start(), cursor.textEnd());
            if (words.next()) {
                if (!sink.begin(cursor.textEnd() - cursor.start() + paths.growth())) {
                    return false;
                }
                ParseError wrong = cursor.isUtf8() ? point(sink) : ParseError.NOT_UTF8;
                if (wrong == null) {
                    cursor.endPoint();
                } else {
                    cursor.reject(wrong);
                }
            }
            cursor.consume();
        }
        return true;
    }

    /** Passes a point to the sink; returns null without an error. */
    private ParseError point(PointSink sink) {
        int path = words.start();
        int pathEnd = words.end();
        if (pathEnd == cursor.textEnd()) {
            return ParseError.TELNET_NO_VALUE;
        }
        // the sink remembers the path with its terminator, so that no other path begins with the same text
        if (!sink.series(bytes, path, pathEnd + 1 - path)) {
            ParseError wrong = paths.write(bytes, path, pathEnd, sink);
            if (wrong != null) {
                return wrong;
            }
        }
        if (!words.next()) {
            return ParseError.TELNET_NO_VALUE;
        }
        if (number.readSigned(bytes, words.start(), words.end()) && number.next() == words.end()) {
            NumberField.writeDouble(number.asDouble(), sink);
        } else if (NumberField.isNotFinite(bytes, words.start(), words.end())) {
            NumberField.writeDouble(Double.NaN, sink); // the sink rejects the point with its own reason
        } else {
            return ParseError.TELNET_BAD_VALUE;
        }
        if (words.next() && !isNow(words.start(), words.end())) {
            ParseError wrong = time.read(bytes, words.start(), words.end(), false);
            if (wrong != null) {
                return wrong;
            }
            sink.time(time.timeNs());
        }
        return words.next() ? ParseError.BAD_END : null;
    }

    private boolean isNow(int from, int to) {
        return to - from >= 2
                && bytes[from] == '-'
                && bytes[from + 1] == '1'
                && number.read(bytes, from, to)
                && number.next() == to
                && number.asDouble() == -1;
    }
}
