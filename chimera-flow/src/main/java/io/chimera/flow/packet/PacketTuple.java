package io.chimera.flow.packet;

import io.chimera.api.HotPath;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decoded data of one packet: the tuple of Fais et al. 2021, section 5. One cache line is the flow key, half a line the
 * counted values. Numbers are in the machine's byte order; addresses are as in the packet, IPv4 as ::ffff:a.b.c.d.
 *
 * <pre>
 *   0                        8    10   12 13 14   16
 *   +------------------------+----+----+--+--+----+
 *   | source address                              |
 *   | destination address                         |
 *   +----+----+--+--+--------+----+----+--+--+----+
 * 32| sp | dp |pr|ip|  vlan  |tunnel id|tu|tf|  |oc|    pr: IP protocol; ip: 4 or 6; tu: TUNNEL_*; tf: TCP flags
 *   +--+--+---+-----+--------+----+----+--+--+----+    oc: code of the PacketOutcome; for outcomes other than IP, only
 * 48|ty|co|customer | mpls   | flow id            |        the code, the time and the wire bytes are valid
 *   +--+--+---------+--------+--------------------+    ty, co: type and code of ICMP; flow id: not set by the decoder
 * 64| time (ns since 1970)   |IP bytes |wire b.   |
 *   +--+---------------------+---------+----------+
 * 80|fl| 0                   | position in flow   |    fl: FLAG_*; position: from 1 on, not set by the decoder
 *   +--+---------------------+--------------------+ 96
 * </pre>
 *
 * <p>The first 64 bytes are a {@link FlowHead}. A flyweight: owns no memory. The producer of the tuples defines their
 * validity.
 */
public final class PacketTuple extends FlowHead {
    /** TCP flags: u8. */
    public static final int TCP_FLAGS = 45;
    /** Code of the {@link PacketOutcome}: u8. */
    public static final int OUTCOME = 47;
    /** Time of the packet: i64, ns since 1970. */
    public static final int TIME_NS = 64;
    /** Bytes of the IP packet, header included: u32. */
    public static final int IP_BYTES = 72;
    /** Bytes of the frame on the wire: u32. */
    public static final int WIRE_BYTES = 76;
    /** Flags, {@code FLAG_*}: u8. */
    public static final int FLAGS = 80;
    /** Number of the packet in its flow, from 1 on: u64. */
    public static final int POSITION = 88;
    /** Length of a tuple in bytes. */
    public static final int LENGTH = 96;

    /** Fragment of an IP packet. */
    public static final int FLAG_FRAGMENT = 1;
    /** Fragment after the first, without ports. */
    public static final int FLAG_LATER_FRAGMENT = 2;
    /** Packet with an undecodable inner packet although the inner key was requested; the key is the outer key. */
    public static final int FLAG_TUNNEL_UNREAD = 4;

    private final UnsafeBuffer memory = new UnsafeBuffer(0, 0);

    /** Creates a flyweight without memory. */
    public PacketTuple() {}

    /**
     * Wraps this flyweight over a tuple.
     *
     * @param tuple address of the first byte
     * @return this
     */
    @HotPath
    public PacketTuple wrap(long tuple) {
        memory.wrap(tuple, LENGTH);
        lay(memory, 0);
        return this;
    }

    /** Outcome of the decoding. */
    public PacketOutcome outcome() {
        return PacketOutcome.of(u8(OUTCOME));
    }

    /** TCP flags. */
    public int tcpFlags() {
        return u8(TCP_FLAGS);
    }

    /** Time of the packet, ns since 1970. */
    public long timeNs() {
        return u64(TIME_NS);
    }

    /** Bytes of the IP packet. */
    public long ipBytes() {
        return u32(IP_BYTES);
    }

    /** Bytes of the frame on the wire. */
    public long wireBytes() {
        return u32(WIRE_BYTES);
    }

    /** Flags, {@code FLAG_*}. */
    public int flags() {
        return u8(FLAGS);
    }

    /** Number of the packet in its flow, from 1 on. */
    public long position() {
        return u64(POSITION);
    }
}
