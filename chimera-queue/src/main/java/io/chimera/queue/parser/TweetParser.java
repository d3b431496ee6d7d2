package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.jni.scan.TweetLines;
import java.nio.charset.StandardCharsets;

/**
 * Parses tweets in the JSON form of Twitter's API version 1.1, one per line, and emits only hashtags: for each hashtag
 * a point {@code hashtag,tag=<text> count=1} at the time of the tweet.
 *
 * <p>If {@link TweetScan} finds only empty hashtag arrays in a line, the only further check is for a brace at both ends
 * of the line. Any other line is fully parsed as JSON ({@link TweetTags}) and rejected when invalid. Allocates nothing.
 */
public final class TweetParser implements Parser {
    private static final byte[] METRIC = "hashtag".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAG = "tag".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FIELD = "count".getBytes(StandardCharsets.US_ASCII);

    private final boolean vectors;
    private final int[] found = new int[TweetLines.RESULTS];
    private final TweetScan scan = new TweetScan();
    private final TweetTags tags = new TweetTags();

    private Chunk chunk;
    private PointSink sink;
    private byte[] bytes;
    private int start;
    private int lineFeed;

    /** Bytes at the front of the next chunk already scanned. */
    private int looked;

    /** Whether the rest of a rejected line is being skipped. */
    private boolean skipping;

    /** Next tag of the current line to emit; -1 when no line has been read. */
    private int next = -1;

    private int lineLength;

    /** Creates a parser in its initial state. */
    public TweetParser() {
        this(TweetLines.isAvailable());
    }

    TweetParser(boolean vectors) {
        this.vectors = vectors;
    }

    @Override
    public void reset() {
        scan.clear();
        looked = 0;
        skipping = false;
        next = -1;
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink target) {
        chunk = input;
        sink = target;
        bytes = input.bytes();
        start = input.offset();
        if (next >= 0) {
            lineFeed = start + lineLength;
            if (!handOn()) {
                return false;
            }
        }
        while (findLine()) {
            if (skipping) {
                skipping = false;
                consume();
            } else if (isPlain()) {
                consume();
            } else {
                read();
                if (!handOn()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Finds the end of the chunk's first line; false when the end has not arrived. */
    private boolean findLine() {
        int limit = chunk.limit();
        lineFeed = vectors && looked == 0 && !skipping ? passPlainLines(limit) : limit;
        start = chunk.offset();
        if (start == limit) {
            return false;
        }
        if (lineFeed == limit) {
            lineFeed = skipping
                    ? ByteScan.newline(bytes, start, limit)
                    : scan.lineFeed(bytes, start, start + looked, limit);
        }
        if (lineFeed < limit || chunk.last()) {
            if (lineFeed - start > LineCursor.LENGTH_MAX) {
                rejectTooLong();
                skipping = true; // makes the loop in parse() consume the line
            }
            return true;
        }
        if (limit - start > LineCursor.LENGTH_MAX) {
            rejectTooLong();
            skipping = true;
        }
        if (skipping) {
            looked = 0;
            chunk.consumedTo(limit, 0);
        } else {
            looked = scan.position() - start;
        }
        return false;
    }

    /** Skips all lines without hashtags; returns the end of the first line to read, or the limit. */
    private int passPlainLines(int limit) {
        TweetLines.next(bytes, chunk.offset(), limit, LineCursor.LENGTH_MAX, found);
        chunk.consumedTo(found[TweetLines.START], found[TweetLines.PASSED]);
        return found[TweetLines.LINE_FEED];
    }

    private void rejectTooLong() {
        if (!skipping) {
            sink.reject(bytes, start, LineCursor.LENGTH_MAX, chunk.line(), ParseError.LINE_TOO_LONG.text());
        }
    }

    /** Whether the line needs no parsing: an empty line, or a tweet without hashtags. */
    private boolean isPlain() {
        int first = start;
        int last = lineFeed - 1;
        while (first <= last && isSpace(bytes[first])) {
            first++;
        }
        while (last > first && isSpace(bytes[last])) {
            last--;
        }
        if (first > last) {
            return true;
        }
        return scan.isUntagged() && !scan.isTagged() && bytes[first] == '{' && bytes[last] == '}';
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    private void read() {
        String wrong = tags.read(bytes, start, lineFeed - start);
        if (wrong == null) {
            next = tags.first();
        } else {
            next = tags.end();
            reject(wrong);
        }
    }

    private void reject(String reason) {
        int end = lineFeed > start && bytes[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
        sink.reject(bytes, start, end - start, chunk.line(), reason);
    }

    /** Emits the remaining tags of the line and consumes the line; false when the sink is full. */
    private boolean handOn() {
        String wrong = null;
        for (; next < tags.end(); next++) {
            int length = tags.length(next);
            if (!sink.begin(METRIC.length + TAG.length + FIELD.length + length)) {
                lineLength = lineFeed - start;
                return false;
            }
            int offset = tags.offset(next);
            if (!sink.series(tags.bytes(), offset, length + 1)) {
                sink.metric(METRIC, 0, METRIC.length);
                sink.tag(TAG, 0, TAG.length, tags.bytes(), offset, length);
            }
            sink.field(FIELD, 0, FIELD.length, FieldType.LONG.code(), 1);
            if (tags.isTimed()) {
                sink.time(tags.timeNs());
            }
            int ended = sink.end();
            if (ended < 0) {
                wrong = PointSink.reasonOf(ended);
            }
        }
        next = -1;
        if (wrong != null) {
            reject(wrong);
        }
        consume();
        return true;
    }

    private void consume() {
        boolean fed = lineFeed < chunk.limit();
        chunk.consumedTo(fed ? lineFeed + 1 : lineFeed, fed ? 1 : 0);
        looked = 0;
        scan.clear();
    }
}
