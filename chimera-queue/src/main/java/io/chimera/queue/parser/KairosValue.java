package io.chimera.queue.parser;

import com.fasterxml.jackson.core.JsonParser;
import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Timestamp, value and type of a data point in KairosDB's JSON, with their combined interpretation. Without a type, a
 * number or numeric text is a long, or a double if it has a decimal point or exponent; any other text is text.
 */
final class KairosValue {
    private static final byte[] FIELD = "value".getBytes(StandardCharsets.US_ASCII);

    private static final Set<String> NOT_FINITE =
            Set.of("NaN", "Infinity", "-Infinity", "+Infinity", "INF", "-INF", "+INF");

    /** Value types by KairosDB's registered names. */
    private enum Type {
        NONE,
        LONG,
        DOUBLE,
        STRING,
        UNKNOWN
    }

    /** Kind of the value's token. */
    private enum Kind {
        ABSENT,
        NULL,
        NUMBER,
        TEXT,
        NESTED
    }

    private final NumberText number = new NumberText();
    private final TextStore store;

    private Kind time = Kind.ABSENT;
    private boolean timeValid;
    private long timeUnits;

    private Kind kind = Kind.ABSENT;
    private int valueOffset;
    private int valueLength;

    private Type type = Type.NONE;
    private String unknownType = "";

    /** Creates a value with its text in a store; the owner of the store clears the store. */
    KairosValue(TextStore store) {
        this.store = store;
    }

    void clear() {
        time = Kind.ABSENT;
        kind = Kind.ABSENT;
        type = Type.NONE;
    }

    /** Adopts the type of the metric. */
    void typeOf(KairosValue metric) {
        type = metric.type;
        unknownType = metric.unknownType;
    }

    boolean hasTime() {
        return time == Kind.NUMBER || time == Kind.TEXT || time == Kind.NESTED;
    }

    boolean hasValue() {
        return kind != Kind.ABSENT && kind != Kind.NULL;
    }

    /** Reads the token as the timestamp. */
    @HotPath
    void takeTime(JsonParser token) throws IOException {
        time = kindOf(token);
        timeValid = false;
        if (time == Kind.NUMBER || time == Kind.TEXT) {
            int from = store.used();
            int to = from + store.add(token);
            timeValid = number.read(store.bytes(), from, to) && number.next() == to && isWhole();
        } else {
            token.skipChildren();
        }
    }

    /** Whether the number is an integer, or a double with an integral value, as written by some clients. */
    private boolean isWhole() {
        if (number.isInteger()) {
            timeUnits = number.asLong();
            return number.isLong();
        }
        double value = number.asDouble();
        timeUnits = (long) value;
        return Math.rint(value) == value && Math.abs(value) <= 1L << 53;
    }

    /** Reads the token as the value. */
    @HotPath
    void takeValue(JsonParser token) throws IOException {
        kind = kindOf(token);
        valueOffset = store.used();
        valueLength = 0;
        if (kind == Kind.NUMBER || kind == Kind.TEXT) {
            valueLength = store.add(token);
        } else {
            token.skipChildren();
        }
    }

    /** Reads the token as the type. */
    void takeType(JsonParser token) throws IOException {
        if (kindOf(token) == Kind.NULL) {
            type = Type.NONE;
            return;
        }
        String name = token.getText();
        type = switch (name) {
            case "long" -> Type.LONG;
            case "double" -> Type.DOUBLE;
            case "string" -> Type.STRING;
            default -> Type.UNKNOWN;
        };
        unknownType = name;
        token.skipChildren();
    }

    private static Kind kindOf(JsonParser token) {
        return switch (token.currentToken()) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
            case VALUE_STRING, VALUE_TRUE, VALUE_FALSE -> Kind.TEXT;
            case VALUE_NULL -> Kind.NULL;
            default -> Kind.NESTED;
        };
    }

    /** Returns the error of the data point; null when the data point is valid. */
    @HotPath
    ParseError problem() {
        if (time == Kind.ABSENT) {
            return ParseError.JSON_NO_TIME;
        }
        if (time == Kind.NULL) {
            return ParseError.JSON_TIME_NULL;
        }
        if (kind == Kind.ABSENT) {
            return ParseError.JSON_NO_VALUE;
        }
        if (kind == Kind.NULL || (kind == Kind.TEXT && valueLength == 0 && type != Type.STRING)) {
            return ParseError.JSON_VALUE_EMPTY;
        }
        if (kind == Kind.NESTED) {
            return ParseError.JSON_VALUE_NESTED;
        }
        return timeValid ? null : ParseError.JSON_BAD_TIME;
    }

    /** Whether the value is a bare NaN or Infinity, or the same as text in place of a number. */
    @ColdPath
    private boolean isNotFinite(int end) {
        if (kind == Kind.NUMBER) {
            return true; // every other JSON number is parsed as a number
        }
        return type != Type.NONE
                && NOT_FINITE.contains(
                        new String(store.bytes(), valueOffset, end - valueOffset, StandardCharsets.ISO_8859_1));
    }

    /**
     * Passes time and value to the sink.
     *
     * @param unitNs nanoseconds per unit of the timestamp
     * @return the error, or null
     */
    @HotPath
    ParseError writeTo(PointSink sink, long unitNs) {
        if (timeUnits > Long.MAX_VALUE / unitNs) {
            return ParseError.JSON_TIME_TOO_LARGE;
        }
        sink.time(timeUnits < 0 ? -1 : timeUnits * unitNs); // the sink rejects negative times with its own reason
        if (type == Type.UNKNOWN) {
            return ParseError.JSON_UNKNOWN_TYPE;
        }
        byte[] bytes = store.bytes();
        int end = valueOffset + valueLength;
        boolean isNumber = type != Type.STRING && number.read(bytes, valueOffset, end) && number.next() == end;
        if (!isNumber && type != Type.STRING && isNotFinite(end)) {
            return ParseError.JSON_NOT_FINITE;
        }
        if (!isNumber && (type == Type.STRING || type == Type.NONE)) {
            sink.textField(FIELD, 0, FIELD.length, bytes, valueOffset, valueLength);
            return null;
        }
        boolean asLong = type == Type.LONG || (type == Type.NONE && number.isInteger());
        if (!isNumber || (asLong && !number.isLong())) {
            return asLong ? ParseError.JSON_NO_LONG : ParseError.JSON_NO_DOUBLE;
        }
        long bits = asLong ? number.asLong() : Double.doubleToRawLongBits(number.asDouble());
        sink.field(FIELD, 0, FIELD.length, asLong ? FieldType.LONG.code() : FieldType.DOUBLE.code(), bits);
        return null;
    }
}
