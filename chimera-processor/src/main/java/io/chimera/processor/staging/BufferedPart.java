package io.chimera.processor.staging;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Entries kept of a part for a composition, checked like folded frames, with the definitions so far. An entry above the
 * length limit is left out, and so are the records that refer to the entry. Staging's thread, until the part is whole.
 */
final class BufferedPart {
    /** Result for a frame. */
    enum Result {
        KEPT,
        /** An entry is truncated or undefined, or the number of records differs from the header. */
        BROKEN,
        /** The limit of bytes is reached. */
        FULL
    }

    private static final int ROOM_FIRST = 64;
    private static final int SERIES_BYTES = 9;
    private static final int FIELDS_BYTES = 12;

    /** Marker in place of a record length: records with texts differ in length. */
    private static final int WITH_BYTES = -1;

    /** Marker in place of a record length, for a set of fields above the length limit. */
    private static final int REJECTED = -2;

    private final KeptEntries entries;
    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final RecordFlyweight record = new RecordFlyweight();

    private long[] keyHashes = new long[ROOM_FIRST];
    private boolean[] isSeriesKept = new boolean[ROOM_FIRST];
    private long[] fieldsPlaces = new long[ROOM_FIRST];
    private int[] recordLengths = new int[ROOM_FIRST];
    private int seriesCount;
    private int fieldsCount;

    // of the last frame
    private int copies;
    private long checksum;
    private long kept;
    private long rejected;

    BufferedPart(ChunkPool pool) {
        entries = new KeptEntries(pool);
    }

    /** Returns the entries kept so far. */
    KeptEntries entries() {
        return entries;
    }

    /**
     * Keeps the entries of a frame; on failure the part has to be dropped.
     *
     * @param frame begins at index 0
     * @param length length of the frame in bytes
     */
    @HotPath
    Result keep(DirectBuffer frame, int length) {
        copies = 0;
        checksum = 0;
        kept = 0;
        rejected = 0;
        int position = PartFrame.HEADER_LENGTH;
        while (position < length) {
            Result result = take(frame, position, length - position);
            if (result != Result.KEPT) {
                return result;
            }
            position += Entries.length(frame, position);
        }
        return copies == PartFrame.count(frame, 0) ? Result.KEPT : Result.BROKEN;
    }

    private Result take(DirectBuffer frame, int position, int available) {
        if (available < BodyLayout.RESET_LENGTH) {
            return Result.BROKEN;
        }
        return switch (Entries.kind(frame, position)) {
            case BodyLayout.RECORD -> takeRecord(frame, position, available);
            case BodyLayout.SERIES -> takeSeries(frame, position, available);
            case BodyLayout.FIELDS -> takeFields(frame, position, available);
            case BodyLayout.RESET -> takeReset(frame, position);
            default -> Result.BROKEN;
        };
    }

    private Result takeRecord(DirectBuffer frame, int position, int available) {
        if (!record.wrap(frame, position).hasHeader(available)
                || record.series() >= seriesCount
                || record.fields() >= fieldsCount
                || !isWhole(record.fields())) {
            return Result.BROKEN;
        }
        copies++;
        checksum += PartFrame.recordChecksum(keyHashes[record.series()], record);
        int primary = record.isPrimary() ? 1 : 0;
        if (!isSeriesKept[record.series()]
                || recordLengths[record.fields()] == REJECTED
                || record.length() == BodyLayout.VALUES
                || record.length() > KeptEntries.ENTRY_LENGTH_MAX) {
            rejected += primary;
            return Result.KEPT;
        }
        kept += primary;
        return append(frame, position, record.length());
    }

    private boolean isWhole(int set) {
        int length = recordLengths[set];
        if (length != WITH_BYTES) {
            return length == REJECTED || record.length() == length;
        }
        long place = fieldsPlaces[set];
        return record.isWhole(fields.wrap(entries.buffer(place), KeptEntries.offset(place)));
    }

    private Result append(DirectBuffer frame, int position, int length) {
        return entries.append(frame, position, length) == KeptEntries.NONE ? Result.FULL : Result.KEPT;
    }

    private Result takeSeries(DirectBuffer frame, int position, int available) {
        if (!series.wrap(frame, position).isNext(available, seriesCount)) {
            return Result.BROKEN;
        }
        if (seriesCount == keyHashes.length) {
            if (!entries.reserve((long) SERIES_BYTES * seriesCount)) {
                return Result.FULL;
            }
            keyHashes = Arrays.copyOf(keyHashes, 2 * seriesCount);
            isSeriesKept = Arrays.copyOf(isSeriesKept, 2 * seriesCount);
        }
        boolean isKept = series.length() <= KeptEntries.ENTRY_LENGTH_MAX;
        keyHashes[seriesCount] = series.keyHash();
        isSeriesKept[seriesCount] = isKept;
        seriesCount++;
        return isKept ? append(frame, position, series.length()) : Result.KEPT;
    }

    private Result takeFields(DirectBuffer frame, int position, int available) {
        if (!fields.wrap(frame, position).isNext(available, fieldsCount)) {
            return Result.BROKEN;
        }
        if (fieldsCount == fieldsPlaces.length) {
            if (!entries.reserve((long) FIELDS_BYTES * fieldsCount)) {
                return Result.FULL;
            }
            fieldsPlaces = Arrays.copyOf(fieldsPlaces, 2 * fieldsCount);
            recordLengths = Arrays.copyOf(recordLengths, 2 * fieldsCount);
        }
        long place = KeptEntries.NONE;
        int recordLength = REJECTED;
        if (fields.length() <= KeptEntries.ENTRY_LENGTH_MAX) {
            place = entries.append(frame, position, fields.length());
            if (place == KeptEntries.NONE) {
                return Result.FULL;
            }
            recordLength = fields.hasBytes() ? WITH_BYTES : BodyLayout.VALUES + 8 * fields.count();
        }
        fieldsPlaces[fieldsCount] = place;
        recordLengths[fieldsCount] = recordLength;
        fieldsCount++;
        return Result.KEPT;
    }

    private Result takeReset(DirectBuffer frame, int position) {
        if (!Entries.isReset(frame, position)) {
            return Result.BROKEN;
        }
        seriesCount = 0;
        fieldsCount = 0;
        return append(frame, position, BodyLayout.RESET_LENGTH);
    }

    /** Returns the number of record copies in the last frame. */
    int copies() {
        return copies;
    }

    /** Returns the checksum of the last frame. */
    long checksum() {
        return checksum;
    }

    /** Returns the number of primary data points kept of the last frame. */
    long kept() {
        return kept;
    }

    /** Returns the number of primary data points of the last frame above the length limit. */
    long rejected() {
        return rejected;
    }

    /** Releases the definitions after the last frame. */
    void end() {
        keyHashes = null;
        isSeriesKept = null;
        fieldsPlaces = null;
        recordLengths = null;
    }

    /** Releases the memory. */
    void clear() {
        entries.clear();
    }
}
