package io.chimera.queue.flow;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.packet.FlowHead;
import io.chimera.common.packet.PacketTuple;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One flow in both directions, as flat bytes: two cache lines, of which the first says which flow it is and the second what was
 * counted. Forward is the direction of the packet that was seen first of the flow. Numbers are in the machine's byte order; the addresses stand as
 * in the packet, IPv4 as ::ffff:a.b.c.d. The first line is the {@link FlowHead} of the first packet, with three bytes of its own.
 *
 * <pre>
 *   0                        8    10   12 13 14   16
 *   +------------------------+----+----+--+--+----+
 *   | source address                              |
 *   | destination address                         |     pr: IP protocol; ip: 4 or 6; vlan: outermost tag, 0 none
 *   +----+----+--+--+--------+----+----+--+--+----+
 * 32| sp | dp |pr|ip|  vlan  |tunnel id|tu|ff|rf|en|    tu: PacketTuple.TUNNEL_*; ff, rf: TCP flags forward and reverse; en: END_*
 *   +--+--+---+-----+--------+----+----+--+--+----+
 * 48|ty|co|customer | mpls   | flow id            |     ty, co: type and code of the first ICMP packet
 *   +--+--+---------+--------+--------------------+
 * 64| forward packets        | forward IP bytes   |     IP bytes: what the IP header says, header included
 *   | forward wire bytes     | reverse packets    |     wire bytes: the whole frame as it was on the wire
 *   | reverse IP bytes       | reverse wire bytes |
 *   | first                  | last               |     ns since 1970; time of the packets, not of this machine
 *   +------------------------+--------------------+
 * </pre>
 *
 * A flyweight: it owns nothing and allocates nothing. What it lies over is valid as long as the giver says.
 */
public final class FlowRecord extends FlowHead {
    /** TCP flags of all forward packets: u8. */
    public static final int FORWARD_TCP_FLAGS = PacketTuple.TCP_FLAGS;
    /** TCP flags of all reverse packets: u8. */
    public static final int REVERSE_TCP_FLAGS = 46;
    /** Why the record ended, one of {@code END_*}: u8; 0 while it lives, {@link #END_OF_FLOW} already when its end was seen. */
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

    /** No packet for the idle timeout. The numbers are those of flowEndReason in IPFIX. */
    public static final int END_IDLE = 1;
    /** It lived for the active timeout; what comes after is another record. */
    public static final int END_ACTIVE = 2;
    /** Its end was seen: FIN of both sides, or RST. */
    public static final int END_OF_FLOW = 3;
    /** The table was emptied: end of the file, of the interval, or of the node. */
    public static final int END_FORCED = 4;
    /** The table was full, and this was the one that had been idle longest. */
    public static final int END_LACK_OF_RESOURCES = 5;

    /** A flyweight over nothing yet. */
    public FlowRecord() {}

    /**
     * Lays this flyweight over a record.
     *
     * @param source holds it
     * @param start index of its first byte
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

    /** Source address as people write it. */
    public String sourceText() {
        return AddressText.of(buffer(), offset() + SOURCE_ADDRESS, ipVersion() == 4);
    }

    /** Destination address as people write it. */
    public String destinationText() {
        return AddressText.of(buffer(), offset() + DESTINATION_ADDRESS, ipVersion() == 4);
    }

    /**
     * Writes the source address as people do.
     *
     * @return index behind the last of up to {@link AddressText#LENGTH_MAX} bytes
     */
    @HotPath
    public int sourceText(byte[] target, int at) {
        return AddressText.put(buffer(), offset() + SOURCE_ADDRESS, ipVersion() == 4, target, at);
    }

    /**
     * Writes the destination address as people do.
     *
     * @return index behind the last of up to {@link AddressText#LENGTH_MAX} bytes
     */
    @HotPath
    public int destinationText(byte[] target, int at) {
        return AddressText.put(buffer(), offset() + DESTINATION_ADDRESS, ipVersion() == 4, target, at);
    }

    /** Source address of IPv4 as a number: 10.0.0.1 is 0x0A000001. */
    public int sourceIpv4() {
        return buffer().getInt(offset() + SOURCE_ADDRESS + 12, BIG_ENDIAN);
    }

    /** Destination address of IPv4 as a number. */
    public int destinationIpv4() {
        return buffer().getInt(offset() + DESTINATION_ADDRESS + 12, BIG_ENDIAN);
    }

    /** TCP flags of all forward packets. */
    public int forwardTcpFlags() {
        return u8(FORWARD_TCP_FLAGS);
    }

    /** TCP flags of all reverse packets. */
    public int reverseTcpFlags() {
        return u8(REVERSE_TCP_FLAGS);
    }

    /** One of {@code END_*}; 0 while it lives. */
    public int endReason() {
        return u8(END_REASON);
    }

    /** Forward packets. */
    public long forwardPackets() {
        return u64(FORWARD_PACKETS);
    }

    /** Forward IP bytes. */
    public long forwardBytes() {
        return u64(FORWARD_BYTES);
    }

    /** Forward bytes of whole frames. */
    public long forwardWireBytes() {
        return u64(FORWARD_WIRE_BYTES);
    }

    /** Reverse packets; 0: the flow has one direction only. */
    public long reversePackets() {
        return u64(REVERSE_PACKETS);
    }

    /** Reverse IP bytes. */
    public long reverseBytes() {
        return u64(REVERSE_BYTES);
    }

    /** Reverse bytes of whole frames. */
    public long reverseWireBytes() {
        return u64(REVERSE_WIRE_BYTES);
    }

    /** Time of the first packet, ns since 1970. */
    public long firstNs() {
        return u64(FIRST_NS);
    }

    /** Time of the last packet, ns since 1970. */
    public long lastNs() {
        return u64(LAST_NS);
    }
}
