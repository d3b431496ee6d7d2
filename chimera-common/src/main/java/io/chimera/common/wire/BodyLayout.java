package io.chimera.common.wire;

/**
 * Layout of the body of a batch and of a DATA frame: a sequence of entries, either records or definitions. A definition
 * assigns a number to a series (metric and tags) or to a set of fields (names and types). Records refer to these
 * numbers, so a record is little more than its values. Little-endian. Every entry begins at a multiple of 8 and its
 * length is a multiple of 8; the lowest three bits of its first word are therefore free to store the kind of the entry.
 *
 * <pre>
 *   0            4        6        8
 *   +------------+--------+--------+
 *   |length|RESET| 0               |      drops all definitions
 *   +------------+--------+--------+-------------+----------+-----+
 *   |length|SERIES| tags  | number | key hash    |key bytes | 0   |   then the key, padded to 8:
 *   +------------+--------+--------+-------------+----------+-----+   u16 length, metric, then per tag (sorted by name)
 *   |length|FIELDS| count | number |                 16         20    u16 length, name, u16 length, value
 *   +------------+--------+--------+   then for each field u8 type, u8 0, u16 length, name; padded to 8
 *   |length|RECORD| fields| series | time (ns)   |input|flags| 0  |   then 64 bits per field: a value, or the length
 *   +------------+--------+--------+-------------+-----+-----+----+   of its text or histogram; then these bytes, each
 *                                                                     padded to 8
 *   |length|PARTI.| fields| series | checksum    |records   |prim.|   then an AggregateBlock per field
 *   +------------+--------+--------+-------------+----------+-----+
 *   0            4        6        8             16    18    20   24
 * </pre>
 *
 * <p>A definition is valid from its position until the next RESET. Definitions of series, and definitions of field
 * sets, are numbered in order of appearance, from 0 after each RESET; readers refuse a definition with any other
 * number. The memory of a reader and the cost of a RESET are therefore bounded by the received definitions. A batch
 * begins without definitions and is readable on its own; definitions in frames stay valid across all DATA frames of one
 * pipeline in a transmission.
 *
 * <p>A partial is the pre-aggregate of records of one series and field set: number of records, number of primary
 * records, sum of the record checksums, and one {@link AggregateBlock} per field. Partials occur only in frames.
 *
 * <p>The key is the key of Chimera 2017, III-B: metric and ordered tags, concatenated. The parser's encoder computes
 * the key hash once; all later stages reuse the hash for sharding.
 */
public final class BodyLayout {
    /** A data point. */
    public static final int RECORD = 0;
    /** Definition of a series. */
    public static final int SERIES = 1;
    /** Definition of a set of fields. */
    public static final int FIELDS = 2;
    /** Drops all definitions. */
    public static final int RESET = 3;
    /** Pre-aggregated data points. */
    public static final int PARTIAL = 4;

    /** Bits of an entry's first word with the kind of the entry; the other bits are the length. */
    public static final int KIND_MASK = 7;
    /** Length of a RESET in bytes. */
    public static final int RESET_LENGTH = 8;

    /** Definition: number of tags or fields: u16. */
    public static final int DEFINITION_COUNT = 4;
    /** Definition: ordinal among the definitions of the same kind since the last RESET: u16. */
    public static final int DEFINITION_NUMBER = 6;

    /** Series: {@link SeriesHash} of the key: u64. */
    public static final int KEY_HASH = 8;
    /** Series: length of the key in bytes, without padding: u32. */
    public static final int KEY_LENGTH = 16;
    /** Series: offset of the key. */
    public static final int KEY = 24;

    /** Fields: offset of the first field. */
    public static final int FIRST_FIELD = 8;
    /**
     * Fields, from the start of each field: length of the name in bytes: u16. The type, {@code FieldType.code()},
     * precedes the length: u8.
     */
    public static final int FIELD_NAME_LENGTH = 2;
    /** Fields, from the start of each field: offset of the name. */
    public static final int FIELD_NAME = 4;

    /** Record: number of the field set: u16. */
    public static final int RECORD_FIELDS = 4;
    /** Record: number of the series: u16. */
    public static final int RECORD_SERIES = 6;
    /** Record: nanoseconds since 1970: i64. */
    public static final int TIME_NS = 8;
    /** Record: ordinal of the input among the configured inputs, ordered by name: u16. */
    public static final int INPUT = 16;
    /** Record: {@link #FLAG_PRIMARY}: u16. */
    public static final int FLAGS = 18;
    /** Record: offset of the values. */
    public static final int VALUES = 24;

    /** Partial: sum of the checksums of the records: u64. */
    public static final int PARTIAL_CHECKSUM = 8;
    /** Partial: number of records: u32. */
    public static final int PARTIAL_RECORDS = 16;
    /** Partial: number of primary records: u32. */
    public static final int PARTIAL_PRIMARY = 20;
    /** Partial: offset of the aggregate blocks. */
    public static final int PARTIAL_BLOCKS = 24;

    /**
     * Flag of the primary copy of a record. The channel manager sets the flag on the copy for the first pipeline that
     * accepts the record, so the accounts of a cycle count each record exactly once, regardless of the number of
     * accepting pipelines.
     */
    public static final int FLAG_PRIMARY = 1;

    /** Maximum number of definitions of one kind between two RESETs: the range of the u16 number. */
    public static final int DEFINITIONS_MAX = 1 << 16;

    /** Maximum length of a text field in bytes: 64 KiB. */
    public static final int TEXT_LENGTH_MAX = 64 << 10;

    /**
     * Maximum length in bytes of a record together with its definitions. A field with 4 bytes of text ({@code a=1,})
     * takes 5 bytes of definition and 8 bytes of value, so 64 KiB of text become about 210 KiB; the sink's estimate is
     * coarser.
     */
    public static final int LENGTH_MAX = 384 << 10;

    private BodyLayout() {}

    /**
     * Rounds up to a multiple of 8.
     *
     * @param length bytes, not negative
     * @return the padded length
     */
    public static int align(int length) {
        return (length + 7) & ~7;
    }
}
