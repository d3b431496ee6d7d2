package io.chimera.common.packet;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/** Makes the bytes of packets, from the inside out, for tests. */
public final class Frames {
    /** Ethernet types. */
    public static final int IPV4 = 0x0800;

    /** Ethernet type. */
    public static final int IPV6 = 0x86DD;

    /** Ethernet type. */
    public static final int VLAN = 0x8100;

    /** Ethernet type. */
    public static final int PROVIDER_VLAN = 0x88A8;

    /** Ethernet type. */
    public static final int MPLS = 0x8847;

    /** TCP flags. */
    public static final int FIN = 1;

    /** TCP flags. */
    public static final int SYN = 2;

    /** TCP flags. */
    public static final int RST = 4;

    /** TCP flags. */
    public static final int ACK = 16;

    private static final byte[] MACS = join("020000000001 020000000002");

    private Frames() {}

    /** Bytes one behind the other; numbers are single bytes, pairs of hexadecimal digits are bytes, arrays are themselves. */
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

    /** Two bytes. */
    public static byte[] u16(int value) {
        return new byte[] {(byte) (value >> 8), (byte) value};
    }

    /** Four bytes. */
    public static byte[] u32(int value) {
        return join(u16(value >>> 16), u16(value));
    }

    /** An address, in its 4 or 16 bytes. */
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

    /** What follows the type of a VLAN tag. */
    public static byte[] tag(int id, int type, byte[] payload) {
        return join(u16(0x6000 | id), u16(type), payload);
    }

    /** An MPLS label and what is behind it. */
    public static byte[] label(int label, boolean isLast, byte[] payload) {
        return join(u32(label << 12 | (isLast ? 0x100 : 0) | 64), payload);
    }

    /** An IPv4 packet. */
    public static byte[] ipv4(String source, String destination, int protocol, byte[] payload) {
        return ipv4(source, destination, protocol, 0, payload);
    }

    /**
     * An IPv4 packet that may be a fragment.
     *
     * @param fragment offset in units of 8 bytes, with 0x2000 when there are more
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

    /** An extension header of 8 bytes and what is behind it. */
    public static byte[] extension(int nextHeader, byte[] payload) {
        return join(nextHeader, 0, "000000000000", payload);
    }

    /** The fragment header of IPv6; the offset is in units of 8 bytes. */
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
