package io.chimera.apps.forensics;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Address ranges of the inside network. */
public final class InsideNets {
    /** Private address ranges of IPv4 and IPv6. */
    public static final List<String> DEFAULT = List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7");

    private final List<Net> nets;

    private record Net(BigInteger address, int bytes, int hostBits) {
        boolean holds(byte[] other) {
            return other.length == bytes
                    && new BigInteger(1, other).shiftRight(hostBits).equals(address.shiftRight(hostBits));
        }
    }

    /**
     * Parses address ranges.
     *
     * @param texts ranges such as {@code 10.0.0.0/8}, or single addresses
     * @throws IllegalArgumentException when a text is no address range
     */
    public InsideNets(List<String> texts) {
        nets = texts.stream().map(InsideNets::net).toList();
    }

    private static Net net(String text) {
        int slash = text.indexOf('/');
        byte[] address = bytes(slash < 0 ? text : text.substring(0, slash));
        int bits = 8 * address.length;
        int length = slash < 0 ? bits : number(text, text.substring(slash + 1));
        if (length < 0 || length > bits) {
            throw new IllegalArgumentException(text + " is no address range; expected e.g. 10.0.0.0/8.");
        }
        return new Net(new BigInteger(1, address), address.length, bits - length);
    }

    private static int number(String text, String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " is no address range; expected e.g. 10.0.0.0/8.", e);
        }
    }

    private static byte[] bytes(String text) {
        // getByName would resolve a host name through DNS; it never resolves a literal address
        if (!text.matches("[0-9.]+|[0-9a-fA-F.]*:[0-9a-fA-F:.]*")) {
            throw new IllegalArgumentException(text + " is no IP address.");
        }
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + " is no IP address.", e);
        }
    }

    /** Whether an address is inside. */
    public boolean holds(String address) {
        byte[] bytes = bytes(address);
        return nets.stream().anyMatch(net -> net.holds(bytes));
    }
}
