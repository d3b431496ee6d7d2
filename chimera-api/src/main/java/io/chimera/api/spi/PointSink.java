package io.chimera.api.spi;

/**
 * Where a {@link Parser} puts its points, one at a time: {@link #begin}, the metric, the tags, the fields,
 * {@link #end}; the time may come anywhere between. All names and texts are UTF-8 bytes without escapes; the sink
 * copies them at once and orders the tags. Called by the parser's thread only; a call allocates nothing.
 */
public interface PointSink {
    /** The most tags a point may have. */
    int TAGS_MAX = 64;

    /** Result of {@link #end} for a point that was taken. */
    int OK = 0;

    /** Result of {@link #end}: more than {@link #TAGS_MAX} tags. */
    int TOO_MANY_TAGS = -1;

    /** Result of {@link #end}: two tags of one name. */
    int DUPLICATE_TAG = -2;

    /** Result of {@link #end}: the record would be larger than a batch may be. */
    int TOO_LONG = -3;

    /** Result of {@link #end}: no field. */
    int NO_FIELD = -4;

    /** Result of {@link #end}: no metric, or an empty one. */
    int NO_METRIC = -5;

    /** Result of {@link #end}: a time before 1970 or after 2262 cannot be held or stored. */
    int TIME_OUT_OF_RANGE = -6;

    /** Result of {@link #end}: a double field is NaN or infinite. */
    int NOT_FINITE = -7;

    /** Result of {@link #end}: a tag without a name or without a value. */
    int EMPTY_TAG = -8;

    /** The point was not taken: its series is new, and the input or the sender has too many new series. */
    int TOO_MANY_SERIES = -9;

    /**
     * Begins a point, dropping one that was begun and not ended.
     *
     * @param textLength bytes of text the point is made of, from which the room it needs is estimated
     * @return false when there is no room now; the parser then stops ahead of this point
     */
    boolean begin(int textLength);

    /**
     * Asks whether the text of a point begins with the series that is expected next: senders repeat their series in one
     * order. A parser that is told so steps over metric and tags and need not read them; it may ask or not.
     *
     * @param bytes array with the text of the point
     * @param offset index of its first byte
     * @param end index behind the last byte that may be looked at
     * @return length of the text that {@link #series} was once told of, and which stands here again: the series of the point
     *     is set; -1 when it is not known
     */
    default int seriesAhead(byte[] bytes, int offset, int end) {
        return -1;
    }

    /**
     * Asks whether a text has been read as metric and tags before. When it has not, metric and tags follow, and the
     * sink may remember what they were read from. Texts that are equal have to mean equal series, whatever stands
     * behind them: so what ends the text belongs to it.
     *
     * @param bytes array with the text
     * @param offset index of its first byte
     * @param length its length in bytes
     * @return true when the series of the point is set
     */
    default boolean series(byte[] bytes, int offset, int length) {
        return false;
    }

    /**
     * Sets the metric.
     *
     * @param bytes array with the name
     * @param offset index of its first byte
     * @param length its length in bytes
     */
    void metric(byte[] bytes, int offset, int length);

    /**
     * Adds a tag. Name and value must not be empty.
     *
     * @param name array with the name
     * @param nameOffset index of its first byte
     * @param nameLength its length in bytes
     * @param value array with the value
     * @param valueOffset index of its first byte
     * @param valueLength its length in bytes
     */
    void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength);

    /**
     * Asks whether a text begins with the name of the field that is expected next and an equals sign. A name that some
     * protocol would write with escapes is never expected. The field has to be the next that is added, or the point
     * dropped.
     *
     * @param bytes array with the text
     * @param offset index of its first byte
     * @param end index behind the last byte that may be looked at
     * @return length of the name without the equals sign; -1 when it is not known
     */
    default int fieldAhead(byte[] bytes, int offset, int end) {
        return -1;
    }

    /**
     * Adds a field with a number or a truth value.
     *
     * @param name array with the name
     * @param nameOffset index of its first byte
     * @param nameLength its length in bytes
     * @param typeCode {@link io.chimera.api.model.FieldType#code()} of any type but text
     * @param bits the value: the long itself, the raw bits of the double, 1 or 0 for a truth value
     */
    void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits);

    /**
     * Adds a field with text.
     *
     * @param name array with the name
     * @param nameOffset index of its first byte
     * @param nameLength its length in bytes
     * @param value array with the text
     * @param valueOffset index of its first byte
     * @param valueLength its length in bytes
     */
    void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength);

    /**
     * Sets the time. A point without one gets {@link #arrivalTimeNs()}.
     *
     * @param timeNs nanoseconds since 1970-01-01T00:00Z
     */
    void time(long timeNs);

    /**
     * Ends the point.
     *
     * @return {@link #OK}, or a negative code: the point is dropped, and the parser rejects it with its own words
     */
    int end();

    /**
     * Reports a bad point: it is counted, its text goes to the dead letters, its line and reason into the answer.
     *
     * @param bytes array with the text of the point
     * @param offset index of its first byte
     * @param length its length in bytes
     * @param line number of its line (or of its element), counted from 1
     * @param reason why: what is wrong and what is expected; a constant, or made for no more than the first hundred bad
     *     points of a request
     */
    void reject(byte[] bytes, int offset, int length, long line, String reason);

    /**
     * Answers a command of the sender, where the input has a way back to the sender; ignored otherwise. The number of answers
     * is bounded.
     *
     * @param text the answer, with its line end
     */
    default void reply(String text) {}

    /**
     * The time at which the chunk arrived.
     *
     * @return nanoseconds since 1970-01-01T00:00Z
     */
    long arrivalTimeNs();

    /**
     * Words for a negative result of {@link #end}.
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
            default -> "invalid data point";
        };
    }
}
