package io.chimera.flow.table;

import io.chimera.api.HotPath;
import io.chimera.flow.packet.PacketTuple;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Table of active flows, with both directions of a flow in one record (STATS of Fais et al. 2021, section 5.1). Counts
 * packets, annotates each packet with its position in the flow's record, and emits ended records. The table has a fixed
 * size, is off-heap, and allocates nothing per packet or flow. When the table is full, the flow nearest to its timeout
 * is evicted. While the sink refuses records, flows stay in the table and keep counting; packets of new flows without
 * room are counted as unplaced.
 *
 * <p>Memory latency dominates the cost of a packet, so tuples are processed in batches: first the index slots of all
 * tuples are touched, then the records, and then the packets are counted. The memory accesses thus overlap.
 *
 * <p>The table uses packet time. A step back by more than the idle timeout means a clock adjustment or another capture:
 * all flows are ended. Used by one thread.
 */
public final class FlowTable {
    /** FIN and RST. */
    private static final int TCP_END = 0x05;

    private static final int FIN = 0x01;
    private static final int SYN = 0x02;
    private static final int RST = 0x04;
    private static final int ACK = 0x10;
    private static final int TCP = 6;

    /** Time a closed TCP flow remains for late acknowledgements and retransmissions: 5 s. */
    private static final long LINGER_NS = 5_000_000_000L;

    /**
     * Number of tuples whose data fits into the L1 cache together with the records: 64 x (96 + 128) B = 14 KiB of 32
     * KiB.
     */
    private static final int CHUNK = 64;

    private static final long FORWARD = FlowRecord.FORWARD_PACKETS;
    private static final long REVERSE = FlowRecord.REVERSE_PACKETS;
    private static final long NEITHER = 0;
    private static final int BYTES = FlowRecord.FORWARD_BYTES - FlowRecord.FORWARD_PACKETS;
    private static final int WIRE_BYTES = FlowRecord.FORWARD_WIRE_BYTES - FlowRecord.FORWARD_PACKETS;

    private final FlowSink sink;
    private final long idleNs;
    private final long activeNs;
    private final boolean endsTcp;
    private final UnsafeBuffer memory;
    private final long records;
    private final FlowIndex index;
    private final FlowTimeouts timeouts;
    private final FlowCounts counts = new FlowCounts();
    private final FlowRecord flyweight = new FlowRecord();
    private final int[] free;
    private final int[] near = new int[CHUNK];
    private int freeCount;
    private long nowNs = Long.MIN_VALUE;
    private boolean isStarted;

    @SuppressWarnings("UnusedVariable") // written so that the compiler keeps the prefetch
    private int touched;

    /**
     * Creates an empty table.
     *
     * @param settings size and timeouts
     * @param sink receives ended records
     */
    public FlowTable(FlowTableSettings settings, FlowSink sink) {
        this.sink = sink;
        int capacity = settings.flowsMax();
        idleNs = settings.idle().toNanos();
        activeNs = settings.active().toNanos();
        endsTcp = settings.endsTcp();
        memory = new UnsafeBuffer(
                BufferUtil.allocateDirectAligned(capacity * FlowRecord.LENGTH, BitUtil.CACHE_LINE_LENGTH));
        records = memory.addressOffset();
        index = new FlowIndex(capacity);
        timeouts = new FlowTimeouts(capacity, Math.max(idleNs, LINGER_NS));
        free = new int[capacity];
        for (int number = capacity - 1; number >= 0; number--) {
            free[freeCount++] = number;
        }
    }

    /** Returns the table's statistics, valid as long as the table. */
    public FlowCounts counts() {
        return counts;
    }

    /** Returns the current number of flows. */
    public int size() {
        return free.length - freeCount;
    }

    /**
     * Counts packets, and annotates each packet with its position.
     *
     * @param tuples address of the first tuple; all tuples annotated by {@link FlowId}
     * @param count number of consecutive tuples
     */
    @HotPath
    public void accept(long tuples, int count) {
        for (int from = 0; from < count; from += CHUNK) {
            int size = Math.min(CHUNK, count - from);
            long first = tuples + (long) from * PacketTuple.LENGTH;
            touch(first, size);
            long end = first + (long) size * PacketTuple.LENGTH;
            for (long tuple = first; tuple < end; tuple += PacketTuple.LENGTH) {
                if (counts.packet(tuple)) {
                    take(tuple);
                }
            }
        }
        if (timeouts.isDue(nowNs)) {
            expire();
        }
    }

