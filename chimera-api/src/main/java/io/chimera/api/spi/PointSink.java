package io.chimera.api.spi;

/**
 * Receives the points of a {@link Parser}, one at a time: {@link #begin}, the metric, the tags, the fields, {@link
 * #end}. The parser may set the time anywhere between {@code begin} and {@code end}. All names and texts are UTF-8
 * bytes without escapes; the sink copies the bytes at once and orders the tags. Only the parser's thread calls the
 * sink. A call allocates nothing.
 */
public interface PointSink {
    /** Maximum number of tags of a point. */
    int TAGS_MAX = 64;

    /** Result of {@link #end} for an accepted point. */
    int OK = 0;

    /** Result of {@link #end}: more than {@link #TAGS_MAX} tags. */
    int TOO_MANY_TAGS = -1;

    /** Result of {@link #end}: two tags have the same name. */
    int DUPLICATE_TAG = -2;

    /** Result of {@link #end}: the record would exceed the maximum size of a batch. */
    int TOO_LONG = -3;

    /** Result of {@link #end}: no field. */
    int NO_FIELD = -4;

    /** Result of {@link #end}: no metric, or an empty one. */
    int NO_METRIC = -5;

    /** Result of {@link #end}: the time lies before 1970 or after 2262 and cannot be stored. */
    int TIME_OUT_OF_RANGE = -6;

    /** Result of {@link #end}: a double field is NaN or infinite. */
    int NOT_FINITE = -7;

    /** Result of {@link #end}: a tag without a name or without a value. */
    int EMPTY_TAG = -8;

    /**
     * Result of {@link #end}: the series of the point is new, and the input or the sender has reached its limit of new
     * series.
     */
    int TOO_MANY_SERIES = -9;

    /** Result of {@link #end}: the bytes of a histogram are not in the layout of {@code HistogramWriter}. */
    int NO_HISTOGRAM = -10;

    /**
     * Begins a point and drops an unfinished point.
     *
     * @param textLength bytes of text of the point, used to estimate the room needed for the record
     * @return false when the sink has no room now; the parser then stops before this point
     */
    boolean begin(int textLength);

    /**
     * Compares the text of a point with the expected next series, because senders repeat their series in the same
     * order. After a match the parser skips metric and tags without reading them. The call is optional.
     *
     * @param bytes array with the text of the point
     * @param offset index of the first byte of the point
     * @param end index after the last byte that the sink may read
     * @return length of the matching text, as passed to {@link #series} before; the series of the point is then set. -1
     *     without a match
     */
    default int seriesAhead(byte[] bytes, int offset, int end) {
        return -1;
    }

    /**
     * Looks up a text that was read as metric and tags before. After a miss, metric and tags must follow, and the sink
     * may remember the text for them. Equal texts must mean equal series, whatever bytes follow the text; therefore the
     * text includes its terminator.
     *
     * @param bytes array with the text
     * @param offset index of the first byte of the text
     * @param length length of the text in bytes
     * @return true when the series of the point is set
     */
    default boolean series(byte[] bytes, int offset, int length) {
        return false;
    }

    /**
     * Sets the metric.
     *
     * @param bytes array with the name
     * @param offset index of the first byte of the name
     * @param length length of the name in bytes
     */
    void metric(byte[] bytes, int offset, int length);

    /**
     * Adds a tag. Name and value must not be empty.
     *
     * @param name array with the name
     * @param nameOffset index of the first byte of the name
     * @param nameLength length of the name in bytes
     * @param value array with the value
     * @param valueOffset index of the first byte of the value
     * @param valueLength length of the value in bytes
     */
    void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength);

    /**
     * Compares a text with the name of the expected next field and an equals sign. A name that needs escapes in some
     * protocol never matches. After a match the parser must add this field next, or drop the point.
     *
     * @param bytes array with the text
     * @param offset index of the first byte of the text
     * @param end index after the last byte that the sink may read
     * @return length of the name without the equals sign; -1 without a match
     */
    default int fieldAhead(byte[] bytes, int offset, int end) {
        return -1;
    }

    /**
     * Adds a field with a number or a boolean.
     *
     * @param name array with the name
     * @param nameOffset index of the first byte of the name
     * @param nameLength length of the name in bytes
     * @param typeCode {@link io.chimera.api.model.FieldType#code()} of a number or a boolean
     * @param bits the value: the long itself, the raw bits of the double, 1 or 0 for a boolean
     */
    void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits);

    /**
     * Adds a field with text.
     *
     * @param name array with the name
     * @param nameOffset index of the first byte of the name
     * @param nameLength length of the name in bytes
     * @param value array with the text
     * @param valueOffset index of the first byte of the text
     * @param valueLength length of the text in bytes
     */
    void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength);

    /**
     * Adds a field with a histogram.
     *
     * @param name array with the name
     * @param nameOffset index of the first byte of the name
     * @param nameLength length of the name in bytes
     * @param value array with a histogram written by {@link io.chimera.api.model.HistogramWriter}
     * @param valueOffset index of the first byte of the histogram
     * @param valueLength length of the histogram in bytes
     * @throws UnsupportedOperationException if the sink takes no histograms
     */
    default void histogramField(
            byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        throw new UnsupportedOperationException("This sink takes no histograms.");
    }

    /**
     * Sets the time. The default is {@link #arrivalTimeNs()}.
     *
     * @param timeNs nanoseconds since 1970-01-01T00:00Z
     */
    void time(long timeNs);

    /**
     * Ends the point.
     *
     * @return {@link #OK}, or a negative code: the sink dropped the point, and the parser must reject the point with a
     *     reason
     */
    int end();

    /**
     * Reports a bad point. The sink counts the point, writes the text to the dead letters, and adds line and reason to
     * the answer.
     *
     * @param bytes array with the text of the point
     * @param offset index of the first byte of the point
     * @param length length of the text in bytes
     * @param line number of the line or element of the point, counted from 1
     * @param reason defect and expected text; a constant, or a text made for at most the first hundred bad points of a
     *     request
     */
    void reject(byte[] bytes, int offset, int length, long line, String reason);

    /**
     * Answers a command of the sender. Does nothing for an input without a way back to the sender. The number of
     * answers is bounded.
     *
     * @param text the answer, with a line end
     */
    default void reply(String text) {}

    /**
     * Returns the arrival time of the chunk.
     *
     * @return nanoseconds since 1970-01-01T00:00Z
     */
    long arrivalTimeNs();

    /**
     * Returns the text for a negative result of {@link #end}.
     *
     * @param code the result
     * @return a reason for {@link #reject}
     */
    static String reasonOf(int code) {
        return switch (code) {
            case TOO_MANY_TAGS -> "more than 64 tags";
            case DUPLICATE_TAG -> "duplicate tag";
            case TOO_LONG -> "data point too long";
            case NO_FIELD -> "missing fields";
            case NO_METRIC -> "missing metric";
            case TIME_OUT_OF_RANGE -> "time outside range 1970 to 2262";
            case NOT_FINITE -> "value is NaN or infinite";
            case EMPTY_TAG -> "tag without a name or a value";
            case TOO_MANY_SERIES -> "too many new series";
            case NO_HISTOGRAM -> "malformed histogram";
            default -> "invalid data point";
        };
    }
}
