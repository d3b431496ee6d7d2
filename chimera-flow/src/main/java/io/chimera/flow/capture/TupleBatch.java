package io.chimera.flow.capture;

import io.chimera.api.HotPath;
import io.chimera.flow.packet.PacketTuple;
import io.chimera.flow.table.FlowRecord;
import io.chimera.jni.capture.PacketBatch;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Unit of work from SOURCE to SINK: the tuples of a batch of packets, and the flow records ended by these packets.
 * Owned by one operator at a time.
 *
 * <pre>
 *   | tuples: 256 x 96 bytes | records: 256 x 128 bytes |
 * </pre>
 */
final class TupleBatch {
    /** Maximum number of tuples. */
    static final int PACKETS_MAX = PacketBatch.DEFAULT_CAPACITY;

    /** Maximum number of records. */
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

    /** Removes all tuples and records. */
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

    /** Sets the number of tuples and the current packet time. */
    @HotPath
    void filled(int newPackets, long newTimeNs) {
        packets = newPackets;
        timeNs = newTimeNs;
    }

    /** Current packet time; 0 when unknown. */
    @HotPath
    long timeNs() {
        return timeNs;
    }

    /** Whether the batch is the last of the pipeline. */
    @HotPath
    boolean isLast() {
        return isLast;
    }

    /** Marks the batch as the last of the pipeline. */
    void last() {
        isLast = true;
    }

    /** Requests another batch after this batch. */
    void notLast() {
        isLast = false;
    }

    /** Copies a record into the batch; false when the batch is full. */
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

    /** Returns a record, in a reused flyweight. */
    @HotPath
    FlowRecord record(int n) {
        return record.wrap(memory, RECORDS + n * FlowRecord.LENGTH);
    }

    /** Frees the memory. */
    void free() {
        UnsafeApi.freeMemory(address);
    }
}
