package io.chimera.flow.packet;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/** Builds packets from the inside out, for tests. */
public final class PacketBuilder {
    /** Ethernet type. */
    public static final int IPV4 = 0x0800;

    /** Ethernet type. */
    public static final int IPV6 = 0x86DD;

    /** Ethernet type. */
    public static final int VLAN = 0x8100;

    /** Ethernet type. */
    public static final int PROVIDER_VLAN = 0x88A8;

    /** Ethernet type. */
    public static final int MPLS = 0x8847;

    /** TCP flag. */
    public static final int FIN = 1;

    /** TCP flag. */
    public static final int SYN = 2;

    /** TCP flag. */
    public static final int RST = 4;

    /** TCP flag. */
    public static final int ACK = 16;

    private static final byte[] MACS = join("020000000001 020000000002");

    private PacketBuilder() {}

    /** Concatenates bytes: numbers are single bytes, strings are pairs of hexadecimal digits, arrays are copied. */
    public static byte[] join(Object... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (Object part : parts) {
            if (part instanceof byte[] bytes) {
                joined.writeBytes(bytes);
            } else if (part instanceof Integer number) {
                joined.write(number);
            } else {
                joined.writeBytes(HexFormat.of().parseHex(part.toString().replace(" ", "")));
            }
        }
        return joined.toByteArray();
    }

    /** Encodes two bytes. */
    public static byte[] u16(int value) {
        return new byte[] {(byte) (value >> 8), (byte) value};
    }

    /** Encodes four bytes. */
    public static byte[] u32(int value) {
        return join(u16(value >>> 16), u16(value));
    }

    /** Encodes an address to 4 or 16 bytes. */
    public static byte[] address(String text) {
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** An Ethernet frame. */
    public static byte[] ethernet(int type, byte[] payload) {
        return join(MACS, u16(type), payload);
    }

    /** Builds the content of a VLAN tag after its type, followed by a payload. */
    public static byte[] tag(int id, int type, byte[] payload) {
        return join(u16(0x6000 | id), u16(type), payload);
    }

    /** Builds an MPLS label followed by a payload. */
    public static byte[] label(int label, boolean isLast, byte[] payload) {
        return join(u32(label << 12 | (isLast ? 0x100 : 0) | 64), payload);
    }

    /** An IPv4 packet. */
    public static byte[] ipv4(String source, String destination, int protocol, byte[] payload) {
        return ipv4(source, destination, protocol, 0, payload);
    }

    /**
     * Builds an IPv4 packet, possibly a fragment.
     *
     * @param fragment offset in units of 8 bytes, with 0x2000 for more fragments
     */
    public static byte[] ipv4(String source, String destination, int protocol, int fragment, byte[] payload) {
        return join(
                0x45,
                0,
                u16(20 + payload.length),
                u16(1),
                u16(fragment),
                64,
                protocol,
                u16(0),
                address(source),
                address(destination),
                payload);
    }

    /** An IPv6 packet; the payload begins with extension headers if the next header is one. */
    public static byte[] ipv6(String source, String destination, int nextHeader, byte[] payload) {
        return join(
                0x60, 0, u16(0), u16(payload.length), nextHeader, 64, address(source), address(destination), payload);
    }

    /** Builds an extension header of 8 bytes followed by a payload. */
    public static byte[] extension(int nextHeader, byte[] payload) {
        return join(nextHeader, 0, "000000000000", payload);
    }

    /** Builds an IPv6 fragment header followed by a payload; the offset is in units of 8 bytes. */
    public static byte[] fragment(int nextHeader, int offset, boolean hasMore, byte[] payload) {
        return join(nextHeader, 0, u16(offset << 3 | (hasMore ? 1 : 0)), u32(7), payload);
    }

    /** A UDP datagram. */
    public static byte[] udp(int source, int destination, byte[] payload) {
        return join(u16(source), u16(destination), u16(8 + payload.length), u16(0), payload);
    }

    /** A TCP segment. */
    public static byte[] tcp(int source, int destination, int flags, byte[] payload) {
        return join(u16(source), u16(destination), u32(1), u32(1), 0x50, flags, u16(1024), u16(0), u16(0), payload);
    }

    /** An ICMP message, of either version. */
    public static byte[] icmp(int type, int code) {
        return join(type, code, u16(0), u32(1));
    }
}