    /** Prefetches the index slots and the probable records of the tuples. */
    private void touch(long tuples, int size) {
        for (int i = 0; i < size; i++) {
            long hash = UnsafeApi.getLong(tuples + (long) i * PacketTuple.LENGTH + PacketTuple.FLOW_ID);
            near[i] = FlowIndex.number(index.content(index.home(hash)));
        }
        int sum = 0;
        for (int i = 0; i < size; i++) {
            long record = record(Math.max(near[i], 0));
            sum += UnsafeApi.getByte(record) + UnsafeApi.getByte(record + BitUtil.CACHE_LINE_LENGTH);
        }
        touched = sum;
    }

    /**
     * Emits the flows idle for too long, for use without packets.
     *
     * @param timeNs packet time, ns since 1970; a past time has no effect
     */
    public void expire(long timeNs) {
        if (isStarted && timeNs > nowNs) {
            nowNs = timeNs;
            expire();
        }
    }

    /**
     * Emits all flows with end reason {@link FlowRecord#END_FORCED}, or {@link FlowRecord#END_OF_FLOW} for closed TCP
     * flows.
     *
     * @return whether the sink accepted all flows; refused flows stay in the table
     */
    public boolean flush() {
        boolean isTaken = true;
        while (isTaken && size() > 0) {
            int flow = timeouts.first();
            isTaken = end(flow, reasonOr(record(flow), FlowRecord.END_FORCED));
        }
        return isTaken;
    }

    @HotPath
    private void take(long tuple) {
        long timeNs = UnsafeApi.getLong(tuple + PacketTuple.TIME_NS);
        if (timeNs > nowNs || timeNs < nowNs - idleNs) {
            pass(timeNs);
        }
        long hash = UnsafeApi.getLong(tuple + PacketTuple.FLOW_ID);
        int slot = index.home(hash);
        while (true) {
            long content = index.content(slot);
            int flow = FlowIndex.number(content);
            if (flow == FlowIndex.NONE) {
                begin(tuple, hash, timeNs, slot);
                return;
            }
            if (FlowIndex.mayBe(content, hash)) {
                long record = record(flow);
                long direction = direction(record, tuple);
                if (direction != NEITHER) {
                    add(flow, record, direction, tuple, timeNs);
                    return;
                }
            }
            slot = index.next(slot);
        }
    }

    private void pass(long timeNs) {
        if (!isStarted) {
            isStarted = true;
            timeouts.restart(timeNs);
            nowNs = timeNs;
        } else if (timeNs > nowNs) {
            nowNs = timeNs;
        } else if (flush()) {
            counts.clockJumped();
            timeouts.restart(timeNs);
            nowNs = timeNs;
        }
    }

    /** Returns the direction of a packet within a flow, or NEITHER. */
    private static long direction(long record, long tuple) {
        boolean isSameKind = UnsafeApi.getInt(record + FlowRecord.PROTOCOL)
                        == UnsafeApi.getInt(tuple + PacketTuple.PROTOCOL) // includes version and VLAN
                && UnsafeApi.getInt(record + FlowRecord.TUNNEL_ID) == UnsafeApi.getInt(tuple + PacketTuple.TUNNEL_ID)
                && UnsafeApi.getByte(record + FlowRecord.TUNNEL) == UnsafeApi.getByte(tuple + PacketTuple.TUNNEL)
                && UnsafeApi.getShort(record + FlowRecord.CUSTOMER_VLAN)
                        == UnsafeApi.getShort(tuple + PacketTuple.CUSTOMER_VLAN);
        if (!isSameKind) {
            return NEITHER;
        }
        long source = tuple + PacketTuple.SOURCE_ADDRESS;
        long destination = tuple + PacketTuple.DESTINATION_ADDRESS;
        int ports = UnsafeApi.getInt(tuple + PacketTuple.SOURCE_PORT);
        int recordPorts = UnsafeApi.getInt(record + FlowRecord.SOURCE_PORT);
        if (ports == recordPorts && isBetween(record, source, destination)) {
            return FORWARD;
        }
        boolean isReverse =
                Integer.rotateLeft(ports, Short.SIZE) == recordPorts && isBetween(record, destination, source);
        return isReverse ? REVERSE : NEITHER;
    }

