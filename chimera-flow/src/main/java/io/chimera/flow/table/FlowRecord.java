package io.chimera.flow.table;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.flow.packet.FlowHead;
import io.chimera.flow.packet.PacketTuple;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Flow record with both directions, as flat bytes in two cache lines: the first line identifies the flow, the second
 * line holds its counts. Forward is the direction of the first packet. Numbers are in native byte order; addresses are
 * in packet order, IPv4 as ::ffff:a.b.c.d. The first line is the {@link FlowHead} of the first packet, plus three bytes
 * of flags and end reason.
 *
 * <pre>
 *   0                        8    10   12 13 14   16
 *   +------------------------+----+----+--+--+----+
 *   | source address                              |
 *   | destination address                         |     pr: IP protocol; ip: 4 or 6; vlan: outermost tag, 0 none
 *   +----+----+--+--+--------+----+----+--+--+----+
 * 32| sp | dp |pr|ip|  vlan  |tunnel id|tu|ff|rf|en|    tu: PacketTuple.TUNNEL_*; ff, rf: TCP flags, each direction
 *   +--+--+---+-----+--------+----+----+--+--+----+
 * 48|ty|co|customer | mpls   | flow id            |     ty, co: type and code of the first ICMP packet; en: END_*
 *   +--+--+---------+--------+--------------------+
 * 64| forward packets        | forward IP bytes   |     IP bytes: length from the IP header, header included
 *   | forward wire bytes     | reverse packets    |     wire bytes: whole frames as on the wire
 *   | reverse IP bytes       | reverse wire bytes |
 *   | first                  | last               |     ns since 1970, by packet time instead of the local clock
 *   +------------------------+--------------------+
 * </pre>
 *
 * <p>A flyweight without memory of its own; allocates nothing. The provider of the underlying buffer defines its
 * lifetime.
 */
public final class FlowRecord extends FlowHead {
    /** TCP flags of all forward packets: u8. */
    public static final int FORWARD_TCP_FLAGS = PacketTuple.TCP_FLAGS;
    /** TCP flags of all reverse packets: u8. */
    public static final int REVERSE_TCP_FLAGS = 46;
    /**
     * End reason, one of {@code END_*}: u8; 0 while the flow is active. {@link #END_OF_FLOW} is set as soon as the TCP
     * connection ends.
     */
    public static final int END_REASON = 47;
    /** Forward packets: u64. */
    public static final int FORWARD_PACKETS = 64;
    /** Forward IP bytes: u64. */
    public static final int FORWARD_BYTES = 72;
    /** Forward bytes of whole frames: u64. */
    public static final int FORWARD_WIRE_BYTES = 80;
    /** Reverse packets: u64. */
    public static final int REVERSE_PACKETS = 88;
    /** Reverse IP bytes: u64. */
    public static final int REVERSE_BYTES = 96;
    /** Reverse bytes of whole frames: u64. */
    public static final int REVERSE_WIRE_BYTES = 104;
    /** Time of the first packet: i64, ns since 1970. */
    public static final int FIRST_NS = 112;
    /** Time of the last packet: i64, ns since 1970. */
    public static final int LAST_NS = 120;
    /** Bytes of a record. */
    public static final int LENGTH = 128;

    /** End reason: no packet within the idle timeout. All end reasons equal flowEndReason of IPFIX. */
    public static final int END_IDLE = 1;
    /** End reason: active timeout; later packets belong to another record. */
    public static final int END_ACTIVE = 2;
    /** End reason: FIN of both sides, or RST. */
    public static final int END_OF_FLOW = 3;
    /** End reason: the table was flushed at the end of the file, of the interval, or of the node. */
    public static final int END_FORCED = 4;
    /** End reason: the table was full, and this flow was nearest to its timeout. */
    public static final int END_LACK_OF_RESOURCES = 5;

    /** Creates an unwrapped flyweight. */
    public FlowRecord() {}

    /**
     * Wraps a record.
     *
     * @param source buffer with the record
     * @param start index of the first byte
     * @return this
     */
    @HotPath
    public FlowRecord wrap(DirectBuffer source, int start) {
        lay(source, start);
        return this;
    }

    /** Copies the record. */
    @HotPath
    public void copyTo(MutableDirectBuffer target, int at) {
        target.putBytes(at, buffer(), offset(), LENGTH);
    }

    /** Returns the source address as text. */
    public String sourceText() {
        return AddressText.of(buffer(), offset() + SOURCE_ADDRESS, ipVersion() == 4);
    }

    /** Returns the destination address as text. */
    public String destinationText() {
        return AddressText.of(buffer(), offset() + DESTINATION_ADDRESS, ipVersion() == 4);
    }

    /**
     * Writes the source address as text.
     *
     * @return index after the last of up to {@link AddressText#LENGTH_MAX} bytes
     */
    @HotPath
    public int sourceText(byte[] target, int at) {
        return AddressText.put(buffer(), offset() + SOURCE_ADDRESS, ipVersion() == 4, target, at);
    }

    /**
     * Writes the destination address as text.
     *
     * @return index after the last of up to {@link AddressText#LENGTH_MAX} bytes
     */
    @HotPath
    public int destinationText(byte[] target, int at) {
        return AddressText.put(buffer(), offset() + DESTINATION_ADDRESS, ipVersion() == 4, target, at);
    }

    /** Returns the IPv4 source address as a number: 10.0.0.1 is 0x0A000001. */
    public int sourceIpv4() {
        return buffer().getInt(offset() + SOURCE_ADDRESS + 12, BIG_ENDIAN);
    }

    /** Returns the IPv4 destination address as a number. */
    public int destinationIpv4() {
        return buffer().getInt(offset() + DESTINATION_ADDRESS + 12, BIG_ENDIAN);
    }

    /** Returns the TCP flags of all forward packets. */
    public int forwardTcpFlags() {
        return u8(FORWARD_TCP_FLAGS);
    }

    /** Returns the TCP flags of all reverse packets. */
    public int reverseTcpFlags() {
        return u8(REVERSE_TCP_FLAGS);
    }

    /** Returns the end reason, one of {@code END_*}; 0 while the flow is active. */
    public int endReason() {
        return u8(END_REASON);
    }

    /** Returns the number of forward packets. */
    public long forwardPackets() {
        return u64(FORWARD_PACKETS);
    }

    /** Returns the forward IP bytes. */
    public long forwardBytes() {
        return u64(FORWARD_BYTES);
    }

    /** Returns the forward bytes of whole frames. */
    public long forwardWireBytes() {
        return u64(FORWARD_WIRE_BYTES);
    }

    /** Returns the number of reverse packets; 0 for a unidirectional flow. */
    public long reversePackets() {
        return u64(REVERSE_PACKETS);
    }

    /** Returns the reverse IP bytes. */
    public long reverseBytes() {
        return u64(REVERSE_BYTES);
    }

    /** Returns the reverse bytes of whole frames. */
    public long reverseWireBytes() {
        return u64(REVERSE_WIRE_BYTES);
    }

    /** Returns the time of the first packet, ns since 1970. */
    public long firstNs() {
        return u64(FIRST_NS);
    }

    /** Returns the time of the last packet, ns since 1970. */
    public long lastNs() {
        return u64(LAST_NS);
    }
}
