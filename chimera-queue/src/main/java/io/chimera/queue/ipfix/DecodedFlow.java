package io.chimera.queue.ipfix;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.queue.flow.FlowRecord;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A flow record that came over the network, with what a {@link FlowRecord} has no place for. One instance per input, filled anew for
 * each record.
 */
final class DecodedFlow {
    /** The most other elements that are kept of one record. */
    static final int OTHERS_MAX = 64;

    private static final long IPV4_MAPPED = 0xFFFFL;
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    private static final long NS_PER_MS = 1_000_000;
    private static final long UNKNOWN = -1;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[FlowRecord.LENGTH]);
    private final FlowRecord record = new FlowRecord().wrap(buffer, 0);

    long ingressInterface;
    long egressInterface;
    int classOfService;
    long sourceAs;
    long destinationAs;

    /** Number of the sampler that the packets went through; 0 where the record says nothing. */
    long samplerId;

    /** One packet in so many was looked at; 0 where the record says nothing. */
    long samplingInterval;

    private long startUptimeMs;
    private long endUptimeMs;
    private long durationNs;
    private boolean hasIcmp;

    private final byte[][] otherNames = new byte[OTHERS_MAX][];
    private final long[] otherValues = new long[OTHERS_MAX];
    private int others;

    /** Forgets the record before. */
    @HotPath
    void clear() {
        buffer.setMemory(0, FlowRecord.LENGTH, (byte) 0);
        ingressInterface = 0;
        egressInterface = 0;
        classOfService = 0;
        sourceAs = 0;
        destinationAs = 0;
        samplerId = 0;
        samplingInterval = 0;
        startUptimeMs = UNKNOWN;
        endUptimeMs = UNKNOWN;
        durationNs = 0;
        hasIcmp = false;
        others = 0;
    }

    /** The record. */
    FlowRecord record() {
        return record;
    }

    /** Whether it says between which addresses how many packets or bytes went: otherwise it is no flow. */
    boolean isFlow() {
        return record.ipVersion() != 0
                && (record.forwardPackets() | record.forwardBytes() | record.reversePackets() | record.reverseBytes())
                        != 0;
    }

    @HotPath
    void u8(int field, long value) {
        buffer.putByte(field, (byte) value);
    }

    @HotPath
    void u16(int field, long value) {
        buffer.putShort(field, (short) value);
    }

    @HotPath
    void u32(int field, long value) {
        buffer.putInt(field, (int) value);
    }

    @HotPath
    void u64(int field, long value) {
        buffer.putLong(field, value);
    }

    /** Sets a number that nothing has set yet: of two elements for the same, the one that comes first counts. */
    @HotPath
    void u64IfUnset(int field, long value) {
        if (buffer.getLong(field) == 0) {
            u64(field, value);
        }
    }

    /** Sets an address; zeros beside an address of the other version stand for none. */
    @HotPath
    void ipv4(int field, byte[] bytes, int at) {
        if (record.ipVersion() == 6 && ByteField.isZero(bytes, at, 4)) {
            return;
        }
        buffer.putLong(field, 0);
        buffer.putInt(field + 8, (int) IPV4_MAPPED, BIG_ENDIAN);
        buffer.putBytes(field + 12, bytes, at, 4);
        u8(FlowRecord.IP_VERSION, 4);
    }

    /** As {@link #ipv4}. */
    @HotPath
    void ipv6(int field, byte[] bytes, int at) {
        if (record.ipVersion() == 4 && ByteField.isZero(bytes, at, 16)) {
            return;
        }
        buffer.putBytes(field, bytes, at, 16);
        u8(FlowRecord.IP_VERSION, 6);
    }

    @HotPath
    void icmp(long type, long code) {
        u8(FlowRecord.ICMP_TYPE, type);
        u8(FlowRecord.ICMP_CODE, code);
        hasIcmp = true;
    }

    /** Time of the first packet, ns since 1970. */
    @HotPath
    void first(long timeNs) {
        u64(FlowRecord.FIRST_NS, Math.max(timeNs, 0));
    }

    /** Time of the last packet, ns since 1970. */
    @HotPath
    void last(long timeNs) {
        u64(FlowRecord.LAST_NS, Math.max(timeNs, 0));
    }

    /** Time of the first packet by the exporter's own clock: ms since it started, 32 bits. */
    @HotPath
    void firstUptime(long uptimeMs) {
        startUptimeMs = uptimeMs;
    }

    /** Time of the last packet by the exporter's own clock. */
    @HotPath
    void lastUptime(long uptimeMs) {
        endUptimeMs = uptimeMs;
    }

    @HotPath
    void duration(long ns) {
        durationNs = Math.max(ns, 0);
    }

    /** Keeps an element that has no place of its own; what is too much is left out. */
    @HotPath
    void other(byte[] name, long value) {
        if (others < OTHERS_MAX) {
            otherNames[others] = name;
            otherValues[others++] = value;
        }
    }

    /** How many other elements there are. */
    int others() {
        return others;
    }

    byte[] otherName(int index) {
        return otherNames[index];
    }

    long otherValue(int index) {
        return otherValues[index];
    }

    /**
     * Fills in what follows from what was set.
     *
     * @param exportNs time of the message, ns since 1970
     * @param uptimeMs time of the message by the exporter's own clock; negative where that is not known
     */
    @HotPath
    void complete(long exportNs, long uptimeMs) {
        completeTimes(exportNs, uptimeMs);
        if (hasIcmp) {
            if (record.destinationPort() == 0) {
                u16(FlowRecord.DESTINATION_PORT, (record.icmpType() << 8) | record.icmpCode());
            }
        } else if (record.protocol() == ICMP || record.protocol() == ICMPV6) {
            icmp(record.destinationPort() >> 8, record.destinationPort());
        }
    }

    private void completeTimes(long exportNs, long uptimeMs) {
        if (startUptimeMs != UNKNOWN && endUptimeMs == UNKNOWN) {
            endUptimeMs = startUptimeMs;
        }
        if (endUptimeMs != UNKNOWN && record.lastNs() == 0) {
            long now = uptimeMs < 0 ? endUptimeMs : uptimeMs;
            last(exportNs - ageMs(now, endUptimeMs) * NS_PER_MS);
            if (startUptimeMs != UNKNOWN && record.firstNs() == 0) {
                first(exportNs - ageMs(now, startUptimeMs) * NS_PER_MS);
            }
        }
        if (record.lastNs() == 0) {
            last(record.firstNs() == 0 ? exportNs : record.firstNs() + durationNs);
        }
        if (record.firstNs() == 0) {
            first(record.lastNs() - durationNs);
        }
    }

    /** Such clocks have 32 bits and begin anew after 49.7 days: what is nearest is meant. */
    private static long ageMs(long nowMs, long thenMs) {
        return (int) (nowMs - thenMs);
    }

    /** Multiplies packets and bytes: an estimate of what there was where one packet in so many was looked at. */
    @HotPath
    void scale(long by) {
        for (int field = FlowRecord.FORWARD_PACKETS; field <= FlowRecord.REVERSE_WIRE_BYTES; field += 8) {
            u64(field, buffer.getLong(field) * by);
        }
    }
}
