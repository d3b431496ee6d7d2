package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;

/**
 * Parses one point of the InfluxDB line protocol and passes the parts to a sink; implements the grammar of one point,
 * without lines and chunks. The sink gets text directly from the input, or, after resolving escapes, from a scratch
 * array. Not thread-safe; allocates nothing.
 */
final class LinePoint {
    private static final int LONG = FieldType.LONG.code();
    private static final int DOUBLE = FieldType.DOUBLE.code();

    private static final int NONE = -1;

    /** Kinds of text with different terminators and escapes. */
    private static final int METRIC = 0;

    private static final int NAME = 1;
    private static final int TAG_VALUE = 2;

    private final byte[] scratch = new byte[BodyLayout.TEXT_LENGTH_MAX];
    private final NumberText number = new NumberText();

    private byte[] bytes;
    private int position;
    private int end;
    private int scratchUsed;

    /** Whether quoted text may contain line feeds. */
    private boolean overLines;

    /** Whether every text of the point either occurred in an earlier valid point or is ASCII. */
    private boolean known;

    /**
     * Whether the current text is in the scratch array: a flag instead of an array reference, because writing a
     * reference costs a GC barrier.
     */
    private boolean inScratch;

    private int textOffset;
    private int textLength;

    LinePoint() {}

    /** Releases the source array. */
    void release() {
        bytes = null;
        number.release();
    }

    /** Index after the part examined by the last {@link #read}: the line end, or the position of the error. */
    int position() {
        return position;
    }

    /**
     * Whether every text of the point either occurred in an earlier valid point or is ASCII; otherwise the point may be
     * invalid UTF-8.
     */
    boolean isKnown() {
        return known;
    }

    /**
     * Reads a point up to the line end, or across line feeds inside quoted text if permitted.
     *
     * @param source array with the text
     * @param from first byte of the point, not a space
     * @param limit index after the last readable byte
     * @param isOverLines whether quoted text may contain line feeds; otherwise a line feed leaves the quote unclosed
     * @param unitNs nanoseconds per unit of the timestamp
     * @param sink receives the parts; the caller begins and ends the point
     * @return null when the point is valid so far
     */
    @HotPath
    ParseError read(byte[] source, int from, int limit, boolean isOverLines, long unitNs, PointSink sink) {
        if (bytes != source) {
            bytes = source;
        }
        position = from;
        end = limit;
        overLines = isOverLines;
        known = true;
        scratchUsed = 0;
        ParseError wrong = isSeriesKnown(sink) ? null : series(sink);
        if (wrong == null) {
            wrong = fields(sink);
        }
        return wrong == null ? time(unitNs, sink) : wrong;
    }

    /** Skips metric and tags already known to the sink, up to the first byte of the fields. */
    private boolean isSeriesKnown(PointSink sink) {
        int length = sink.seriesAhead(bytes, position, end);
        if (length < 0) {
            int space = ByteScan.space(bytes, position, end);
            if (space < 0 || !sink.series(bytes, position, space + 1 - position)) {
                return false;
            }
            length = space + 1 - position;
        }
        position += length;
        skipSpaces();
        return true;
    }

    /** Reads metric and tags, up to the first byte of the fields. */
    private ParseError series(PointSink sink) {
        known = false;
        takeMetric();
        if (textLength == 0) {
            return ParseError.NO_METRIC;
        }
        sink.metric(text(), textOffset, textLength);
        if (position < end && bytes[position] != ',' && bytes[position] != ' ') {
            return ParseError.BAD_METRIC;
        }
        while (position < end && bytes[position] == ',') {
            position++;
            ParseError wrong = tag(sink);
            if (wrong != null) {
                return wrong;
            }
        }
        if (position >= end || bytes[position] != ' ') {
            return ParseError.NO_FIELDS;
        }
        skipSpaces();
        return null;
    }

    private ParseError tag(PointSink sink) {
        takeName();
        byte[] name = text();
        int nameOffset = textOffset;
        int nameLength = textLength;
        if (nameLength == 0) {
            return ParseError.NO_TAG_NAME;
        }
        if (position >= end || bytes[position] != '=') {
            return ParseError.NO_TAG_VALUE;
        }
        position++;
        takeTagValue();
        if (textLength == 0) {
            return ParseError.NO_TAG_VALUE;
        }
        sink.tag(name, nameOffset, nameLength, text(), textOffset, textLength);
        return null;
    }

    private ParseError fields(PointSink sink) {
        byte[] text = bytes;
        int at = position;
        while (true) {
            int nameLength = sink.fieldAhead(text, at, end);
            int behind = nameLength > 0 ? shortNumber(text, at, nameLength, sink) : NONE;
            if (behind == NONE) {
                position = at;
                ParseError wrong = field(nameLength, sink);
                if (wrong != null) {
                    return wrong;
                }
                behind = position;
            }
            if (behind >= end || text[behind] != ',') {
                position = behind;
                return behind >= end || isBlank(text[behind]) ? null : ParseError.BAD_FIELD_END;
            }
            at = behind + 1;
        }
    }

