package io.chimera.common.packet;

import io.chimera.api.HotPath;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What is known of one packet: the tuple of Fais et al. 2021, section 5. One cache line says which flow it belongs to, half a line
 * what is counted of it. Numbers are in the machine's byte order; the addresses stand as in the packet, IPv4 as ::ffff:a.b.c.d.
 *
 * <pre>
 *   0                        8    10   12 13 14   16
 *   +------------------------+----+----+--+--+----+
 *   | source address                              |
 *   | destination address                         |
 *   +----+----+--+--+--------+----+----+--+--+----+
 * 32| sp | dp |pr|ip|  vlan  |tunnel id|tu|tf|  |oc|    pr: IP protocol; ip: 4 or 6; tu: TUNNEL_*; tf: TCP flags
 *   +--+--+---+-----+--------+----+----+--+--+----+    oc: code of the PacketOutcome; if it is not IP, only this,
 * 48|ty|co|customer | mpls   | flow id            |        the time and the wire bytes are valid
 *   +--+--+---------+--------+--------------------+    ty, co: type and code of ICMP; flow id: not set by the decoder
 * 64| time (ns since 1970)   |IP bytes |wire b.   |
 *   +--+---------------------+---------+----------+
 * 80|fl| 0                   | position in flow   |    fl: FLAG_*; position: from 1 on, not set by the decoder
 *   +--+---------------------+--------------------+ 96
 * </pre>
 *
 * The first 64 bytes are a {@link FlowHead}. A flyweight over memory that it does not own. Who made the tuples says how long it is
 * valid.
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
    /** {@code FLAG_*}: u8. */
    public static final int FLAGS = 80;
    /** Number of the packet in its flow, from 1 on: u64. */
    public static final int POSITION = 88;
    /** Bytes of a tuple. */
    public static final int LENGTH = 96;

    /** A fragment of an IP packet. */
    public static final int FLAG_FRAGMENT = 1;
    /** Another fragment than the first: it has no ports. */
    public static final int FLAG_LATER_FRAGMENT = 2;
    /** In a tunnel whose inside could not be read, though it was wanted: the key is that of the outside. */
    public static final int FLAG_TUNNEL_UNREAD = 4;

    private final UnsafeBuffer memory = new UnsafeBuffer(0, 0);

    /** A flyweight over nothing yet. */
    public PacketTuple() {}

    /**
     * Lays this flyweight over a tuple.
     *
     * @param tuple address of its first byte
     * @return this
     */
    @HotPath
    public PacketTuple wrap(long tuple) {
        memory.wrap(tuple, LENGTH);
        lay(memory, 0);
        return this;
    }

    /** What became of the packet. */
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

    /** {@code FLAG_*}. */
    public int flags() {
        return u8(FLAGS);
    }

    /** Number of the packet in its flow, from 1 on. */
    public long position() {
        return u64(POSITION);
    }
}
