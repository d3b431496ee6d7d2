package io.chimera.queue.capture;

import io.chimera.api.HotPath;
import io.chimera.common.packet.PacketTuple;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.queue.flow.FlowRecord;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What goes from SOURCE to SINK: the tuples of a batch of packets, and the records of flows that ended with them. Belongs to one
 * operator at a time.
 *
 * <pre>
 *   | tuples: 256 x 96 bytes | records: 256 x 128 bytes |
 * </pre>
 */
final class TupleBatch {
    /** Tuples, at most. */
    static final int PACKETS_MAX = PacketBatch.DEFAULT_CAPACITY;

    /** Records, at most. */
    static final int RECORDS_MAX = 256;

    private static final int RECORDS = PACKETS_MAX * PacketTuple.LENGTH;
    private static final int LENGTH = RECORDS + RECORDS_MAX * FlowRecord.LENGTH;

    private final long address = UnsafeApi.allocateMemory(LENGTH);
    private final UnsafeBuffer memory = new UnsafeBuffer(address, LENGTH);
    private final FlowRecord record = new FlowRecord();
    private int packets;
    private int records;
    private long timeNs;
    private boolean isLast;

    /** Empties it. */
    @HotPath
    void clear() {
        packets = 0;
        records = 0;
        isLast = false;
    }

    /** Address of the first tuple. */
    @HotPath
    long tuples() {
        return address;
    }

    /** Number of tuples. */
    @HotPath
    int packets() {
        return packets;
    }

    /** Sets the number of tuples, and the time that it is, by the clock of the packets. */
    @HotPath
    void filled(int newPackets, long newTimeNs) {
        packets = newPackets;
        timeNs = newTimeNs;
    }

    /** Time that it is; {@link Long#MIN_VALUE} when nobody knows. */
    @HotPath
    long timeNs() {
        return timeNs;
    }

    /** Whether no packets come any more. */
    @HotPath
    boolean isLast() {
        return isLast;
    }

    /** Says that no packets come any more. */
    void last() {
        isLast = true;
    }

    /** Says that another one has to come. */
    void notLast() {
        isLast = false;
    }

    /** Copies a record into the batch; false when there is no room. */
    @HotPath
    boolean add(FlowRecord ended) {
        if (records == RECORDS_MAX) {
            return false;
        }
        ended.copyTo(memory, RECORDS + records * FlowRecord.LENGTH);
        records++;
        return true;
    }

    /** Number of records. */
    @HotPath
    int records() {
        return records;
    }

    /** A record; the same flyweight every time. */
    @HotPath
    FlowRecord record(int n) {
        return record.wrap(memory, RECORDS + n * FlowRecord.LENGTH);
    }

    /** Frees the memory. */
    void free() {
        UnsafeApi.freeMemory(address);
    }
}
