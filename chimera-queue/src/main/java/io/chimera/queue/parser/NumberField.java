package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.nio.charset.StandardCharsets;

/** Field {@code value} of protocols with one number per point. */
final class NumberField {
    private static final byte[] NAME = "value".getBytes(StandardCharsets.US_ASCII);

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

    /** Passes a text to the sink. */
    static void writeText(byte[] bytes, int from, int to, PointSink sink) {
        sink.textField(NAME, 0, NAME.length, bytes, from, to - from);
    }
}
