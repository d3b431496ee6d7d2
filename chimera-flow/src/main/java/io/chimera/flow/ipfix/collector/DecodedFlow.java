package io.chimera.flow.ipfix.collector;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.flow.table.FlowRecord;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Flow record received over the network, with the values that have no place in a {@link FlowRecord}. An input has one
 * instance and refills it for each record.
 */
final class DecodedFlow {
    /** Maximum number of other elements kept per record. */
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

    /** Number of the packets' sampler; 0 when absent from the record. */
    long samplerId;

    /** Sampling interval n (one packet in n was sampled); 0 when absent from the record. */
    long samplingInterval;

    private long startUptimeMs;
    private long endUptimeMs;
    private long durationNs;
    private boolean hasIcmp;

    private final byte[][] otherNames = new byte[OTHERS_MAX][];
    private final long[] otherValues = new long[OTHERS_MAX];
    private int others;

    /** Discards the previous record. */
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

    FlowRecord record() {
        return record;
    }

    /** Whether the record has addresses and a count of packets or bytes. A record without either is no flow. */
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

    /** Sets a number unless the field already has a value: of two elements for the same field, the first wins. */
    @HotPath
    void u64IfUnset(int field, long value) {
        if (buffer.getLong(field) == 0) {
            u64(field, value);
        }
    }

    /** Sets an IPv4 address. An all-zero address is ignored when the record already has an IPv6 address. */
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

    /** Sets an IPv6 address. An all-zero address is ignored when the record already has an IPv4 address. */
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

    /** Sets the time of the first packet, ns since 1970. */
    @HotPath
    void first(long timeNs) {
        u64(FlowRecord.FIRST_NS, Math.max(timeNs, 0));
    }

    /** Sets the time of the last packet, ns since 1970. */
    @HotPath
    void last(long timeNs) {
        u64(FlowRecord.LAST_NS, Math.max(timeNs, 0));
    }

    /** Sets the time of the first packet by the exporter's clock: ms since the clock started, 32 bits. */
    @HotPath
    void firstUptime(long uptimeMs) {
        startUptimeMs = uptimeMs;
    }

    /** Sets the time of the last packet by the exporter's clock. */
    @HotPath
    void lastUptime(long uptimeMs) {
        endUptimeMs = uptimeMs;
    }

    @HotPath
    void duration(long ns) {
        durationNs = Math.max(ns, 0);
    }

    /** Keeps an element without a place of its own; ignored after {@link #OTHERS_MAX} elements. */
    @HotPath
    void other(byte[] name, long value) {
        if (others < OTHERS_MAX) {
            otherNames[others] = name;
            otherValues[others++] = value;
        }
    }

    /** Number of other elements. */
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
     * Derives missing values from the values present.
     *
     * @param exportNs time of the message, ns since 1970
     * @param uptimeMs time of the message by the exporter's clock; negative when unknown
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

    /** Subtracts in 32 bits: the exporter's clock wraps around after 49.7 days, and the nearest time is meant. */
    private static long ageMs(long nowMs, long thenMs) {
        return (int) (nowMs - thenMs);
    }

    /** Multiplies packets and bytes by the sampling interval to estimate the unsampled traffic. */
    @HotPath
    void scale(long by) {
        for (int field = FlowRecord.FORWARD_PACKETS; field <= FlowRecord.REVERSE_WIRE_BYTES; field += 8) {
            u64(field, buffer.getLong(field) * by);
        }
    }
}
