package io.chimera.processor.staging;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.Arrays;
import java.util.Deque;

/**
 * Maps the series and field-set numbers in the records of a pipeline to numbers of a {@link Warehouse} during a
 * transmission. Reused for successive transmissions. Heap memory of a dictionary counts against the limit of the
 * warehouse, and the memory of a large transmission is released at its end. Staging's thread; allocates only when
 * growing.
 */
final class Dictionary {
    /**
     * Marker in place of a group or a set of fields: the definition is too long for the warehouse, so its records are
     * rejected.
     */
    static final int REJECTED = -1;

    /** Marker in place of a record length: records with texts differ in length. */
    static final int WITH_BYTES = -1;

    /** Marker in place of a group: no record of the series was taken yet, so the series may have no group. */
    static final int PENDING = -2;

    private static final int NONE = Warehouse.NONE;
    private static final int ROOM_FIRST = 64;

    /**
     * Number of definitions of each kind for which memory is kept between transmissions: 100 KiB, not counted against
     * the limit.
     */
    private static final int ROOM_KEPT = 4096;

    private static final int SERIES_BYTES = 20;
    private static final int FIELDS_BYTES = 8;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    /**
     * Two words per series, adjacent for the cache: the hash of its key; its group in the low half and its last plan in
     * the high half.
     */
    private long[] series = new long[2 * ROOM_FIRST];

    /** Per series: number of the definition in the warehouse, if kept. */
    private int[] definitions = new int[ROOM_FIRST];

    /** Two words per set of fields: its number in the warehouse, and the length of its records. */
    private int[] fields = new int[2 * ROOM_FIRST];

    /** Number of defined series; also the number of the next series. */
    private int seriesCount;

    private int fieldsCount;

    private final Deque<Dictionary> home;
    private Warehouse warehouse;
    private long bytesReserved;

    /**
     * Creates an empty dictionary.
     *
     * @param home pool of idle dictionaries, to which the dictionary returns after a transmission
     */
    Dictionary(Deque<Dictionary> home) {
        this.home = home;
    }

    /** Begins a transmission with records for a warehouse. */
    void open(Warehouse newWarehouse) {
        warehouse = newWarehouse;
    }

    /** Ends the transmission: clears the dictionary and returns it to the pool. */
    @ColdPath
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

    /** Clears all definitions. */
    void forget() {
        seriesCount = 0;
        fieldsCount = 0;
        warehouse.forget();
    }

    /** Returns the number of defined series; the next series gets this number. */
    int seriesCount() {
        return seriesCount;
    }

    /** Returns the number of defined sets of fields; the next set gets this number. */
    int fieldsCount() {
        return fieldsCount;
    }

    /**
     * Defines the next series.
     *
     * @param group of its records, {@link #PENDING} or {@link #REJECTED}
     * @param definition number of the definition in the warehouse; NONE when not kept
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
     * @param recordLength bytes of a record, or {@link #WITH_BYTES}
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

    /** Returns the group of a series, {@link #PENDING}, {@link #REJECTED}, or NONE when the series is not defined. */
    @HotPath
    int group(int number) {
        return number < seriesCount ? (int) series[2 * number + 1] : NONE;
    }

    /** Sets the group of a pending series; NONE when the limit is reached, which ends the transmission. */
    void group(int number, int group) {
        series[2 * number + 1] = group & INT_MASK;
    }

    /** Returns the hash of the key of a defined series. */
    @HotPath
    long keyHash(int number) {
        return series[2 * number];
    }

    /** Returns the plan of the last record of a defined series, or NONE. */
    @HotPath
    int plan(int number) {
        return (int) (series[2 * number + 1] >>> Integer.SIZE);
    }

    /** Stores the plan of a record for the next record of the series. */
    @HotPath
    void plan(int number, int plan) {
        series[2 * number + 1] = (series[2 * number + 1] & INT_MASK) | ((long) plan << Integer.SIZE);
    }

    /** Returns the number of a defined series' definition in the warehouse; NONE when not kept. */
    int definition(int number) {
        return definitions[number];
    }

    /** Returns a set of fields, {@link #REJECTED}, or NONE when the set is not defined. */
    @HotPath
    int fields(int number) {
        return number < fieldsCount ? fields[2 * number] : NONE;
    }

    /** Returns the bytes of a record of a defined set of fields, or {@link #WITH_BYTES}. */
    @HotPath
    int recordLength(int number) {
        return fields[2 * number + 1];
    }
}
