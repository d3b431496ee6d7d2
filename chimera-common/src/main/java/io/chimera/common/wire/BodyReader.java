package io.chimera.common.wire;

import io.chimera.api.HotPath;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Walks and validates a contiguous body. For arbitrary input bytes, every entry returned by {@link #step} is complete
 * and its references are defined; otherwise the walk ends with {@link #BROKEN}. Not thread-safe; allocates only to grow
 * the definition tables.
 */
public final class BodyReader {
    /** Result of {@link #step}: the end of the body. */
    public static final int END = -1;
    /** Result of {@link #step}: the next entry is incomplete, or refers to a missing definition. */
    public static final int BROKEN = -2;

    private static final int WITH_BYTES = -1;
    private static final int ROOM_FIRST = 64;

    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final RecordFlyweight record = new RecordFlyweight();

    /** Positions of the definitions, indexed by definition number. */
    private int[] seriesAt = new int[ROOM_FIRST];

    private int[] fieldsAt = new int[ROOM_FIRST];

    /**
     * Length of a record of each field set; {@link #WITH_BYTES} for field sets with text, because their records vary in
     * length.
     */
    private int[] recordLengths = new int[ROOM_FIRST];

    /** Number of defined series, and therefore the number of the next series. */
    private int seriesCount;

    private int fieldsCount;

    private DirectBuffer buffer;
    private int position;
    private int end;

    /** Creates a reader without a body. */
    public BodyReader() {}

    /**
     * Begins to walk a body, without definitions.
     *
     * @param source holds the body until the walk ends
     * @param offset index of the first byte
     * @param newEnd index after the last byte
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

    /** Begins to walk the body of a batch with a valid header. */
    public BodyReader wrapBatch(DirectBuffer source, int offset) {
        return wrap(source, offset + BatchLayout.HEADER_LENGTH, offset + BatchLayout.length(source, offset));
    }

    private void forget() {
        seriesCount = 0;
        fieldsCount = 0;
    }

    /**
     * Advances to the next entry.
     *
     * @return the kind of the entry ({@link BodyLayout#RECORD}, SERIES, FIELDS, RESET), {@link #END} or {@link #BROKEN}
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

    /** Advances to the next record, skipping definitions; returns false at the end of the body or at a broken entry. */
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
                && (recordLengths[set] != WITH_BYTES || !record.isWhole(fields.wrap(buffer, fieldsAt[set])))) {
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
        recordLengths[fieldsCount] = fields.hasBytes() ? WITH_BYTES : BodyLayout.VALUES + 8 * fields.count();
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

    /** Current record. */
    public RecordFlyweight record() {
        return record;
    }

    /** Current series definition. */
    public SeriesFlyweight series() {
        return series;
    }

    /** Wraps {@link #series()} over the series definition of the current record. */
    @HotPath
    public SeriesFlyweight seriesOfRecord() {
        return series.wrap(buffer, seriesAt[record.series()]);
    }

    /** Current field-set definition. */
    public FieldsFlyweight fields() {
        return fields;
    }

    /** Wraps {@link #fields()} over the field-set definition of the current record. */
    @HotPath
    public FieldsFlyweight fieldsOfRecord() {
        return fields.wrap(buffer, fieldsAt[record.fields()]);
    }
}
