package io.chimera.flow.packet;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Flow key of a packet or a flow record: their common first cache line. Numbers are in the machine's byte order;
 * addresses are as in the packet, IPv4 as ::ffff:a.b.c.d.
 *
 * <pre>
 *   0                        8    10   12 13 14   16
 *   +------------------------+----+----+--+--+----+
 *   | source address                              |
 *   | destination address                         |     pr: IP protocol; ip: 4 or 6; vlan: outermost tag, 0 none
 *   +----+----+--+--+--------+----+----+--+--+----+
 * 32| sp | dp |pr|ip|  vlan  |tunnel id|tu| 3 own |     tu: TUNNEL_*; own: bytes specific to packet or record
 *   +--+--+---+-----+--------+----+----+--+--+----+
 * 48|ty|co|customer | mpls   | flow id            |     ty, co: type and code of ICMP
 *   +--+--+---------+--------+--------------------+ 64
 * </pre>
 *
 * <p>A flyweight: owns no memory and allocates nothing. The provider of the memory defines its validity.
 */
public abstract class FlowHead {
    /** Source address: 16 bytes. */
    public static final int SOURCE_ADDRESS = 0;
    /** Destination address: 16 bytes. */
    public static final int DESTINATION_ADDRESS = 16;
    /** Source port: u16; 0 without ports. For an ICMP reply: the {@link #DESTINATION_PORT} of the request. */
    public static final int SOURCE_PORT = 32;
    /** Destination port: u16; 0 without ports. For ICMP except replies: type * 256 + code. */
    public static final int DESTINATION_PORT = 34;
    /** IP protocol: u8. */
    public static final int PROTOCOL = 36;
    /** IP version, 4 or 6: u8. */
    public static final int IP_VERSION = 37;
    /** Identifier of the outermost VLAN: u16; 0 without a tag. */
    public static final int VLAN = 38;
    /** VXLAN network identifier, GTP tunnel endpoint identifier or GRE key: u32. */
    public static final int TUNNEL_ID = 40;
    /** Kind of the tunnel around the addresses, one of {@code TUNNEL_*}: u8. */
    public static final int TUNNEL = 44;
    /** ICMP type: u8. */
    public static final int ICMP_TYPE = 48;
    /** ICMP code: u8. */
    public static final int ICMP_CODE = 49;
    /** Identifier of the second VLAN tag: u16; 0 without one. */
    public static final int CUSTOMER_VLAN = 50;
    /** Topmost MPLS label: u32; 0 without one. */
    public static final int MPLS_LABEL = 52;
    /** Hash of the key: u64. */
    public static final int FLOW_ID = 56;
    /** Length of the flow key in bytes. */
    public static final int HEAD_LENGTH = 64;

    /** No tunnel, or tunnels are not decoded. */
    public static final int TUNNEL_NONE = 0;
    /** GRE tunnel. */
    public static final int TUNNEL_GRE = 1;
    /** VXLAN tunnel. */
    public static final int TUNNEL_VXLAN = 2;
    /** GTP-U tunnel. */
    public static final int TUNNEL_GTP_U = 3;
    /** IP in IP, any version in any version. */
    public static final int TUNNEL_IP = 4;

    private DirectBuffer buffer;
    private int offset;

    /** Creates the base of a flyweight. */
    protected FlowHead() {}

    /**
     * Wraps this flyweight over memory.
     *
     * @param source holds the flow key
     * @param start index of the first byte
     */
    @HotPath
    protected final void lay(DirectBuffer source, int start) {
        buffer = source;
        offset = start;
    }

    /** Buffer under this flyweight. */
    @HotPath
    protected final DirectBuffer buffer() {
        return buffer;
    }

    /** Index of the first byte in the buffer. */
    @HotPath
    protected final int offset() {
        return offset;
    }

    /** Copies the source address: 16 bytes, for IPv4 too. */
    public final void sourceAddress(MutableDirectBuffer target, int at) {
        target.putBytes(at, buffer, offset + SOURCE_ADDRESS, 16);
    }

    /** Copies the destination address: 16 bytes, for IPv4 too. */
    public final void destinationAddress(MutableDirectBuffer target, int at) {
        target.putBytes(at, buffer, offset + DESTINATION_ADDRESS, 16);
    }

    /** Source port; see {@link #SOURCE_PORT}. */
    public final int sourcePort() {
        return u16(SOURCE_PORT);
    }

    /** Destination port; see {@link #DESTINATION_PORT}. */
    public final int destinationPort() {
        return u16(DESTINATION_PORT);
    }

    /** IP protocol. */
    public final int protocol() {
        return u8(PROTOCOL);
    }

    /** IP version: 4 or 6. */
    public final int ipVersion() {
        return u8(IP_VERSION);
    }

    /** Outermost VLAN; 0 without a tag. */
    public final int vlan() {
        return u16(VLAN);
    }

    /** Second VLAN tag; 0 without one. */
    public final int customerVlan() {
        return u16(CUSTOMER_VLAN);
    }

    /** Topmost MPLS label; 0 without one. */
    public final int mplsLabel() {
        return buffer.getInt(offset + MPLS_LABEL);
    }

    /** Kind of the tunnel, one of {@code TUNNEL_*}. */
    public final int tunnel() {
        return u8(TUNNEL);
    }

    /** Identifier of the tunnel: u32. */
    public final int tunnelId() {
        return buffer.getInt(offset + TUNNEL_ID);
    }

    /** ICMP type of the first packet. */
    public final int icmpType() {
        return u8(ICMP_TYPE);
    }

    /** ICMP code of the first packet. */
    public final int icmpCode() {
        return u8(ICMP_CODE);
    }

    /** Hash of the key, equal for both directions (flow ID: Fais et al. 2021, 4). */
    public final long flowId() {
        return u64(FLOW_ID);
    }

    /** Reads one byte. */
    @HotPath
    protected final int u8(int field) {
        return buffer.getByte(offset + field) & 0xFF;
    }

    /** Reads two bytes. */
    @HotPath
    protected final int u16(int field) {
        return buffer.getShort(offset + field) & 0xFFFF;
    }

    /** Reads four bytes. */
    @HotPath
    protected final long u32(int field) {
        return buffer.getInt(offset + field) & 0xFFFF_FFFFL;
    }

    /** Reads eight bytes. */
    @HotPath
    protected final long u64(int field) {
        return buffer.getLong(offset + field);
    }
}
