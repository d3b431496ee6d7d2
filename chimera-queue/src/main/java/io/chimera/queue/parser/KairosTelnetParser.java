package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import java.nio.charset.StandardCharsets;

/**
 * Parses KairosDB's telnet protocol: {@code put <metric> <time> <value> <tag>=<value> …}, one command per line. {@code
 * put} reads a time below 3,000,000,000 as seconds, and any other time as milliseconds; {@code putm} always reads
 * milliseconds; {@code puts} has a text value. A value with a decimal point is a double, any other value a long. Words
 * are separated by spaces and may be enclosed in double quotes. {@code version} is answered; other commands with an
 * answer are ignored. The value becomes the field {@code value}. Allocates nothing.
 *
 * <p>Differences from KairosDB: the time to live in the tag {@code kairos_opt.ttl} is validated and dropped, since only
 * aggregates are stored; a point without tags stays without tags, where KairosDB adds the tag {@code add=tag}; a tag
 * with two equals signs is rejected, where KairosDB truncates the value.
 */
public final class KairosTelnetParser implements Parser {
    private static final byte[] FIELD = ascii("value");
    private static final byte[] PUT = ascii("put");
    private static final byte[] PUT_MS = ascii("putm");
    private static final byte[] PUT_TEXT = ascii("puts");
    private static final byte[] TTL = ascii("kairos_opt.ttl");
    private static final byte[] VERSION = ascii("version");

    /** Title and version in the format of KairosDB. */
    private static final String VERSION_ANSWER = "KairosDB 1.3.0 (Chimera)\n";

    private static final byte[][] PASSED_OVER = {ascii("help"), ascii("stats"), ascii("exit"), ascii("quit")};

    /** KairosDB: "Backwards compatible hack for the next 30 years", which ends in 2065. */
    private static final long SECONDS_BELOW = 3_000_000_000L;

    private static final long NS_PER_MS = 1_000_000;

    private final LineCursor cursor = new LineCursor();
    private final NumberText number = new NumberText();

    private byte[] bytes;
    private int position;
    private int end;

    /** Bounds of the current word, without quotes. */
    private int wordStart;

    private int wordEnd;

    /** Creates a parser in its initial state. */
    public KairosTelnetParser() {}

    @Override
    public void reset() {
        cursor.reset();
        number.release();
        bytes = null;
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink sink) {
        bytes = input.bytes();
        cursor.open(input, sink);
        while (cursor.next()) {
            position = cursor.start();
            end = cursor.textEnd();
            if (takeWord() && !isAnswered(sink) && !isPassedOver()) {
                if (!sink.begin(end - position)) {
                    return false;
                }
                ParseError wrong = command(sink);
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

    private boolean isAnswered(PointSink sink) {
        if (!wordIs(VERSION)) {
            return false;
        }
        sink.reply(VERSION_ANSWER);
        return true;
    }

    private boolean isPassedOver() {
        for (byte[] word : PASSED_OVER) {
            if (wordIs(word)) {
                return true;
            }
        }
        return false;
    }

    /** Passes a command to the sink; returns null without an error. */
    private ParseError command(PointSink sink) {
        boolean text = wordIs(PUT_TEXT);
        boolean milliseconds = text || wordIs(PUT_MS);
        if (!milliseconds && !wordIs(PUT)) {
            return ParseError.TELNET_UNKNOWN;
        }
        if (!cursor.isUtf8()) {
            return ParseError.NOT_UTF8;
        }
        if (!takeWord() || wordEnd == wordStart) {
            return ParseError.TELNET_NO_METRIC;
        }
        sink.metric(bytes, wordStart, wordEnd - wordStart);
        ParseError wrong = time(milliseconds, sink);
        if (wrong != null) {
            return wrong;
        }
        if (!takeWord()) {
            return ParseError.TELNET_NO_VALUE;
        }
        // the protocol has the value before the tags, the sink expects the reverse order
        int valueStart = wordStart;
        int valueEnd = wordEnd;
        wrong = tags(sink);
        if (wrong != null) {
            return wrong;
        }
        if (text) {
            sink.textField(FIELD, 0, FIELD.length, bytes, valueStart, valueEnd - valueStart);
            return null;
        }
        return value(valueStart, valueEnd, sink);
    }

    private ParseError time(boolean milliseconds, PointSink sink) {
        if (!takeWord()) {
            return ParseError.TELNET_NO_TIME;
        }
        if (!number.readInteger(bytes, wordStart, wordEnd) || number.next() != wordEnd) {
            return ParseError.TELNET_BAD_TIME;
        }
        if (!number.isLong()) {
            return ParseError.TELNET_TIME_TOO_LARGE;
        }
        long time = number.asLong();
        long timeMs = milliseconds || time >= SECONDS_BELOW ? time : time * 1000;
        if (timeMs > Long.MAX_VALUE / NS_PER_MS) {
            return ParseError.TELNET_TIME_TOO_LARGE;
        }
        sink.time(time < 0 ? -1 : timeMs * NS_PER_MS); // the sink rejects negative times with its own reason
        return null;
    }

    private ParseError value(int from, int to, PointSink sink) {
        if (!number.read(bytes, from, to) || number.next() != to) {
            return ParseError.TELNET_BAD_VALUE;
        }
        if (number.isInteger()) {
            if (!number.isLong()) {
                return ParseError.TELNET_BAD_VALUE;
            }
            sink.field(FIELD, 0, FIELD.length, FieldType.LONG.code(), number.asLong());
        } else {
            long bits = Double.doubleToRawLongBits(number.asDouble());
            sink.field(FIELD, 0, FIELD.length, FieldType.DOUBLE.code(), bits);
        }
        return null;
    }

    private ParseError tags(PointSink sink) {
        while (takeWord()) {
            int equals = equalsSign(wordStart);
            if (equals == wordEnd || equalsSign(equals + 1) < wordEnd) {
                return ParseError.TELNET_BAD_TAG;
            }
            if (equals == wordStart) {
                return ParseError.TELNET_NO_TAG_NAME;
            }
            if (equals + 1 == wordEnd) {
                return ParseError.TELNET_NO_TAG_VALUE;
            }
            if (isWord(TTL, wordStart, equals)) {
                if (!number.readInteger(bytes, equals + 1, wordEnd) || number.next() != wordEnd) {
                    return ParseError.TELNET_BAD_TTL;
                }
            } else {
                sink.tag(bytes, wordStart, equals - wordStart, bytes, equals + 1, wordEnd - equals - 1);
            }
        }
        return null;
    }

    private int equalsSign(int from) {
        int i = from;
        while (i < wordEnd && bytes[i] != '=') {
            i++;
        }
        return i;
    }

    /** Reads the next word. A quoted word ends at a quote before a space or the end of the line. */
    private boolean takeWord() {
        while (position < end && isSpace(bytes[position])) {
            position++;
        }
        if (position >= end) {
            return false;
        }
        boolean quoted = bytes[position] == '"';
        wordStart = quoted ? position + 1 : position;
        int i = wordStart;
        while (i < end
                && (quoted ? !(bytes[i] == '"' && (i + 1 == end || isSpace(bytes[i + 1]))) : !isSpace(bytes[i]))) {
            i++;
        }
        wordEnd = i;
        position = quoted ? Math.min(i + 1, end) : i;
        return true;
    }

    private static boolean isSpace(byte b) {
        return b >= 0 && b <= ' ';
    }

    private boolean wordIs(byte[] word) {
        return isWord(word, wordStart, wordEnd);
    }

    private boolean isWord(byte[] word, int from, int to) {
        if (to - from != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (bytes[from + i] != word[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}
