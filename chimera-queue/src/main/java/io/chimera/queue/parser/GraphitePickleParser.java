package io.chimera.queue.parser;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.GraphiteTemplate;
import io.chimera.common.wire.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Parses Graphite's pickle protocol: messages of a big-endian length and a pickled list of {@code (path, (time,
 * value))}, as sent by carbon-relay. Paths, times and values are as in {@link GraphiteLineParser}; numbers may be text.
 * A message is read when it is complete. A message that is longer than 1 MiB or contains anything besides lists,
 * tuples, texts and numbers ends the connection; a bad point costs one point. Allocates nothing for messages of similar
 * size.
 */
public final class GraphitePickleParser implements Parser {
    /** Maximum length of a message. */
    public static final int LENGTH_MAX = 1 << 20;

    /** Bytes of the length before a message. */
    public static final int HEADER = Integer.BYTES;

    private static final double NS_PER_S = 1e9;

    /** A double of larger nanoseconds does not fit into a long. */
    private static final double SECONDS_BELOW = 9.2e9;

    /**
     * Maximum length in bytes of all texts of the points of a message. Points may share a text of the message, so their
     * sum may be larger than the message.
     */
    static final long TEXTS_MAX = 8L * LENGTH_MAX;

    private final PickleReader reader = new PickleReader();
    private final PickleNodes nodes = reader.nodes();
    private final NumberText number = new NumberText();
    private final GraphitePaths paths;

    private Chunk chunk;
    private PointSink sink;

    /** Whether the message at the front of the chunk has been read and not completely written. */
    private boolean isRead;

    /** Whether the last message that was not read is too long. */
    private boolean isTooLong;

    /** Next element of the list to write. */
    private int next;

    private int points;

    /**
     * Creates a parser in its initial state.
     *
     * @param templates templates for paths without tags, the longest filter first
     */
    public GraphitePickleParser(List<GraphiteTemplate> templates) {
        paths = new GraphitePaths(templates);
    }

    @Override
    public void reset() {
        chunk = null;
        sink = null;
        isRead = false;
        number.release();
        reader.release();
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink target) {
        chunk = input;
        sink = target;
        while (chunk.limit() - chunk.offset() >= HEADER) {
            int length = length(chunk.bytes(), chunk.offset());
            if (length < 0 || length > LENGTH_MAX) {
                abandon(HEADER, ParseError.PICKLE_TOO_LONG);
                return true;
            }
            if (chunk.limit() - chunk.offset() - HEADER < length) {
                break;
            }
            if (!isRead && !read(length)) {
                abandon(HEADER + length, isTooLong ? ParseError.PICKLE_TOO_LONG : ParseError.PICKLE_BAD);
                return true;
            }
            if (!write()) {
                return false;
            }
            isRead = false;
            reader.release(); // an idle connection keeps no large arrays
            chunk.consumedTo(chunk.offset() + HEADER + length, points);
        }
        if (chunk.last() && !chunk.isEmpty()) {
            abandon(chunk.limit() - chunk.offset(), ParseError.PICKLE_CUT_OFF);
        }
        return true;
    }

    private static int length(byte[] bytes, int offset) {
        return (bytes[offset] & 0xFF) << 24
                | (bytes[offset + 1] & 0xFF) << 16
                | (bytes[offset + 2] & 0xFF) << 8
                | (bytes[offset + 3] & 0xFF);
    }

    private boolean read(int length) {
        int start = chunk.offset() + HEADER;
        int list = reader.read(chunk.bytes(), start, start + length);
        isTooLong = nodes.isFull();
        if (list < 0 || !nodes.isList(list)) {
            return false;
        }
        isTooLong = textsOf(list) > TEXTS_MAX;
        if (isTooLong) {
            return false;
        }
        next = nodes.firstLink(list);
        points = 0;
        isRead = true;
        return true;
    }