    private static boolean isBetween(long record, long source, long destination) {
        return UnsafeApi.getLong(record + 8) == UnsafeApi.getLong(source + 8)
                && UnsafeApi.getLong(record + 24) == UnsafeApi.getLong(destination + 8)
                && UnsafeApi.getLong(record) == UnsafeApi.getLong(source)
                && UnsafeApi.getLong(record + 16) == UnsafeApi.getLong(destination);
    }

    private void add(int flow, long record, long direction, long tuple, long timeNs) {
        long lastNs = UnsafeApi.getLong(record + FlowRecord.LAST_NS);
        int seen = UnsafeApi.getByte(record + FlowRecord.END_REASON);
        if (seen != 0
                || timeNs - lastNs > idleNs
                || timeNs - UnsafeApi.getLong(record + FlowRecord.FIRST_NS) > activeNs) {
            boolean isOver = isOver(seen, timeNs - lastNs, tuple);
            if (isOver && hand(record, flow, seen != 0 ? seen : FlowRecord.END_IDLE)) {
                fill(record, tuple, timeNs);
                counts.flow(UnsafeApi.getByte(tuple + PacketTuple.PROTOCOL) & 0xFF);
                count(flow, record, FORWARD, tuple, timeNs);
                return;
            }
            if (seen == 0 && !isOver && hand(record, flow, FlowRecord.END_ACTIVE)) {
                empty(record, timeNs);
            }
        }
        count(flow, record, direction, tuple, Math.max(timeNs, UnsafeApi.getLong(record + FlowRecord.LAST_NS)));
    }

    /** Whether the packet begins another flow with the same key. */
    private boolean isOver(int seen, long sinceNs, long tuple) {
        if (seen == 0) {
            return sinceNs > idleNs;
        }
        boolean isOpening = (UnsafeApi.getByte(tuple + PacketTuple.TCP_FLAGS) & (SYN | ACK)) == SYN;
        return isOpening || sinceNs > LINGER_NS;
    }

    private void count(int flow, long record, long direction, long tuple, long lastNs) {
        long counters = record + direction;
        UnsafeApi.putLong(counters, UnsafeApi.getLong(counters) + 1);
        long bytes = UnsafeApi.getInt(tuple + PacketTuple.IP_BYTES) & 0xFFFF_FFFFL;
        UnsafeApi.putLong(counters + BYTES, UnsafeApi.getLong(counters + BYTES) + bytes);
        long wire = UnsafeApi.getInt(tuple + PacketTuple.WIRE_BYTES) & 0xFFFF_FFFFL;
        UnsafeApi.putLong(counters + WIRE_BYTES, UnsafeApi.getLong(counters + WIRE_BYTES) + wire);
        UnsafeApi.putLong(record + FlowRecord.LAST_NS, lastNs);
        long position = UnsafeApi.getLong(record + FORWARD) + UnsafeApi.getLong(record + REVERSE);
        UnsafeApi.putLong(tuple + PacketTuple.POSITION, position);
        int flags = UnsafeApi.getByte(tuple + PacketTuple.TCP_FLAGS) & 0xFF;
        if (flags != 0) {
            flags(flow, record, direction, flags, lastNs);
        }
    }

    private void flags(int flow, long record, long direction, int flags, long lastNs) {
        long seen = record + (direction == FORWARD ? FlowRecord.FORWARD_TCP_FLAGS : FlowRecord.REVERSE_TCP_FLAGS);
        UnsafeApi.putByte(seen, (byte) (UnsafeApi.getByte(seen) | flags));
        if ((flags & TCP_END) == 0 || !endsTcp || UnsafeApi.getByte(record + FlowRecord.END_REASON) != 0) {
            return;
        }
        int both = UnsafeApi.getByte(record + FlowRecord.FORWARD_TCP_FLAGS)
                & UnsafeApi.getByte(record + FlowRecord.REVERSE_TCP_FLAGS);
        boolean isTcp = UnsafeApi.getByte(record + FlowRecord.PROTOCOL) == TCP;
        if (isTcp && ((flags & RST) != 0 || (both & FIN) != 0)) {
            UnsafeApi.putByte(record + FlowRecord.END_REASON, (byte) FlowRecord.END_OF_FLOW);
            timeouts.remove(flow);
            timeouts.add(flow, lastNs + LINGER_NS);
        }
    }

