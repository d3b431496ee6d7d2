package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import java.nio.charset.StandardCharsets;

/**
 * Parses OpenTSDB's telnet protocol: {@code put <metric> <time> <value> <tag>=<value> …}, one command per line. A time
 * has up to ten digits as seconds, optionally with decimal places, and more digits as milliseconds; {@code putm}, a
 * command of KairosDB, always has milliseconds. A value with a decimal point or an exponent is a double, any other
 * value a long. {@code version}, {@code help} and {@code stats} are answered, and {@code exit} closes the connection.
 * The value becomes the field {@code value}. Allocates nothing.
 *
 * <p>Differences from OpenTSDB: names may contain all characters except spaces, equals signs and control characters,
 * and a point may have no tag.
 */
public final class OpenTsdbTelnetParser implements Parser {
    private static final byte[] PUT = ascii("put");
    private static final byte[] PUT_MS = ascii("putm");
    private static final byte[] EXIT = ascii("exit");
    private static final byte[] VERSION = ascii("version");
    private static final byte[] HELP = ascii("help");
    private static final byte[] STATS = ascii("stats");

    private static final String VERSION_ANSWER = "net.opentsdb.tools 2.4.0 (Chimera)\n";
    private static final String HELP_ANSWER = "available commands: exit help put putm stats version\n";
    private static final String STATS_ANSWER = "statistics are at /metrics of the node\n";

    private final LineCursor cursor = new LineCursor();
    private final WordCursor words = new WordCursor(false);
    private final NumberText number = new NumberText();
    private final UnixTime time = new UnixTime(number);
    private byte[] bytes;

    /** Creates a parser in its initial state. */
    public OpenTsdbTelnetParser() {}

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
            if (words.next() && !isAnswered(sink)) {
                if (words.is(EXIT)) {
                    input.abandon();
                    return true;
                }
                if (!sink.begin(cursor.textEnd() - words.position())) {
                    return false;
                }
                ParseError wrong = put(sink);
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
        if (words.is(PUT)) {
            return false; // fast path: almost every line
        }
        String answer = words.is(VERSION)
                ? VERSION_ANSWER
                : words.is(HELP) ? HELP_ANSWER : words.is(STATS) ? STATS_ANSWER : null;
        if (answer == null) {
            return false;
        }
        sink.reply(answer);
        return true;
    }

    /** Passes a point to the sink; returns null without an error. */
    private ParseError put(PointSink sink) {
        boolean milliseconds = words.is(PUT_MS);
        if (!milliseconds && !words.is(PUT)) {
            return ParseError.OPENTSDB_UNKNOWN;
        }
        if (!cursor.isUtf8()) {
            return ParseError.NOT_UTF8;
        }
        if (!words.next()) {
            return ParseError.TELNET_NO_METRIC;
        }
        sink.metric(bytes, words.start(), words.end() - words.start());
        if (!words.next()) {
            return ParseError.TELNET_NO_TIME;
        }
        ParseError wrong = milliseconds
                ? time.readMilliseconds(bytes, words.start(), words.end())
                : time.read(bytes, words.start(), words.end(), true);
        if (wrong != null) {
            return wrong;
        }
        sink.time(time.timeNs());
        if (!words.next()) {
            return ParseError.TELNET_NO_VALUE;
        }
        // the protocol has the value before the tags, the sink expects the reverse order
        int valueStart = words.start();
        int valueEnd = words.end();
        while (words.next()) {
            wrong = words.splitTag();
            if (wrong != null) {
                return wrong;
            }
            words.writeTag(sink);
        }
        return NumberField.write(number, bytes, valueStart, valueEnd, sink);
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}
