package io.chimera.common.wire;

/**
 * The flat record: one data point as bytes, the same in ring, journal, channel and extractor. Little-endian; a record
 * begins at a multiple of 8 and its length is one.
 *
 * <pre>
 *   0        4     6     8             16            24        28    30    32
 *   +--------+-----+-----+-------------+-------------+---------+-----+-----+
 *   | length |tags |fields| key hash   | time (ns)   |key bytes|input|flags|   header
 *   +--------+-----+-----+-------------+-------------+---------+-----+-----+
 *   | u16 length, metric | u16 length, tag name | u16 length, tag value | … |   key, tags ordered by name
 *   +----------------------------------------------------------------------+   padded to 8
 *   | type u8 | 0 u8 | name length u16 | text length u32 | value 64 bits    |   per field
 *   | name | text                                                          |   padded to 8
 *   +----------------------------------------------------------------------+
 * </pre>
 *
 * The key is what Chimera 2017, III-B calls so: metric and ordered tags, concatenated. Its hash is taken once, where the
 * point is parsed, and shards it everywhere after.
 */
public final class RecordLayout {
    /** Bytes of the whole record, a multiple of 8: u32. */
    public static final int LENGTH = 0;
    /** Number of tags: u16. */
    public static final int TAG_COUNT = 4;
    /** Number of fields: u16. */
    public static final int FIELD_COUNT = 6;
    /** {@link SeriesHash} of the key: u64. */
    public static final int KEY_HASH = 8;
    /** Nanoseconds since 1970: i64. */
    public static final int TIME_NS = 16;
    /** Bytes of the key without padding: u32. */
    public static final int KEY_LENGTH = 24;
    /** Ordinal of the input, by name, among the configured inputs: u16. */
    public static final int INPUT = 28;
    /** {@link #FLAG_PRIMARY}: u16. */
    public static final int FLAGS = 30;
    /** Where the key begins. */
    public static final int HEADER_LENGTH = 32;

    /**
     * Set by the channel manager on the copy that goes to the first pipeline which takes the record: exactly one copy of
     * each record is counted in the accounts of a cycle, however many pipelines take it.
     */
    public static final int FLAG_PRIMARY = 1;

    /** Field: {@link io.chimera.api.model.FieldType#code()}: u8. */
    public static final int FIELD_TYPE = 0;
    /** Field: bytes of its name: u16. */
    public static final int FIELD_NAME_LENGTH = 2;
    /** Field: bytes of its text, 0 when it is none: u32. */
    public static final int FIELD_TEXT_LENGTH = 4;
    /** Field: value of a number or truth value: 64 bits. */
    public static final int FIELD_VALUE = 8;
    /** Field: where its name begins. */
    public static final int FIELD_HEADER_LENGTH = 16;

    /** The most bytes of text one data point may have: 64 KiB. */
    public static final int TEXT_LENGTH_MAX = 64 << 10;

    /**
     * The most bytes a record may have. A field of 4 bytes of text ({@code a=1,}) becomes 24 bytes, so 64 KiB of text
     * become at most 6 x 64 KiB = 384 KiB.
     */
    public static final int LENGTH_MAX = 384 << 10;

    private RecordLayout() {}

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
