package io.chimera.processor.staging;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.Arrays;
import java.util.Deque;

/**
 * What the numbers mean that records of one pipeline name their series and fields by, while a transmission is being received:
 * numbers of a {@link Warehouse}, found at once. Used for one transmission after the other; what it takes is counted against
 * the limit of the warehouse. Staging's thread; allocates where it meets numbers that no transmission before had.
 */
final class Dictionary {
    /** Instead of a group or a set of fields: it is too long for the warehouse, so its records are rejected. */
    static final int REJECTED = -1;

    /** Instead of the length of a record: it differs from record to record. */
    static final int WITH_TEXT = -1;

    private static final int NONE = Warehouse.NONE;
    private static final int ROOM_FIRST = 64;
    private static final int SERIES_BYTES = 24;
    private static final int FIELDS_BYTES = 8;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    /** Per series two words, side by side for the cache: the hash of its key; its group and, above that, its last plan. */
    private long[] series = new long[2 * ROOM_FIRST];

    /** Per series its definition, where that is kept. */
    private int[] definitions = new int[ROOM_FIRST];

    /** Per set of fields two words: itself, and the length of its records. */
    private int[] fields = new int[2 * ROOM_FIRST];

    /** One more than the highest number defined. */
    private int seriesLimit;

    private int fieldsLimit;

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
        home.push(this);
    }

    /** Forgets all definitions. */
    void forget() {
        Arrays.fill(series, 0, 2 * seriesLimit, 0);
        Arrays.fill(fields, 0, 2 * fieldsLimit, 0);
        seriesLimit = 0;
        fieldsLimit = 0;
    }

    /**
     * Defines a series.
     *
     * @param group of its records, or {@link #REJECTED}
     * @param definition what the warehouse keeps of it; NONE when it keeps nothing
     * @return false when the limit of the warehouse is reached
     */
    boolean defineSeries(int number, long keyHash, int group, int definition) {
        int room = roomFor(number, definitions.length);
        if (!reserve((long) SERIES_BYTES * room + (long) FIELDS_BYTES * (fields.length / 2))) {
            return false;
        }
        if (room > definitions.length) {
            series = Arrays.copyOf(series, 2 * room);
            definitions = Arrays.copyOf(definitions, room);
        }
        series[2 * number] = keyHash;
        series[2 * number + 1] = group & INT_MASK;
        definitions[number] = definition;
        seriesLimit = Math.max(seriesLimit, number + 1);
        return true;
    }

    /**
     * Defines a set of fields.
     *
     * @param set its number in the warehouse, or {@link #REJECTED}
     * @param recordLength bytes of a record, or {@link #WITH_TEXT}
     * @return false when the limit of the warehouse is reached
     */
    boolean defineFields(int number, int set, int recordLength) {
        int room = roomFor(number, fields.length / 2);
        if (!reserve((long) SERIES_BYTES * definitions.length + (long) FIELDS_BYTES * room)) {
            return false;
        }
        if (room > fields.length / 2) {
            fields = Arrays.copyOf(fields, 2 * room);
        }
        fields[2 * number] = set;
        fields[2 * number + 1] = recordLength;
        fieldsLimit = Math.max(fieldsLimit, number + 1);
        return true;
    }

    private static int roomFor(int number, int room) {
        return number < room ? room : Math.min(BodyLayout.DEFINITIONS_MAX, Math.max(number + 1, 2 * room));
    }

    private boolean reserve(long bytes) {
        if (bytes > bytesReserved) {
            if (!warehouse.reserve(bytes - bytesReserved)) {
                return false;
            }
            bytesReserved = bytes;
        }
        return true;
    }

    /** Group of a series, {@link #REJECTED}, or NONE when the series is not defined. */
    @HotPath
    int group(int number) {
        return number < seriesLimit ? (int) series[2 * number + 1] : NONE;
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
        return number < fieldsLimit ? fields[2 * number] : NONE;
    }

    /** Bytes of a record of a set of fields that is defined, or {@link #WITH_TEXT}. */
    @HotPath
    int recordLength(int number) {
        return fields[2 * number + 1];
    }
}
