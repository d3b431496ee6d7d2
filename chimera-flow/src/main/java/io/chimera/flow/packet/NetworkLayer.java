package io.chimera.flow.packet;

import io.chimera.api.HotPath;
import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/** Decodes IP headers and ports into a tuple, and locates the payload as a possible tunnel. */
final class NetworkLayer {
    static final int ICMP = 1;
    static final int IPV4_IN_IP = 4;
    static final int TCP = 6;
    static final int UDP = 17;
    static final int IPV6_IN_IP = 41;
    static final int GRE = 47;

    private static final int DCCP = 33;
    private static final int ICMPV6 = 58;
    private static final int SCTP = 132;
    private static final int UDP_LITE = 136;

    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int EXTENSIONS_MAX = 16;

    private static final int IPV4_LENGTH = 20;
    private static final int IPV6_LENGTH = 40;
    private static final int TCP_FLAGS_AT = 13;

    /** Bytes before an IPv4 address mapped to IPv6: 00 00 ff ff. */
    private static final int MAPPED = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0xFFFF_0000 : 0x0000_FFFF;

    private PacketBytes bytes;
    private long tuple;
    private int payloadAt;
    private int payloadProtocol;

    /** Index of the IP payload. */
    int payloadAt() {
        return payloadAt;
    }

    /** Protocol of the IP payload; -1 for a later fragment, because its payload cannot be decoded. */
    int payloadProtocol() {
        return payloadProtocol;
    }

    /**
     * Decodes an IP packet.
     *
     * @param frame the whole frame
     * @param at index of the IP header
     * @param version IP version declared by the lower layer
     * @param onWire number of bytes on the wire from the IP header on
     * @param into address of a tuple; addresses, ports and IP bytes are written
     */
    @HotPath
    PacketOutcome decode(PacketBytes frame, int at, int version, int onWire, long into) {
        bytes = frame;
        tuple = into;
        return version == 4 ? ipv4(at, onWire) : ipv6(at, onWire);
    }

    private PacketOutcome ipv4(int at, int onWire) {
        if (!bytes.has(at, IPV4_LENGTH)) {
            return PacketOutcome.IP_TRUNCATED;
        }
        int first = bytes.u8(at);
        int headerLength = (first & 0xF) << 2;
        if (first >> 4 != 4 || headerLength < IPV4_LENGTH) {
            return PacketOutcome.IP_HEADER_BAD;
        }
        if (!bytes.has(at, headerLength)) {
            return PacketOutcome.IP_TRUNCATED;
        }
        int said = bytes.u16(at + 2);
        int total = said == 0 ? onWire : said; // 0: longer than 16 bits allow, to be segmented by the network card
        if (total < headerLength) {
            return PacketOutcome.IP_LENGTH_BAD;
        }
        address4(at + 12, PacketTuple.SOURCE_ADDRESS);
        address4(at + 16, PacketTuple.DESTINATION_ADDRESS);
        UnsafeApi.putByte(tuple + PacketTuple.IP_VERSION, (byte) 4);
        UnsafeApi.putInt(tuple + PacketTuple.IP_BYTES, total);
        bytes.endAt(at + total);
        int fragment = bytes.u16(at + 6) & 0x3FFF;
        return transport(bytes.u8(at + 9), at + headerLength, fragment & 0x1FFF, (fragment & 0x2000) != 0);
    }

    private void address4(int at, int field) {
        UnsafeApi.putLong(tuple + field, 0);
        UnsafeApi.putInt(tuple + field + 8, MAPPED);
        bytes.copy4(at, tuple + field + 12);
    }

    private PacketOutcome ipv6(int at, int onWire) {
        if (!bytes.has(at, IPV6_LENGTH)) {
            return PacketOutcome.IP_TRUNCATED;
        }
        if (bytes.u8(at) >> 4 != 6) {
            return PacketOutcome.IP_HEADER_BAD;
        }
        int said = bytes.u16(at + 4);
        int total = said == 0
                ? Math.max(onWire, IPV6_LENGTH)
                : IPV6_LENGTH + said; // 0: a jumbogram, or to be segmented by the network card
        bytes.copy16(at + 8, tuple + PacketTuple.SOURCE_ADDRESS);
        bytes.copy16(at + 24, tuple + PacketTuple.DESTINATION_ADDRESS);
        UnsafeApi.putByte(tuple + PacketTuple.IP_VERSION, (byte) 6);
        UnsafeApi.putInt(tuple + PacketTuple.IP_BYTES, total);
        bytes.endAt(at + total);
        return extensions(bytes.u8(at + 6), at + IPV6_LENGTH);
    }

