package io.chimera.common.channel;

/**
 * Network address: host and port.
 *
 * @param host name or address; IPv6 without brackets
 * @param port 0 to 65535; for listening, 0 lets the system choose
 */
public record Endpoint(String host, int port) {
    /** Checks the port. */
    public Endpoint {
        if (host.isEmpty() || port < 0 || port > 65_535) {
            throw new IllegalArgumentException("Invalid address: expected host:port with a port of 0 to 65535.");
        }
    }

    /**
     * Parses {@code host:port} or {@code [host]:port}.
     *
     * @param text the address
     * @return the endpoint
     * @throws IllegalArgumentException for any other format
     */
    public static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || text.indexOf('/') >= 0 || !text.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not an address; use host:port, e.g. 127.0.0.1:8086.");
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return new Endpoint(
                bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(text.substring(colon + 1)));
    }

    /** Returns whether the address is reachable only from this machine. Never resolves a name. */
    public boolean isLoopback() {
        return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
