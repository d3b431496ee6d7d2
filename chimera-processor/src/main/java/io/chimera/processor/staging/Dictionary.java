package io.chimera.processor.staging;

import io.chimera.api.HotPath;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.Arrays;
import java.util.Deque;

/**
 * What the numbers mean that records of one pipeline name their series and fields by, while a transmission is being received:
 * numbers of a {@link Warehouse}, found at once. Used for one transmission after the other; what it takes, on the heap, is
 * counted against the limit of the warehouse, and what a large transmission took it lets go of. Staging's thread; allocates
 * where it grows.
 */
final class Dictionary {
    /** Instead of a group or a set of fields: it is too long for the warehouse, so its records are rejected. */
    static final int REJECTED = -1;

    /** Instead of the length of a record: it differs from record to record. */
    static final int WITH_TEXT = -1;

    /** Instead of a group: none of the records of the series was taken yet, so that it may have none. */
    static final int PENDING = -2;

    private static final int NONE = Warehouse.NONE;
    private static final int ROOM_FIRST = 64;

    /** Definitions of one kind that room is kept for from transmission to transmission: 100 KiB, which nothing counts. */
    private static final int ROOM_KEPT = 4096;

    private static final int SERIES_BYTES = 20;
    private static final int FIELDS_BYTES = 8;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    /** Per series two words, side by side for the cache: the hash of its key; its group and, above that, its last plan. */
    private long[] series = new long[2 * ROOM_FIRST];

    /** Per series its definition, where that is kept. */
    private int[] definitions = new int[ROOM_FIRST];

    /** Per set of fields two words: itself, and the length of its records. */
    private int[] fields = new int[2 * ROOM_FIRST];

    /** How many are defined; the next has this number. */
    private int seriesCount;

    private int fieldsCount;

    private final Deque<Dictionary> home;
    private Warehouse warehouse;
    private long bytesReserved;

    /**
     * An empty dictionary.
     *
     * @param home where it goes when a transmission is over, to wait for the next
     */
    Dictionary(Deque<Dictionary> home) {
        this.home = home;
    }

    /** Begins a transmission, whose records go to a warehouse. */
    void open(Warehouse newWarehouse) {
        warehouse = newWarehouse;
    }

    /** Ends the transmission: forgets everything, and goes home. */
    void close() {
        forget();
        warehouse.release(bytesReserved);
        bytesReserved = 0;
        warehouse = null;
        if (definitions.length > ROOM_KEPT) {
            series = new long[2 * ROOM_FIRST];
            definitions = new int[ROOM_FIRST];
        }
        if (fields.length > 2 * ROOM_KEPT) {
            fields = new int[2 * ROOM_FIRST];
        }
        home.push(this);
    }

    /** Forgets all definitions. */
    void forget() {
        seriesCount = 0;
        fieldsCount = 0;
        warehouse.forget();
    }

    /** How many series are defined; the next has this number. */
    int seriesCount() {
        return seriesCount;
    }

    /** How many sets of fields are defined; the next has this number. */
    int fieldsCount() {
        return fieldsCount;
    }

    /**
     * Defines the next series.
     *
     * @param group of its records, {@link #PENDING} or {@link #REJECTED}
     * @param definition what the warehouse keeps of it; NONE when it keeps nothing
     * @return false when the limit of the warehouse is reached
     */
    boolean defineSeries(long keyHash, int group, int definition) {
        int room = roomFor(seriesCount, definitions.length);
        if (!reserve(room, fields.length / 2)) {
            return false;
        }
        if (room > definitions.length) {
            series = Arrays.copyOf(series, 2 * room);
            definitions = Arrays.copyOf(definitions, room);
        }
        series[2 * seriesCount] = keyHash;
        series[2 * seriesCount + 1] = group & INT_MASK;
        definitions[seriesCount++] = definition;
        return true;
    }

    /**
     * Defines the next set of fields.
     *
     * @param set its number in the warehouse, or {@link #REJECTED}
     * @param recordLength bytes of a record, or {@link #WITH_TEXT}
     * @return false when the limit of the warehouse is reached
     */
    boolean defineFields(int set, int recordLength) {
        int room = roomFor(fieldsCount, fields.length / 2);
        if (!reserve(definitions.length, room)) {
            return false;
        }
        if (room > fields.length / 2) {
            fields = Arrays.copyOf(fields, 2 * room);
        }
        fields[2 * fieldsCount] = set;
        fields[2 * fieldsCount++ + 1] = recordLength;
        return true;
    }

    private static int roomFor(int number, int room) {
        return number < room ? room : 2 * room;
    }

    private boolean reserve(int seriesRoom, int fieldsRoom) {
        long bytes = (long) SERIES_BYTES * seriesRoom + (long) FIELDS_BYTES * fieldsRoom;
        if (bytes > bytesReserved) {
            if (!warehouse.reserve(bytes - bytesReserved)) {
                return false;
            }
            bytesReserved = bytes;
        }
        return true;
    }

    /** Group of a series, {@link #PENDING}, {@link #REJECTED}, or NONE when the series is not defined. */
    @HotPath
    int group(int number) {
        return number < seriesCount ? (int) series[2 * number + 1] : NONE;
    }

    /** Remembers the group that a series, which was pending, has now; NONE when the limit is reached and all is in vain. */
    void group(int number, int group) {
        series[2 * number + 1] = group & INT_MASK;
    }

    /** Hash of the key of a series that is defined. */
    @HotPath
    long keyHash(int number) {
        return series[2 * number];
    }

    /** Plan of the last record of a series that is defined, or NONE. */
    @HotPath
    int plan(int number) {
        return (int) (series[2 * number + 1] >>> Integer.SIZE);
    }

    /** Remembers the plan of a record for the next of its series. */
    @HotPath
    void plan(int number, int plan) {
        series[2 * number + 1] = (series[2 * number + 1] & INT_MASK) | ((long) plan << Integer.SIZE);
    }

    /** Definition of a series that is defined, as the warehouse keeps it; NONE when it does not. */
    int definition(int number) {
        return definitions[number];
    }

    /** A set of fields, {@link #REJECTED}, or NONE when it is not defined. */
    @HotPath
    int fields(int number) {
        return number < fieldsCount ? fields[2 * number] : NONE;
    }

    /** Bytes of a record of a set of fields that is defined, or {@link #WITH_TEXT}. */
    @HotPath
    int recordLength(int number) {
        return fields[2 * number + 1];
    }
}
