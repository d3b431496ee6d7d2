package io.chimera.dataset.source.xrootd.wire;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Host and port of a server.
 *
 * @param host lower-case name or address; an IPv6 address without brackets
 * @param port 1 to 65,535
 */
public record ServerAddress(String host, int port) {
    /** Port of the protocol. */
    public static final int PORT_DEFAULT = 1094;

    private static final int PORT_MAX = 65_535;
    private static final Pattern NAME = Pattern.compile("[a-z0-9._-]{1,253}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-f:.]{2,45}(%[a-z0-9._-]{1,32})?");

    /** Servers write IPv4 addresses as IPv6 addresses, mapped or compatible. */
    private static final Pattern IPV4_IN_IPV6 = Pattern.compile("::(?:ffff:)?(\\d{1,3}(?:\\.\\d{1,3}){3})");

    /**
     * Checks the values.
     *
     * @param host name or address
     * @param port 1 to 65,535
     */
    public ServerAddress {
        host = host.toLowerCase(Locale.ROOT);
        var ipv4 = IPV4_IN_IPV6.matcher(host);
        if (ipv4.matches()) {
            host = ipv4.group(1);
        }
        if (!NAME.matcher(host).matches()
                && !(host.indexOf(':') >= 0 && IPV6.matcher(host).matches())) {
            throw new IllegalArgumentException("the host is not a name or address");
        }
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("port " + port + "; expected 1 to " + PORT_MAX);
        }
    }

    /**
     * Parses {@code host}, {@code host:port}, {@code [ipv6]} or {@code [ipv6]:port}.
     *
     * @param text the text
     * @param portDefault port of a text without a port
     * @throws IllegalArgumentException for another text; the message does not contain the text
     */
    public static ServerAddress parse(String text, int portDefault) {
        int hostEnd;
        String host;
        if (text.startsWith("[")) {
            int bracket = text.indexOf(']');
            if (bracket < 0) {
                throw new IllegalArgumentException("a bracket of the host is not closed");
            }
            host = text.substring(1, bracket);
            if (host.indexOf(':') < 0) {
                throw new IllegalArgumentException("brackets without an IPv6 address");
            }
            hostEnd = bracket + 1;
        } else {
            int colon = text.indexOf(':');
            hostEnd = colon < 0 ? text.length() : colon;
            host = text.substring(0, hostEnd);
        }
        if (hostEnd == text.length()) {
            return new ServerAddress(host, portDefault);
        }
        if (text.charAt(hostEnd) != ':') {
            throw new IllegalArgumentException("text follows the host");
        }
        try {
            return new ServerAddress(host, Integer.parseInt(text, hostEnd + 1, text.length(), 10));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the port is not a number", e);
        }
    }

    /** Returns {@code host:port}, an IPv6 address in brackets. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
