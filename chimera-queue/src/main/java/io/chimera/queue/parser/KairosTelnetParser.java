package io.chimera.queue.parser;

import io.chimera.api.HotPath;
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

    private final WordCursor words = new WordCursor(true);
    private byte[] bytes;

    /** Creates a parser in its initial state. */
    public KairosTelnetParser() {}

    @Override
    public void reset() {
        cursor.reset();
        number.release();
        words.release();
        bytes = null;
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink sink) {
        bytes = input.bytes();
        cursor.open(input, sink);
        while (cursor.next()) {
            words.open(bytes, cursor.start(), cursor.textEnd());
            if (words.next() && !isAnswered(sink) && !isPassedOver()) {
                if (!sink.begin(cursor.textEnd() - words.position())) {
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
        if (!words.is(VERSION)) {
            return false;
        }
        sink.reply(VERSION_ANSWER);
        return true;
    }

    private boolean isPassedOver() {
        for (byte[] word : PASSED_OVER) {
            if (words.is(word)) {
                return true;
            }
        }
        return false;
    }

    /** Passes a command to the sink; returns null without an error. */
    private ParseError command(PointSink sink) {
        boolean text = words.is(PUT_TEXT);
        boolean milliseconds = text || words.is(PUT_MS);
        if (!milliseconds && !words.is(PUT)) {
            return ParseError.TELNET_UNKNOWN;
        }
        if (!cursor.isUtf8()) {
            return ParseError.NOT_UTF8;
        }
        if (!words.next() || words.isEmpty()) {
            return ParseError.TELNET_NO_METRIC;
        }
        sink.metric(bytes, words.start(), words.end() - words.start());
        ParseError wrong = time(milliseconds, sink);
        if (wrong != null) {
            return wrong;
        }
        if (!words.next()) {
            return ParseError.TELNET_NO_VALUE;
        }
        // the protocol has the value before the tags, the sink expects the reverse order
        int valueStart = words.start();
        int valueEnd = words.end();
        wrong = tags(sink);
        if (wrong != null) {
            return wrong;
        }
        if (text) {
            NumberField.writeText(bytes, valueStart, valueEnd, sink);
            return null;
        }
        return NumberField.write(number, bytes, valueStart, valueEnd, sink);
    }

    private ParseError time(boolean milliseconds, PointSink sink) {
        if (!words.next()) {
            return ParseError.TELNET_NO_TIME;
        }
        if (!number.readInteger(bytes, words.start(), words.end()) || number.next() != words.end()) {
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

    private ParseError tags(PointSink sink) {
        while (words.next()) {
            ParseError wrong = words.splitTag();
            if (wrong != null) {
                return wrong;
            }
            if (!words.isTag(TTL)) {
                words.writeTag(sink);
            } else if (!number.readInteger(bytes, words.tagValue(), words.end()) || number.next() != words.end()) {
                return ParseError.TELNET_BAD_TTL;
            }
        }
        return null;
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}
