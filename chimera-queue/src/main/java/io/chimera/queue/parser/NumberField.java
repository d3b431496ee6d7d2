package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.nio.charset.StandardCharsets;

/** Field {@code value} of protocols with one number per point. */
final class NumberField {
    private static final byte[] NAME = "value".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NAN = "nan".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] INF = "inf".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] INFINITY = "infinity".getBytes(StandardCharsets.US_ASCII);

    private NumberField() {}

    /**
     * Passes a text to the sink: with a decimal point or an exponent as a double, else as a long.
     *
     * @return null without an error
     */
    @HotPath
    static ParseError write(NumberText number, byte[] bytes, int from, int to, PointSink sink) {
        if (!number.readSigned(bytes, from, to) || number.next() != to) {
            return ParseError.TELNET_BAD_VALUE;
        }
        if (!number.isInteger()) {
            writeDouble(number.asDouble(), sink);
        } else if (number.isLong()) {
            sink.field(NAME, 0, NAME.length, FieldType.LONG.code(), number.asLong());
        } else {
            return ParseError.TELNET_BAD_VALUE;
        }
        return null;
    }

    /** Passes a double to the sink. */
    @HotPath
    static void writeDouble(double value, PointSink sink) {
        sink.field(NAME, 0, NAME.length, FieldType.DOUBLE.code(), Double.doubleToRawLongBits(value));
    }

    /** Whether a text is NaN or infinity in any case, with or without a sign. */
    static boolean isNotFinite(byte[] bytes, int from, int to) {
        int start = from < to && (bytes[from] == '-' || bytes[from] == '+') ? from + 1 : from;
        return isWord(NAN, bytes, start, to) || isWord(INF, bytes, start, to) || isWord(INFINITY, bytes, start, to);
    }

    private static boolean isWord(byte[] word, byte[] bytes, int from, int to) {
        if (to - from != word.length) {
            return false;
        }
        int i = 0;
        while (i < word.length && (bytes[from + i] | 0x20) == word[i]) {
            i++;
        }
        return i == word.length;
    }

    /** Passes a text to the sink. */
    static void writeText(byte[] bytes, int from, int to, PointSink sink) {
        sink.textField(NAME, 0, NAME.length, bytes, from, to - from);
    }
}