    private long textsOf(int list) {
        long texts = 0;
        for (int link = nodes.firstLink(list); link != PickleNodes.NONE; link = nodes.nextLink(link)) {
            int point = nodes.valueOf(link);
            int timeAndValue = nodes.member(point, 1);
            texts += textLength(nodes.member(point, 0));
            texts += textLength(nodes.member(timeAndValue, 0)) + textLength(nodes.member(timeAndValue, 1));
        }
        return texts;
    }

    private int textLength(int node) {
        return nodes.isText(node) ? nodes.endOf(node) - nodes.startOf(node) : 0;
    }

    @ColdPath
    private void abandon(int length, ParseError error) {
        int shown = Math.min(length, LineCursor.LENGTH_MAX);
        sink.reject(chunk.bytes(), chunk.offset(), shown, chunk.line(), error.text());
        chunk.abandon();
    }

    /** Writes the points of the message; false when the sink is full. */
    private boolean write() {
        while (next != PickleNodes.NONE) {
            int point = nodes.valueOf(next);
            int path = nodes.member(point, 0);
            if (!sink.begin(textLength(path) + paths.growth())) {
                return false;
            }
            ParseError wrong = writePoint(path, nodes.member(point, 1));
            int ended = wrong == null ? sink.end() : PointSink.OK;
            if (wrong != null || ended < 0) {
                reject(point, wrong == null ? PointSink.reasonOf(ended) : wrong.text());
            }
            next = nodes.nextLink(next);
            points++;
        }
        return true;
    }

    private ParseError writePoint(int path, int timeAndValue) {
        int time = nodes.member(timeAndValue, 0);
        int value = nodes.member(timeAndValue, 1);
        if (!nodes.isText(path) || !isNumber(time) || !isNumber(value)) {
            return ParseError.PICKLE_BAD_POINT;
        }
        byte[] bytes = nodes.bytesOf(path);
        int start = nodes.startOf(path);
        int end = nodes.endOf(path);
        if (!Utf8.isValid(bytes, start, end)) {
            return ParseError.NOT_UTF8;
        }
        double seconds = numberOf(time);
        if (seconds != -1) {
            if (!(seconds < SECONDS_BELOW)) {
                return ParseError.TELNET_TIME_TOO_LARGE;
            }
            long whole = (long) Math.floor(seconds);
            // the sink rejects negative times with its own reason
            sink.time(seconds < 0 ? -1 : whole * 1_000_000_000L + (long) ((seconds - whole) * NS_PER_S));
        }
        ParseError error = paths.write(bytes, start, end, sink);
        if (error == null) {
            NumberField.writeDouble(numberOf(value), sink);
        }
        return error;
    }

    private boolean isNumber(int node) {
        if (!nodes.isText(node)) {
            return nodes.isNumber(node);
        }
        int end = nodes.endOf(node);
        return number.readSigned(nodes.bytesOf(node), nodes.startOf(node), end) && number.next() == end;
    }

    private double numberOf(int node) {
        if (nodes.isNumber(node)) {
            return nodes.numberOf(node);
        }
        number.readSigned(nodes.bytesOf(node), nodes.startOf(node), nodes.endOf(node));
        return number.asDouble();
    }

    /** Rejects a point as a line of the plaintext protocol, because a part of a pickle cannot be sent again. */
    @ColdPath
    private void reject(int point, String reason) {
        int timeAndValue = nodes.member(point, 1);
        String line = shown(nodes.member(point, 0)) + " " + shown(nodes.member(timeAndValue, 1)) + " "
                + shown(nodes.member(timeAndValue, 0));
        byte[] text = line.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, LineCursor.LENGTH_MAX);
        sink.reject(text, 0, length, chunk.line() + points, reason);
    }

    private String shown(int node) {
        if (nodes.isNumber(node)) {
            double value = nodes.numberOf(node);
            return value == Math.rint(value) && Math.abs(value) < 1e15 ? String.valueOf((long) value) : "" + value;
        }
        return nodes.isText(node)
                ? new String(
                        nodes.bytesOf(node),
                        nodes.startOf(node),
                        nodes.endOf(node) - nodes.startOf(node),
                        StandardCharsets.UTF_8)
                : "?";
    }
}
