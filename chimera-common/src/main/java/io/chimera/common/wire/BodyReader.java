package io.chimera.common.wire;

import io.chimera.api.HotPath;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Walks a body that lies in one piece, and checks it on the way: whatever the bytes are, an entry that was stepped to is
 * whole and what it refers to is defined, or the walk ends as {@link #BROKEN}. Not thread-safe; allocates nothing but room
 * for more definitions than it has met before.
 */
public final class BodyReader {
    /** Result of {@link #step}: the body ended where it should. */
    public static final int END = -1;
    /** Result of {@link #step}: what comes next is no whole entry, or refers to what is not defined. */
    public static final int BROKEN = -2;

    private static final int WITH_TEXT = -1;
    private static final int ROOM_FIRST = 64;

    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final RecordFlyweight record = new RecordFlyweight();

    /** Where the definitions are, by their numbers. */
    private int[] seriesAt = new int[ROOM_FIRST];

    private int[] fieldsAt = new int[ROOM_FIRST];

    /** Bytes of a record of each set of fields; {@link #WITH_TEXT} where that differs from record to record. */
    private int[] recordLengths = new int[ROOM_FIRST];

    /** How many are defined; the next has this number. */
    private int seriesCount;

    private int fieldsCount;

    private DirectBuffer buffer;
    private int position;
    private int end;

    /** A reader of nothing yet. */
    public BodyReader() {}

    /**
     * Begins to walk a body; nothing is defined yet.
     *
     * @param source holds it until the walk is over
     * @param offset index of its first byte
     * @param newEnd index behind its last byte
     * @return this
     */
    public BodyReader wrap(DirectBuffer source, int offset, int newEnd) {
        if (buffer != source) {
            buffer = source;
        }
        position = offset;
        end = newEnd;
        forget();
        return this;
    }

    /** Begins to walk the body of a batch whose header is sound. */
    public BodyReader wrapBatch(DirectBuffer source, int offset) {
        return wrap(source, offset + BatchLayout.HEADER_LENGTH, offset + BatchLayout.length(source, offset));
    }

    private void forget() {
        seriesCount = 0;
        fieldsCount = 0;
    }

    /**
     * Steps to the next entry.
     *
     * @return what it is ({@link BodyLayout#RECORD}, SERIES, FIELDS, RESET), {@link #END} or {@link #BROKEN}
     */
    @HotPath
    public int step() {
        int available = end - position;
        if (available < BodyLayout.RESET_LENGTH) {
            return available == 0 ? END : BROKEN;
        }
        return switch (Entries.kind(buffer, position)) {
            case BodyLayout.RECORD -> stepRecord(available);
            case BodyLayout.SERIES -> stepSeries(available);
            case BodyLayout.FIELDS -> stepFields(available);
            case BodyLayout.RESET -> stepReset();
            default -> BROKEN;
        };
    }

    /** Steps to the next record, over definitions; false when there is none. */
    @HotPath
    public boolean nextRecord() {
        int kind = step();
        while (kind > BodyLayout.RECORD) {
            kind = step();
        }
        return kind == BodyLayout.RECORD;
    }

    private int stepRecord(int available) {
        if (!record.wrap(buffer, position).hasHeader(available)) {
            return BROKEN;
        }
        int set = record.fields();
        if (record.series() >= seriesCount || set >= fieldsCount) {
            return BROKEN;
        }
        int length = record.length();
        if (recordLengths[set] != length
                && (recordLengths[set] != WITH_TEXT || !record.isWhole(fields.wrap(buffer, fieldsAt[set])))) {
            return BROKEN;
        }
        position += length;
        return BodyLayout.RECORD;
    }

    private int stepSeries(int available) {
        if (!series.wrap(buffer, position).isNext(available, seriesCount)) {
            return BROKEN;
        }
        if (seriesCount == seriesAt.length) {
            seriesAt = Arrays.copyOf(seriesAt, 2 * seriesCount);
        }
        seriesAt[seriesCount++] = position;
        position += series.length();
        return BodyLayout.SERIES;
    }

    private int stepFields(int available) {
        if (!fields.wrap(buffer, position).isNext(available, fieldsCount)) {
            return BROKEN;
        }
        if (fieldsCount == fieldsAt.length) {
            fieldsAt = Arrays.copyOf(fieldsAt, 2 * fieldsCount);
            recordLengths = Arrays.copyOf(recordLengths, 2 * fieldsCount);
        }
        recordLengths[fieldsCount] = fields.hasText() ? WITH_TEXT : BodyLayout.VALUES + 8 * fields.count();
        fieldsAt[fieldsCount++] = position;
        position += fields.length();
        return BodyLayout.FIELDS;
    }

    private int stepReset() {
        if (!Entries.isReset(buffer, position)) {
            return BROKEN;
        }
        forget();
        position += BodyLayout.RESET_LENGTH;
        return BodyLayout.RESET;
    }

    /** The record that was stepped to. */
    public RecordFlyweight record() {
        return record;
    }

    /** The definition of a series that was stepped to. */
    public SeriesFlyweight series() {
        return series;
    }

    /** Lays {@link #series()} over that of the record that was stepped to. */
    @HotPath
    public SeriesFlyweight seriesOfRecord() {
        return series.wrap(buffer, seriesAt[record.series()]);
    }

    /** The definition of fields that was stepped to. */
    public FieldsFlyweight fields() {
        return fields;
    }

    /** Lays {@link #fields()} over those of the record that was stepped to. */
    @HotPath
    public FieldsFlyweight fieldsOfRecord() {
        return fields.wrap(buffer, fieldsAt[record.fields()]);
    }
}