    /**
     * Reads the value of a field with a known name, if the value is a short number and enough bytes follow. Uses local
     * variables, because each field starts at the end of the previous field.
     *
     * @return index after the value; NONE for any other value, without side effects
     */
    private int shortNumber(byte[] text, int name, int nameLength, PointSink sink) {
        int from = name + nameLength + 1;
        if (end - from < NumberText.SHORT_REACH) {
            return NONE;
        }
        int behind = number.readShort(text, from);
        if (behind == NONE) {
            return NONE;
        }
        byte suffix = text[behind];
        if (suffix == 'i' && number.shortScale() == 0 && isFieldEnd(text[behind + 1])) {
            sink.field(text, name, nameLength, LONG, number.shortValue());
            return behind + 1;
        }
        if (isFieldEnd(suffix)) {
            sink.field(text, name, nameLength, DOUBLE, Double.doubleToRawLongBits(number.shortDouble()));
            return behind;
        }
        return NONE;
    }

    private static boolean isFieldEnd(byte b) {
        return b == ',' || isBlank(b);
    }

    /** Reads a field; a positive length means a known field name. */
    private ParseError field(int nameLength, PointSink sink) {
        if (nameLength > 0) {
            found(position + nameLength);
        } else {
            known = false;
            takeName();
            if (textLength == 0) {
                return ParseError.NO_FIELD_NAME;
            }
            if (position >= end || bytes[position] != '=') {
                return ParseError.NO_FIELD_VALUE;
            }
        }
        position++;
        return value(sink);
    }

    /** Reads the value after a field name. */
    private ParseError value(PointSink sink) {
        if (position >= end) {
            return ParseError.NO_FIELD_VALUE;
        }
        byte first = bytes[position];
        if ((first >= '0' && first <= '9') || first == '-' || first == '.') {
            return number(sink);
        }
        if (first == '"') {
            return quoted(sink);
        }
        if ((first | 0x20) == 't' || (first | 0x20) == 'f') {
            return truth(sink);
        }
        return first == ',' || isBlank(first) ? ParseError.NO_FIELD_VALUE : ParseError.BAD_FIELD_VALUE;
    }

    private ParseError number(PointSink sink) {
        boolean read = number.read(bytes, position, end);
        position = number.next();
        if (!read) {
            return ParseError.BAD_NUMBER;
        }
        byte suffix = position < end ? bytes[position] : 0;
        FieldType type = suffix == 'i' ? FieldType.LONG : suffix == 'u' ? FieldType.UNSIGNED : FieldType.DOUBLE;
        long bits;
        if (type == FieldType.DOUBLE) {
            bits = Double.doubleToRawLongBits(number.asDouble());
        } else {
            position++;
            if (!number.isInteger() || (type == FieldType.UNSIGNED && number.isNegative())) {
                return ParseError.BAD_NUMBER;
            }
            if (type == FieldType.LONG ? !number.isLong() : !number.isUnsigned()) {
                return ParseError.NUMBER_TOO_LARGE;
            }
            bits = type == FieldType.LONG ? number.asLong() : number.asUnsigned();
        }
        if (position < end && bytes[position] != ',' && !isBlank(bytes[position])) {
            return ParseError.BAD_NUMBER;
        }
        sink.field(text(), textOffset, textLength, type.code(), bits);
        return null;
    }

    private ParseError truth(PointSink sink) {
        int from = position;
        while (position < end && bytes[position] != ',' && !isBlank(bytes[position])) {
            position++;
        }
        boolean isTrue = (bytes[from] | 0x20) == 't';
        int length = position - from;
        boolean right = length == 1
                || (isTrue
                        ? length == 4 && spells(from, "TRUE", length)
                        : length == 5 && spells(from, "FALSE", length));
        if (!right) {
            return ParseError.BAD_BOOLEAN;
        }
        sink.field(text(), textOffset, textLength, FieldType.BOOLEAN.code(), isTrue ? 1 : 0);
        return null;
    }

    /** Whether a word is written in upper case, in lower case, or capitalised. */
    private boolean spells(int from, String capitals, int length) {
        int firstCase = bytes[from] & 0x20;
        int restCase = bytes[from + 1] & 0x20;
        for (int i = 1; i < length; i++) {
            if (bytes[from + i] != (capitals.charAt(i) | restCase)) {
                return false;
            }
        }
        return firstCase == 0 || restCase != 0;
    }

    private ParseError quoted(PointSink sink) {
        byte[] name = text();
        int nameOffset = textOffset;
        int nameLength = textLength;
        int from = position + 1;
        int i = quotedEnd(from);
        if (i < end && bytes[i] == '\\') {
            i = unescapeQuoted(from, i);
        } else {
            inScratch = false;
            textOffset = from;
            textLength = i - from;
        }
        if (i >= end || bytes[i] != '"') {
            known = false;
            position = end;
            return ParseError.UNCLOSED_QUOTE;
        }
        known = known && ByteScan.isAscii(bytes, from, i);
        position = i + 1;
        sink.textField(name, nameOffset, nameLength, text(), textOffset, textLength);
        return null;
    }

