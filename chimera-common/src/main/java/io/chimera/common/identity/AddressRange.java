package io.chimera.common.identity;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Range of addresses in CIDR notation.
 *
 * @param network fixed bits, followed by zeros
 * @param bits number of fixed bits
 * @param width 32 or 128
 */
public record AddressRange(BigInteger network, int bits, int width) {
    /**
     * Parses {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single address.
     *
     * @throws IllegalArgumentException for another format
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        if (!address.matches("[0-9.]{7,15}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            throw illegal(text); // names are never resolved
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            int width = bytes.length * 8;
            int bits = slash < 0 ? width : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > width) {
                throw illegal(text);
            }
            return new AddressRange(masked(bytes, bits), bits, width);
        } catch (UnknownHostException | NumberFormatException e) {
            throw illegal(text);
        }
    }

    private static IllegalArgumentException illegal(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not an address range; use an address or CIDR, e.g. 10.0.0.0/8 or 2001:db8::/32");
    }

    private static BigInteger masked(byte[] bytes, int bits) {
        int free = bytes.length * 8 - bits;
        return new BigInteger(1, bytes).shiftRight(free).shiftLeft(free);
    }

    /** Returns whether the range contains an address. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length * 8 == width && masked(bytes, bits).equals(network);
    }
}
