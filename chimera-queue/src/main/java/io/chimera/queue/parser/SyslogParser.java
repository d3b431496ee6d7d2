package io.chimera.queue.parser;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.SyslogConfig;

/**
 * Parses syslog: on a connection the messages of RFC 6587, either with their length in front or ended by a line feed or
 * a zero byte, decided for each message by its first byte; in a datagram one message. {@link SyslogMessage} reads a
 * message. A message longer than 64 KiB and an invalid length end the connection. Allocates nothing per message.
 */
public final class SyslogParser implements Parser {
    /** Maximum length of a message. */
    static final int LENGTH_MAX = LineCursor.LENGTH_MAX;

    /** Digits of a length and the space after them. */
    private static final int HEADER_MAX = 6;

    /** Maximum length of a message with its length. */
    public static final int UNCONSUMED_MAX = HEADER_MAX + LENGTH_MAX;

    private static final int INCOMPLETE = -1;
    private static final int INVALID = -2;

    private final SyslogMessage message;
    private final boolean isStream;
    private Chunk chunk;
    private PointSink sink;
    private byte[] bytes;

    /** Index after the current message and its end. */
    private int next;

    /**
     * Creates a parser in its initial state.
     *
     * @param config options of the input
     * @param isStream whether the input is a connection; else each chunk is a message
     */
    public SyslogParser(SyslogConfig config, boolean isStream) {
        message = new SyslogMessage(config.zone());
        this.isStream = isStream;
    }

    @Override
    public void reset() {
        message.release();
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
        while (!chunk.isEmpty()) {
            if (isEnd(bytes[chunk.offset()])) {
                chunk.consumedTo(chunk.offset() + 1, 0);
                continue;
            }
            next = chunk.limit();
            int start = isStream ? start() : chunk.offset();
            if (start == INCOMPLETE && !chunk.last()) {
                return true;
            }
            if (start < 0) {
                abandon();
                return true;
            }
            int end = next;
            while (end > start && isEnd(bytes[end - 1])) {
                end--;
            }
            if (!write(start, end)) {
                return false;
            }
            chunk.consumedTo(next, 1);
        }
        return true;
    }

    private static boolean isEnd(byte b) {
        return b == '\n' || b == '\r' || b == 0;
    }

    /**
     * Finds the next message of a connection and sets {@link #next}.
     *
     * @return first byte of the message; {@link #INCOMPLETE} or {@link #INVALID}
     */
    private int start() {
        int from = chunk.offset();
        int limit = chunk.limit();
        boolean isCounted = bytes[from] >= '1' && bytes[from] <= '9';
        if (isCounted) {
            return counted(from, limit);
        }
        int end = from;
        while (end < limit && bytes[end] != '\n' && bytes[end] != 0) {
            end++;
        }
        if (end - from > LENGTH_MAX) {
            return INVALID;
        }
        if (end == limit && !chunk.last()) {
            return INCOMPLETE;
        }
        next = end;
        return from;
    }

    private int counted(int from, int limit) {
        int length = 0;
        int i = from;
        while (i < limit && i < from + HEADER_MAX && bytes[i] >= '0' && bytes[i] <= '9') {
            length = length * 10 + bytes[i] - '0';
            i++;
        }
        if (i == limit && i < from + HEADER_MAX) {
            return INCOMPLETE;
        }
        if (i == from + HEADER_MAX || bytes[i] != ' ' || length > LENGTH_MAX) {
            return INVALID;
        }
        if (limit - i - 1 < length) {
            return INCOMPLETE;
        }
        next = i + 1 + length;
        return i + 1;
    }

    @ColdPath
    private void abandon() {
        int length = Math.min(chunk.limit() - chunk.offset(), LENGTH_MAX);
        sink.reject(bytes, chunk.offset(), length, chunk.line(), ParseError.SYSLOG_BAD_LENGTH.text());
        chunk.abandon();
    }

    /** Passes a message to the sink; false when the sink is full. */
    private boolean write(int start, int end) {
        ParseError wrong = message.read(bytes, start, end, sink.arrivalTimeNs());
        if (wrong != null) {
            sink.reject(bytes, start, end - start, chunk.line(), wrong.text());
            return true;
        }
        if (!sink.begin(message.textLength())) {
            return false;
        }
        message.write(sink);
        int ended = sink.end();
        if (ended < 0) {
            sink.reject(bytes, start, end - start, chunk.line(), PointSink.reasonOf(ended));
        }
        return true;
    }
}
