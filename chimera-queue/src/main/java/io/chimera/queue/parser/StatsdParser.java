package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.StatsdConfig;
import io.chimera.common.config.StatsdConfig.RelativeGauges;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.nio.charset.StandardCharsets;

/**
 * Parses StatsD and DogStatsD: {@code <name>:<value>[:<value>…]|<type>[|@<rate>][|#<tags>][|T<seconds>]}, one metric
 * per line, one point per value. A counter becomes the field {@code delta}, divided by the rate; a gauge, timer,
 * histogram or distribution the field {@code value}; a set the text field {@code set}. Every number is a double. Events
 * and service checks are counted and dropped. A line has at most 1,024 values, because each value repeats the tags of
 * the line. Allocates nothing.
 */
public final class StatsdParser implements Parser {
    private static final byte[] VALUE = ascii("value");
    private static final byte[] DELTA = ascii("delta");
    private static final byte[] SET = ascii("set");
    private static final byte[] FLAG = ascii("true");
    private static final byte[] EVENT = ascii("_e{");
    private static final byte[] CHECK = ascii("_sc|");

    private static final int NOTHING = -1;

    /** Maximum number of values of a line. */
    private static final int VALUES_MAX = 1 << 10;

    /** Maximum length of the text of a rejected value. */
    private static final int LETTER_LENGTH_MAX = 4 << 10;

    private final LineCursor cursor = new LineCursor();
    private final NumberText number = new NumberText();
    private final UnixTime time = new UnixTime(number);
    private final RelativeGauges relative;
    private final Counters<QueueCounter> counters;
    private final byte[] letter = new byte[LETTER_LENGTH_MAX];

    private byte[] bytes;

    /** Parts of the line: end of the name, end of the values, bounds of the tags; equal bounds without tags. */
    private int nameEnd;

    private int valuesEnd;
    private int tagsStart;
    private int tagsEnd;

    /** Maximum length of the names and values of the tags, including the values of flags. */
    private int tagsLength;

    private byte type;
    private double rate;

    /** Nanoseconds since 1970; negative without a time. */
    private long timeNs;

    /** Number of values of the line already passed to the sink. */
    private int written;

    /**
     * Creates a parser in its initial state.
     *
     * @param config options of the input
     * @param counters counts dropped events
     */
    public StatsdParser(StatsdConfig config, Counters<QueueCounter> counters) {
        relative = config.relativeGauges();
        this.counters = counters;
    }

    @Override
    public void reset() {
        cursor.reset();
        number.release();
        written = 0;
        bytes = null;
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink sink) {
        bytes = input.bytes();
        cursor.open(input, sink);
        while (cursor.next()) {
            if (startsWith(EVENT) || startsWith(CHECK)) {
                counters.increment(QueueCounter.PARSER_STATSD_OTHERS);
            } else if (!cursor.isBlank() && !line(sink)) {
                return false;
            }
            cursor.consumePoints(Math.max(1, written));
            written = 0;
        }
        return true;
    }

    private boolean startsWith(byte[] word) {
        int start = cursor.start();
        if (bytes[start] != '_' || cursor.textEnd() - start < word.length) {
            return false; // fast path: every metric
        }
        int i = 1;
        while (i < word.length && bytes[start + i] == word[i]) {
            i++;
        }
        return i == word.length;
    }

    /** Passes the points of a line to the sink; false when the sink is full. */
    private boolean line(PointSink sink) {
        ParseError wrong = cursor.isUtf8() ? parts() : ParseError.NOT_UTF8;
        if (wrong != null) {
            cursor.reject(wrong);
            return true;
        }
        int index = 0;
        int from = nameEnd + 1;
        while (from <= valuesEnd) {
            if (index == VALUES_MAX) {
                cursor.reject(ParseError.STATSD_MANY_VALUES);
                return true;
            }
            int to = type == 's' ? valuesEnd : until(from, valuesEnd, ':');
            if (index++ >= written) {
                if (!sink.begin(nameEnd - cursor.start() + tagsLength + to - from)) {
                    return false;
                }
                written = index;
                wrong = point(from, to, sink);
                if (wrong == null) {
                    int ended = sink.end();
                    if (ended < 0) {
                        reject(from, to, PointSink.reasonOf(ended));
                    }
                } else {
                    reject(from, to, wrong.text());
                }
            }
            from = to + 1;
        }
        return true;
    }

    /** Rejects a value with the name of the metric; the only value of a line with the whole line. */
    private void reject(int from, int to, String reason) {
        if (from == nameEnd + 1 && to == valuesEnd) {
            cursor.reject(reason);
            return;
        }
        int nameLength = Math.min(nameEnd - cursor.start(), LETTER_LENGTH_MAX / 2);
        int valueLength = Math.min(to - from, LETTER_LENGTH_MAX - nameLength - 1);
        System.arraycopy(bytes, cursor.start(), letter, 0, nameLength);
        letter[nameLength] = ':';
        System.arraycopy(bytes, from, letter, nameLength + 1, valueLength);
        cursor.reject(letter, nameLength + 1 + valueLength, reason);
    }

    private int until(int from, int to, char wanted) {
        int i = from;
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }

    /** Finds the parts of the line; returns null without an error. */
    private ParseError parts() {
        int start = cursor.start();
        int end = cursor.textEnd();
        nameEnd = until(start, end, ':');
        if (nameEnd == start) {
            return ParseError.NO_METRIC;
        }
        valuesEnd = until(nameEnd, end, '|');
        if (nameEnd == end || valuesEnd == nameEnd + 1) {
            return ParseError.TELNET_NO_VALUE;
        }
        int typeEnd = until(Math.min(end, valuesEnd + 1), end, '|');
        type = type(valuesEnd + 1, typeEnd);
        if (type == 0) {
            return ParseError.STATSD_BAD_TYPE;
        }
        tagsStart = 0;
        tagsEnd = 0;
        tagsLength = 0;
        rate = 1;
        timeNs = NOTHING;
        while (typeEnd < end) {
            int section = typeEnd + 1;
            typeEnd = until(section, end, '|');
            ParseError wrong = section(section, typeEnd);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    /** First letter of a type; 0 for an unknown type. */
    private byte type(int from, int to) {
        if (to - from == 2 && bytes[from] == 'm' && bytes[from + 1] == 's') {
            return 'm';
        }
        byte letter = to - from == 1 ? bytes[from] : 0;
        return letter == 'c' || letter == 'g' || letter == 'h' || letter == 'd' || letter == 's' ? letter : 0;
    }

    private ParseError section(int from, int to) {
        byte first = from < to ? bytes[from] : 0;
        if (first == '#') {
            tagsStart = from + 1;
            tagsEnd = to;
            tagsLength = lengthOfTags();
            return null;
        }
        if (first == '@') {
            if (!number.read(bytes, from + 1, to) || number.next() != to) {
                return ParseError.STATSD_BAD_RATE;
            }
            rate = number.asDouble();
            return rate > 0 && rate <= 1 ? null : ParseError.STATSD_BAD_RATE;
        }
        if (first == 'T') {
            ParseError wrong = time.read(bytes, from + 1, to, false);
            timeNs = time.timeNs();
            return wrong == null && timeNs < 0 ? ParseError.UNIX_BAD_TIME : wrong;
        }
        int letters = from;
        while (letters < to && bytes[letters] >= 'a' && bytes[letters] <= 'z') {
            letters++;
        }
        // such as c:<container>, which later versions of the protocol may extend
        return letters > from && letters < to && bytes[letters] == ':' ? null : ParseError.STATSD_BAD_SECTION;
    }

    private int lengthOfTags() {
        int length = tagsEnd - tagsStart + FLAG.length;
        for (int i = tagsStart; i < tagsEnd; i++) {
            length += bytes[i] == ',' ? FLAG.length : 0;
        }
        return length;
    }

    private ParseError point(int from, int to, PointSink sink) {
        ParseError wrong = series(sink);
        if (wrong != null) {
            return wrong;
        }
        if (timeNs >= 0) {
            sink.time(timeNs);
        }
        if (type == 's') {
            sink.textField(SET, 0, SET.length, bytes, from, to - from);
            return null;
        }
        boolean isSigned = from < to && (bytes[from] == '+' || bytes[from] == '-');
        boolean isChange = type == 'g' && isSigned && relative != RelativeGauges.ABSOLUTE;
        if (isChange && relative == RelativeGauges.REJECT) {
            return ParseError.STATSD_RELATIVE;
        }
        double value;
        if (number.readSigned(bytes, from, to) && number.next() == to) {
            value = number.asDouble();
        } else if (NumberField.isNotFinite(bytes, from, to)) {
            value = Double.NaN; // the sink rejects the point with its own reason
        } else {
            return ParseError.TELNET_BAD_VALUE;
        }
        byte[] field = type == 'c' || isChange ? DELTA : VALUE;
        long bits = Double.doubleToRawLongBits(type == 'c' ? value / rate : value);
        sink.field(field, 0, field.length, FieldType.DOUBLE.code(), bits);
        return null;
    }

    private ParseError series(PointSink sink) {
        int start = cursor.start();
        if (tagsEnd > tagsStart) {
            sink.metric(bytes, start, nameEnd - start);
            return tags(sink);
        }
        // only names without tags are looked up, so the name with its colon means one series
        if (!sink.series(bytes, start, nameEnd + 1 - start)) {
            sink.metric(bytes, start, nameEnd - start);
        }
        return null;
    }

    private ParseError tags(PointSink sink) {
        int from = tagsStart;
        while (from < tagsEnd) {
            int to = until(from, tagsEnd, ',');
            int colon = until(from, to, ':');
            if (to > from) {
                if (colon == from) {
                    return ParseError.TELNET_NO_TAG_NAME;
                }
                if (colon + 1 == to) {
                    return ParseError.TELNET_NO_TAG_VALUE;
                }
                if (colon == to) {
                    sink.tag(bytes, from, to - from, FLAG, 0, FLAG.length);
                } else {
                    sink.tag(bytes, from, colon - from, bytes, colon + 1, to - colon - 1);
                }
            }
            from = to + 1;
        }
        return null;
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}