    /** Returns the index of the first quote, backslash or forbidden line feed. */
    private int quotedEnd(int from) {
        int i = ByteScan.quotedEnd(bytes, from, end);
        while (overLines && i < end && bytes[i] == '\n') {
            i = ByteScan.quotedEnd(bytes, i + 1, end);
        }
        return i;
    }

    /** Copies a quoted text with a backslash to the scratch array; returns the index of the closing quote. */
    private int unescapeQuoted(int from, int backslash) {
        textOffset = scratchUsed;
        int copied = from;
        int i = backslash;
        while (i < end && bytes[i] == '\\') {
            boolean escape = i + 1 < end && (bytes[i + 1] == '"' || bytes[i + 1] == '\\');
            if (escape) {
                toScratch(copied, i);
                copied = i + 1;
            }
            i = quotedEnd(escape ? i + 2 : i + 1);
        }
        toScratch(copied, Math.min(i, end));
        inScratch = true;
        textLength = scratchUsed - textOffset;
        return i;
    }

    private void takeMetric() {
        int stop = ByteScan.metricEnd(bytes, position, end);
        if (stop < end && bytes[stop] == '\\') {
            unescape(stop, METRIC);
        } else {
            found(stop);
        }
    }

    /** Reads the name of a tag or field. */
    private void takeName() {
        int stop = ByteScan.nameEnd(bytes, position, end);
        if (stop < end && bytes[stop] == '\\') {
            unescape(stop, NAME);
        } else {
            found(stop);
        }
    }

    private void takeTagValue() {
        int stop = nextStop(position, TAG_VALUE);
        if (stop < end && bytes[stop] == '\\') {
            unescape(stop, TAG_VALUE);
        } else {
            found(stop);
        }
    }

    /** Returns the index of the first byte that ends a text of the given kind, or is a backslash. */
    private int nextStop(int from, int kind) {
        if (kind == METRIC) {
            return ByteScan.metricEnd(bytes, from, end);
        }
        int stop = ByteScan.nameEnd(bytes, from, end);
        while (kind == TAG_VALUE && stop < end && isControl(bytes[stop])) {
            // a tag value may contain control characters other than line terminators
            stop = ByteScan.nameEnd(bytes, stop + 1, end);
        }
        return stop;
    }

    private static boolean isControl(byte b) {
        return (b >= 0 && b < ' ' && b != '\n' && b != '\r') || b == 0x7F;
    }

    private byte[] text() {
        return inScratch ? scratch : bytes;
    }

    private void found(int stop) {
        inScratch = false;
        textOffset = position;
        textLength = stop - position;
        position = stop;
    }

    /** Copies a text with a backslash to the scratch array. A backslash before any other byte stands for itself. */
    private void unescape(int backslash, int kind) {
        textOffset = scratchUsed;
        int copied = position;
        int i = backslash;
        while (i < end && bytes[i] == '\\') {
            byte escaped = i + 1 < end ? bytes[i + 1] : 0;
            boolean escape = escaped == ',' || escaped == ' ' || (escaped == '=' && kind != METRIC);
            if (escape) {
                toScratch(copied, i);
                copied = i + 1;
            }
            i = nextStop(escape ? i + 2 : i + 1, kind);
        }
        toScratch(copied, i);
        inScratch = true;
        textLength = scratchUsed - textOffset;
        position = i;
    }

    private void toScratch(int from, int to) {
        System.arraycopy(bytes, from, scratch, scratchUsed, to - from);
        scratchUsed += to - from;
    }

    private ParseError time(long unitNs, PointSink sink) {
        skipSpaces();
        if (isLineEnd()) {
            long arrivalNs = sink.arrivalTimeNs();
            sink.time(arrivalNs - Math.floorMod(arrivalNs, unitNs));
            return null;
        }
        int from = position;
        boolean read = number.readInteger(bytes, from, end);
        position = number.next();
        if (!read || (position < end && !isBlank(bytes[position]))) {
            return ParseError.BAD_TIME;
        }
        long units = number.asLong();
        long timeNs = units * unitNs;
        // the sink rejects negative times with its own reason
        if (!number.isLong() || (unitNs != 1 && Math.multiplyHigh(units, unitNs) != timeNs >> 63)) {
            return ParseError.TIME_TOO_LARGE;
        }
        skipSpaces();
        if (!isLineEnd()) {
            return ParseError.BAD_END;
        }
        sink.time(timeNs);
        return null;
    }

    private void skipSpaces() {
        while (position < end && bytes[position] == ' ') {
            position++;
        }
    }

    /**
     * Whether the line ends here: at the end of the input, at a line feed, or at a carriage return before either. Skips
     * the carriage return.
     */
    private boolean isLineEnd() {
        int lineFeed = position < end && bytes[position] == '\r' ? position + 1 : position;
        if (lineFeed < end && bytes[lineFeed] != '\n') {
            return false;
        }
        position = lineFeed;
        return true;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r';
    }
}
