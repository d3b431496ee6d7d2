package io.chimera.common.wire;

/**
 * The body of a batch and of a DATA frame: entries, which are records and what they refer to. A series (metric and tags)
 * and a set of fields (names and types) are defined once and then named by a number, so that a record is little more than
 * its values. Little-endian; an entry begins at a multiple of 8, and its length is one, which leaves the lowest three bits
 * of its first word to say what it is.
 *
 * <pre>
 *   0            4        6        8
 *   +------------+--------+--------+
 *   |length|RESET| 0               |      forgets all definitions
 *   +------------+--------+--------+-------------+----------+-----+
 *   |length|SERIES| tags  | number | key hash    |key bytes | 0   |   then the key, padded to 8:
 *   +------------+--------+--------+-------------+----------+-----+   u16 length, metric, then for each tag, ordered by name,
 *   |length|FIELDS| count | number |                 16         20    u16 length, name, u16 length, value
 *   +------------+--------+--------+   then for each field u8 type, u8 0, u16 length, name; padded to 8
 *   |length|RECORD| fields| series | time (ns)   |input|flags| 0  |   then 64 bits per field: its value, or the length of its
 *   +------------+--------+--------+-------------+-----+-----+----+   text; then the texts, each padded to 8
 *   |length|PARTI.| fields| series | checksum    |records   |prim.|   then an AggregateBlock per field
 *   +------------+--------+--------+-------------+----------+-----+
 *   0            4        6        8             16    18    20   24
 * </pre>
 *
 * A definition holds from where it stands until the next RESET. Those of series, and those of sets of fields, are numbered
 * in the order in which they come, from 0 on behind each RESET; a definition with any other number is refused. So what a
 * reader keeps, and what it costs to forget it, is no more than what it was sent. A batch begins without definitions and can
 * be read on its own; those of frames hold over all DATA frames of one pipeline in a transmission.
 *
 * <p>A partial stands for records of one series and set of fields that were put together: how many, how many of them are primary, the
 * sum of their checksums, and what was aggregated of each field. It occurs in frames only.
 *
 * <p>The key is what Chimera 2017, III-B calls so: metric and ordered tags, concatenated. Its hash is taken once, where the
 * point is parsed, and shards it everywhere after.
 */
public final class BodyLayout {
    /** A data point. */
    public static final int RECORD = 0;
    /** Definition of a series. */
    public static final int SERIES = 1;
    /** Definition of a set of fields. */
    public static final int FIELDS = 2;
    /** End of all definitions. */
    public static final int RESET = 3;
    /** Data points that were put together. */
    public static final int PARTIAL = 4;

    /** The bits of an entry's first word that say what it is; the others are its length. */
    public static final int KIND_MASK = 7;
    /** Bytes of a RESET. */
    public static final int RESET_LENGTH = 8;

    /** Definition: number of tags, or of fields: u16. */
    public static final int DEFINITION_COUNT = 4;
    /** Definition: its number, that of definitions of its kind since the last RESET: u16. */
    public static final int DEFINITION_NUMBER = 6;

    /** Series: {@link SeriesHash} of the key: u64. */
    public static final int KEY_HASH = 8;
    /** Series: bytes of the key without padding: u32. */
    public static final int KEY_LENGTH = 16;
    /** Series: where the key begins. */
    public static final int KEY = 24;

    /** Fields: where the first begins. */
    public static final int FIRST_FIELD = 8;
    /** Fields, from the start of each: bytes of its name: u16. The type, {@code FieldType.code()}, is ahead of it: u8. */
    public static final int FIELD_NAME_LENGTH = 2;
    /** Fields, from the start of each: where its name begins. */
    public static final int FIELD_NAME = 4;

    /** Record: number of its set of fields: u16. */
    public static final int RECORD_FIELDS = 4;
    /** Record: number of its series: u16. */
    public static final int RECORD_SERIES = 6;
    /** Record: nanoseconds since 1970: i64. */
    public static final int TIME_NS = 8;
    /** Record: ordinal of the input, by name, among the configured inputs: u16. */
    public static final int INPUT = 16;
    /** Record: {@link #FLAG_PRIMARY}: u16. */
    public static final int FLAGS = 18;
    /** Record: where the values begin. */
    public static final int VALUES = 24;

    /** Partial: sum of the checksums of its records: u64. */
    public static final int PARTIAL_CHECKSUM = 8;
    /** Partial: number of records: u32. */
    public static final int PARTIAL_RECORDS = 16;
    /** Partial: how many of them are primary: u32. */
    public static final int PARTIAL_PRIMARY = 20;
    /** Partial: where the blocks begin. */
    public static final int PARTIAL_BLOCKS = 24;

    /**
     * Set by the channel manager on the copy that goes to the first pipeline which takes the record: exactly one copy of
     * each record is counted in the accounts of a cycle, however many pipelines take it.
     */
    public static final int FLAG_PRIMARY = 1;

    /** Definitions of one kind that hold at one time, at most: as many as there are numbers. */
    public static final int DEFINITIONS_MAX = 1 << 16;

    /** The most bytes of text one data point may have: 64 KiB. */
    public static final int TEXT_LENGTH_MAX = 64 << 10;

    /**
     * The most bytes of a record together with its definitions. A field of 4 bytes of text ({@code a=1,}) is 5 bytes of a
     * definition and 8 of a value, so 64 KiB of text become some 210 KiB; the sink's estimate is rougher.
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