    private PacketOutcome extensions(int firstHeader, int firstAt) {
        int next = firstHeader;
        int at = firstAt;
        boolean isFragment = false;
        for (int i = 0; i < EXTENSIONS_MAX; i++) {
            switch (next) {
                case HOP_BY_HOP, ROUTING, DESTINATION_OPTIONS, AUTHENTICATION, FRAGMENT -> {
                    if (!bytes.has(at, 8)) {
                        return PacketOutcome.EXTENSION_TRUNCATED;
                    }
                    int length = extensionLength(next, at);
                    int offset = next == FRAGMENT ? bytes.u16(at + 2) >> 3 : 0;
                    if (next == FRAGMENT) {
                        isFragment |= offset != 0 || (bytes.u16(at + 2) & 1) != 0;
                    }
                    next = bytes.u8(at);
                    if (!bytes.has(at, length)) {
                        return PacketOutcome.EXTENSION_TRUNCATED;
                    }
                    at += length;
                    if (offset != 0) {
                        return transport(next, at, offset, true);
                    }
                }
                default -> {
                    return transport(next, at, 0, isFragment);
                }
            }
        }
        return PacketOutcome.EXTENSIONS_TOO_MANY;
    }

    private int extensionLength(int header, int at) {
        return switch (header) {
            case FRAGMENT -> 8;
            case AUTHENTICATION -> (bytes.u8(at + 1) + 2) << 2;
            default -> (bytes.u8(at + 1) + 1) << 3;
        };
    }

    private PacketOutcome transport(int protocol, int at, int fragmentOffset, boolean isFragment) {
        UnsafeApi.putByte(tuple + PacketTuple.PROTOCOL, (byte) protocol);
        payloadAt = at;
        payloadProtocol = protocol;
        if (fragmentOffset != 0) {
            payloadProtocol = -1;
            ports(0, 0);
            UnsafeApi.putByte(
                    tuple + PacketTuple.FLAGS, (byte) (PacketTuple.FLAG_FRAGMENT | PacketTuple.FLAG_LATER_FRAGMENT));
            return PacketOutcome.IP;
        }
        if (isFragment) {
            UnsafeApi.putByte(tuple + PacketTuple.FLAGS, (byte) PacketTuple.FLAG_FRAGMENT);
        }
        return switch (protocol) {
            case TCP, UDP, SCTP, DCCP, UDP_LITE -> withPorts(protocol, at);
            case ICMP, ICMPV6 -> icmp(at, protocol == ICMP);
            default -> {
                ports(0, 0);
                yield PacketOutcome.IP;
            }
        };
    }

    private PacketOutcome withPorts(int protocol, int at) {
        if (!bytes.has(at, 4)) {
            return PacketOutcome.TRANSPORT_TRUNCATED;
        }
        int both = bytes.u32(at);
        ports(both >>> 16, both & 0xFFFF);
        if (protocol == TCP && bytes.has(at, TCP_FLAGS_AT + 1)) {
            UnsafeApi.putByte(tuple + PacketTuple.TCP_FLAGS, (byte) bytes.u8(at + TCP_FLAGS_AT));
        }
        return PacketOutcome.IP;
    }

    /** Maps ICMP to ports. A reply gets the reversed ports of its request, so both belong to one flow. */
    private PacketOutcome icmp(int at, boolean isVersion4) {
        if (!bytes.has(at, 2)) {
            return PacketOutcome.TRANSPORT_TRUNCATED;
        }
        int type = bytes.u8(at);
        int code = bytes.u8(at + 1);
        UnsafeApi.putByte(tuple + PacketTuple.ICMP_TYPE, (byte) type);
        UnsafeApi.putByte(tuple + PacketTuple.ICMP_CODE, (byte) code);
        int request = isVersion4 ? requestOf(type) : requestOf6(type);
        if (request < 0) {
            ports(0, type << 8 | code);
        } else {
            ports(request << 8 | code, 0);
        }
        return PacketOutcome.IP;
    }

    /** Request types of echo, timestamp, information and address mask replies. */
    private static int requestOf(int type) {
        return switch (type) {
            case 0 -> 8;
            case 14 -> 13;
            case 16 -> 15;
            case 18 -> 17;
            default -> -1;
        };
    }

    /** Request types of echo, router, neighbour and node information replies. */
    private static int requestOf6(int type) {
        return switch (type) {
            case 129 -> 128;
            case 134 -> 133;
            case 136 -> 135;
            case 140 -> 139;
            default -> -1;
        };
    }

    private void ports(int source, int destination) {
        UnsafeApi.putShort(tuple + PacketTuple.SOURCE_PORT, (short) source);
        UnsafeApi.putShort(tuple + PacketTuple.DESTINATION_PORT, (short) destination);
    }
}
