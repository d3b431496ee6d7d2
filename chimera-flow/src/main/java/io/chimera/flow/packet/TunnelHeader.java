package io.chimera.flow.packet;

import io.chimera.api.HotPath;

/** Decodes the header of a tunnel: GRE, VXLAN, GTP-U, or an empty header for IP in IP. */
final class TunnelHeader {
    private static final int VXLAN_PORT = 4789;
    private static final int VXLAN_PORT_LINUX = 8472;
    private static final int GTP_U_PORT = 2152;
    private static final int UDP_LENGTH = 8;
    private static final int VXLAN_LENGTH = 8;
    private static final int GTP_LENGTH = 8;
    private static final int GTP_DATA = 0xFF;
    private static final int GTP_EXTENSIONS_MAX = 8;

    private static final int GRE_CHECKSUM_OR_ROUTING = 0xC000;
    private static final int GRE_KEY = 0x2000;
    private static final int GRE_SEQUENCE = 0x1000;
    private static final int GRE_ACKNOWLEDGE = 0x0080;
    private static final int GRE_PPP = 0x880B;
    private static final int GRE_BRIDGED = 0x6558;
    private static final int GRE_IPV4 = 0x0800;
    private static final int GRE_IPV6 = 0x86DD;

    private PacketBytes bytes;
    private int kind;
    private int id;
    private int at;
    private int linkType;

    /** Kind of the tunnel, one of {@link PacketTuple}'s {@code TUNNEL_*}. */
    int kind() {
        return kind;
    }

    /** Identifier of the tunnel. */
    int id() {
        return id;
    }

    /** Index of the inner packet. */
    int at() {
        return at;
    }

    /** Link type of the inner packet. */
    int linkType() {
        return linkType;
    }

    /**
     * Decodes a tunnel header.
     *
     * @param protocol protocol of the IP payload
     * @param payloadAt index of the IP payload
     * @return whether the header precedes a possible inner packet; false with a {@link #kind} other than none means an
     *     undecodable header
     */
    @HotPath
    boolean read(PacketBytes frame, int protocol, int payloadAt) {
        bytes = frame;
        at = payloadAt;
        id = 0;
        kind = PacketTuple.TUNNEL_NONE;
        return switch (protocol) {
            case NetworkLayer.IPV4_IN_IP, NetworkLayer.IPV6_IN_IP -> ip(protocol);
            case NetworkLayer.GRE -> gre();
            case NetworkLayer.UDP -> udp();
            default -> false;
        };
    }

    private boolean ip(int protocol) {
        kind = PacketTuple.TUNNEL_IP;
        linkType = protocol == NetworkLayer.IPV4_IN_IP ? LinkLayer.IPV4 : LinkLayer.IPV6;
        return true;
    }

    private boolean gre() {
        kind = PacketTuple.TUNNEL_GRE;
        if (!bytes.has(at, 4)) {
            return false;
        }
        int flags = bytes.u16(at);
        int keyAt = at + 4 + ((flags & GRE_CHECKSUM_OR_ROUTING) != 0 ? 4 : 0);
        boolean hasKey = (flags & GRE_KEY) != 0;
        int length = keyAt - at + (hasKey ? 4 : 0) + ((flags & GRE_SEQUENCE) != 0 ? 4 : 0);
        boolean isPptp = (flags & 7) == 1;
        length += isPptp && (flags & GRE_ACKNOWLEDGE) != 0 ? 4 : 0;
        if (!bytes.has(at, length)) {
            return false;
        }
        id = hasKey ? bytes.u32(keyAt) : 0;
        id = isPptp ? id & 0xFFFF : id; // the upper half is the payload length
        linkType = switch (bytes.u16(at + 2)) {
            case GRE_IPV4 -> LinkLayer.IPV4;
            case GRE_IPV6 -> LinkLayer.IPV6;
            case GRE_BRIDGED -> LinkLayer.ETHERNET;
            case GRE_PPP -> LinkLayer.PPP;
            default -> -1;
        };
        at += length;
        return linkType >= 0;
    }

    private boolean udp() {
        if (!bytes.has(at, UDP_LENGTH)) {
            return false;
        }
        int destination = bytes.u16(at + 2);
        at += UDP_LENGTH;
        return switch (destination) {
            case VXLAN_PORT, VXLAN_PORT_LINUX -> vxlan();
            case GTP_U_PORT -> gtp();
            default -> false;
        };
    }

    private boolean vxlan() {
        kind = PacketTuple.TUNNEL_VXLAN;
        if (!bytes.has(at, VXLAN_LENGTH) || (bytes.u8(at) & 0x08) == 0) {
            return false;
        }
        id = bytes.u32(at + 4) >>> 8;
        at += VXLAN_LENGTH;
        linkType = LinkLayer.ETHERNET;
        return true;
    }

    /** GTP version 1. Only data messages contain packets; other messages manage the tunnel. */
    private boolean gtp() {
        if (!bytes.has(at, GTP_LENGTH) || bytes.u8(at) >> 4 != 3 || bytes.u8(at + 1) != GTP_DATA) {
            return false;
        }
        kind = PacketTuple.TUNNEL_GTP_U;
        id = bytes.u32(at + 4);
        boolean hasOptions = (bytes.u8(at) & 7) != 0;
        boolean hasExtensions = (bytes.u8(at) & 4) != 0;
        at += GTP_LENGTH;
        linkType = LinkLayer.RAW;
        if (!hasOptions) {
            return true;
        }
        if (!bytes.has(at, 4)) {
            return false;
        }
        int next = hasExtensions ? bytes.u8(at + 3) : 0;
        at += 4;
        return gtpExtensions(next);
    }

    private boolean gtpExtensions(int first) {
        int next = first;
        for (int i = 0; next != 0; i++) {
            if (i == GTP_EXTENSIONS_MAX || !bytes.has(at, 4)) {
                return false;
            }
            int length = bytes.u8(at) << 2;
            if (length == 0 || !bytes.has(at, length)) {
                return false;
            }
            next = bytes.u8(at + length - 1);
            at += length;
        }
        return true;
    }
}