    private void begin(long tuple, long hash, long timeNs, int emptySlot) {
        int slot = emptySlot;
        if (freeCount == 0) {
            if (!makeRoom()) {
                counts.countUnplaced();
                return;
            }
            slot = index.home(hash); // removing an index entry may have moved later entries
            while (FlowIndex.number(index.content(slot)) != FlowIndex.NONE) {
                slot = index.next(slot);
            }
        }
        int flow = free[--freeCount];
        long record = record(flow);
        fill(record, tuple, timeNs);
        index.put(slot, hash, flow);
        timeouts.add(flow, timeNs + idleNs);
        counts.flow(UnsafeApi.getByte(tuple + PacketTuple.PROTOCOL) & 0xFF);
        count(flow, record, FORWARD, tuple, timeNs);
    }

    private boolean makeRoom() {
        while (true) {
            int flow = timeouts.first();
            long record = record(flow);
            long deadlineNs = deadlineNs(record);
            if (timeouts.isInPlace(deadlineNs)) {
                return end(flow, reasonOr(record, FlowRecord.END_LACK_OF_RESOURCES));
            }
            timeouts.remove(flow);
            timeouts.add(flow, deadlineNs);
        }
    }

    private void expire() {
        for (int flow = timeouts.due(nowNs); flow != FlowTimeouts.NONE; flow = timeouts.due(nowNs)) {
            long record = record(flow);
            long deadlineNs = deadlineNs(record);
            if (deadlineNs >= nowNs) {
                timeouts.remove(flow);
                timeouts.add(flow, deadlineNs);
            } else if (!end(flow, reasonOr(record, FlowRecord.END_IDLE))) {
                return;
            }
        }
    }

    private long deadlineNs(long record) {
        boolean isEnding = UnsafeApi.getByte(record + FlowRecord.END_REASON) != 0;
        return UnsafeApi.getLong(record + FlowRecord.LAST_NS) + (isEnding ? LINGER_NS : idleNs);
    }

    private static int reasonOr(long record, int otherwise) {
        int seen = UnsafeApi.getByte(record + FlowRecord.END_REASON);
        return seen != 0 ? seen : otherwise;
    }

    private boolean end(int flow, int reason) {
        long record = record(flow);
        if (!hand(record, flow, reason)) {
            return false;
        }
        index.remove(UnsafeApi.getLong(record + FlowRecord.FLOW_ID), flow);
        timeouts.remove(flow);
        free[freeCount++] = flow;
        return true;
    }

    private boolean hand(long record, int flow, int reason) {
        byte before = UnsafeApi.getByte(record + FlowRecord.END_REASON);
        UnsafeApi.putByte(record + FlowRecord.END_REASON, (byte) reason);
        boolean isTaken = sink.onFlow(flyweight.wrap(memory, flow * FlowRecord.LENGTH));
        if (isTaken) {
            counts.ended(reason);
        } else {
            counts.countHeldBack();
            UnsafeApi.putByte(record + FlowRecord.END_REASON, before);
        }
        return isTaken;
    }

    /** Starts a record for a packet's flow. */
    private static void fill(long record, long tuple, long timeNs) {
        for (int at = 0; at < PacketTuple.HEAD_LENGTH; at += Long.BYTES) {
            UnsafeApi.putLong(record + at, UnsafeApi.getLong(tuple + at));
        }
        empty(record, timeNs);
    }

    /** Starts another record for the same flow. */
    private static void empty(long record, long timeNs) {
        UnsafeApi.putByte(record + FlowRecord.FORWARD_TCP_FLAGS, (byte) 0);
        UnsafeApi.putByte(record + FlowRecord.REVERSE_TCP_FLAGS, (byte) 0);
        UnsafeApi.putByte(record + FlowRecord.END_REASON, (byte) 0);
        for (int at = FlowRecord.FORWARD_PACKETS; at < FlowRecord.FIRST_NS; at += Long.BYTES) {
            UnsafeApi.putLong(record + at, 0);
        }
        UnsafeApi.putLong(record + FlowRecord.FIRST_NS, timeNs);
        UnsafeApi.putLong(record + FlowRecord.LAST_NS, timeNs);
    }

    private long record(int flow) {
        return records + (long) flow * FlowRecord.LENGTH;
    }
}
