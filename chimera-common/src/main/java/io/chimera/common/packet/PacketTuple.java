package io.chimera.common.packet;

import io.chimera.api.HotPath;
import org.agrona.UnsafeApi;

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
 * A flyweight over memory that it does not own. Who made the tuples says how long it is valid.
 */
public final class PacketTuple {
    /** Source address: 16 bytes. */
    public static final int SOURCE_ADDRESS = 0;
    /** Destination address: 16 bytes. */
    public static final int DESTINATION_ADDRESS = 16;
    /** Source port: u16; 0 where there is none. Of an ICMP reply: what {@link #DESTINATION_PORT} was in the request. */
    public static final int SOURCE_PORT = 32;
    /** Destination port: u16; 0 where there is none. Of ICMP but replies: type * 256 + code. */
    public static final int DESTINATION_PORT = 34;
    /** IP protocol: u8. */
    public static final int PROTOCOL = 36;
    /** Version of IP, 4 or 6: u8. */
    public static final int IP_VERSION = 37;
    /** Identifier of the outermost VLAN: u16; 0 without a tag. */
    public static final int VLAN = 38;
    /** VXLAN network identifier, GTP tunnel endpoint identifier or GRE key: u32. */
    public static final int TUNNEL_ID = 40;
    /** What the addresses run in, one of {@code TUNNEL_*}: u8. */
    public static final int TUNNEL = 44;
    /** TCP flags: u8. */
    public static final int TCP_FLAGS = 45;
    /** Code of the {@link PacketOutcome}: u8. */
    public static final int OUTCOME = 47;
    /** Type of ICMP: u8. */
    public static final int ICMP_TYPE = 48;
    /** Code of ICMP: u8. */
    public static final int ICMP_CODE = 49;
    /** Identifier of the second VLAN tag: u16; 0 without one. */
    public static final int CUSTOMER_VLAN = 50;
    /** Topmost MPLS label: u32; 0 without one. */
    public static final int MPLS_LABEL = 52;
    /** Hash of the key: u64. */
    public static final int FLOW_ID = 56;
    /** Bytes of what says which flow it is. */
    public static final int HEAD_LENGTH = 64;
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

    /** In no tunnel, or not looked into. */
    public static final int TUNNEL_NONE = 0;
    /** In GRE. */
    public static final int TUNNEL_GRE = 1;
    /** In VXLAN. */
    public static final int TUNNEL_VXLAN = 2;
    /** In GTP-U. */
    public static final int TUNNEL_GTP_U = 3;
    /** IP in IP: any version in any version. */
    public static final int TUNNEL_IP = 4;

    /** A fragment of an IP packet. */
    public static final int FLAG_FRAGMENT = 1;
    /** Another fragment than the first: it has no ports. */
    public static final int FLAG_LATER_FRAGMENT = 2;
    /** In a tunnel whose inside could not be read, though it was wanted: the key is that of the outside. */
    public static final int FLAG_TUNNEL_UNREAD = 4;

    private long address;

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
        address = tuple;
        return this;
    }

    /** What became of the packet. */
    public PacketOutcome outcome() {
        return PacketOutcome.of(u8(OUTCOME));
    }

    /** Copies the source address: 16 bytes. */
    public byte[] sourceAddress() {
        return copy(SOURCE_ADDRESS);
    }

    /** Copies the destination address: 16 bytes. */
    public byte[] destinationAddress() {
        return copy(DESTINATION_ADDRESS);
    }

    /** Source port. */
    public int sourcePort() {
        return u16(SOURCE_PORT);
    }

    /** Destination port. */
    public int destinationPort() {
        return u16(DESTINATION_PORT);
    }

    /** IP protocol. */
    public int protocol() {
        return u8(PROTOCOL);
    }

    /** Version of IP. */
    public int ipVersion() {
        return u8(IP_VERSION);
    }

    /** Outermost VLAN. */
    public int vlan() {
        return u16(VLAN);
    }

    /** Second VLAN tag. */
    public int customerVlan() {
        return u16(CUSTOMER_VLAN);
    }

    /** Topmost MPLS label. */
    public int mplsLabel() {
        return UnsafeApi.getInt(address + MPLS_LABEL);
    }

    /** One of {@code TUNNEL_*}. */
    public int tunnel() {
        return u8(TUNNEL);
    }

    /** Identifier within the tunnel. */
    public int tunnelId() {
        return UnsafeApi.getInt(address + TUNNEL_ID);
    }

    /** TCP flags. */
    public int tcpFlags() {
        return u8(TCP_FLAGS);
    }

    /** Type of ICMP. */
    public int icmpType() {
        return u8(ICMP_TYPE);
    }

    /** Code of ICMP. */
    public int icmpCode() {
        return u8(ICMP_CODE);
    }

    /** Hash of the key. */
    public long flowId() {
        return UnsafeApi.getLong(address + FLOW_ID);
    }

    /** Time of the packet, ns since 1970. */
    public long timeNs() {
        return UnsafeApi.getLong(address + TIME_NS);
    }

    /** Bytes of the IP packet. */
    public long ipBytes() {
        return UnsafeApi.getInt(address + IP_BYTES) & 0xFFFF_FFFFL;
    }

    /** Bytes of the frame on the wire. */
    public long wireBytes() {
        return UnsafeApi.getInt(address + WIRE_BYTES) & 0xFFFF_FFFFL;
    }

    /** {@code FLAG_*}. */
    public int flags() {
        return u8(FLAGS);
    }

    /** Number of the packet in its flow, from 1 on. */
    public long position() {
        return UnsafeApi.getLong(address + POSITION);
    }

    private byte[] copy(int field) {
        byte[] bytes = new byte[16];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = UnsafeApi.getByte(address + field + i);
        }
        return bytes;
    }

    private int u8(int field) {
        return UnsafeApi.getByte(address + field) & 0xFF;
    }

    private int u16(int field) {
        return UnsafeApi.getShort(address + field) & 0xFFFF;
    }
}
