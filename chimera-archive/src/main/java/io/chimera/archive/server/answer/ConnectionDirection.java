package io.chimera.archive.server.answer;

/**
 * One direction of a connection: IP packets with the same ends and protocol.
 *
 * @param source source address
 * @param sourcePort source port; 0 if the protocol has none
 * @param destination destination address
 * @param destinationPort destination port; 0 if the protocol has none
 * @param protocol IP protocol number
 * @param firstNs time of the first packet, ns since 1970
 * @param lastNs time of the last packet, ns since 1970
 * @param packets number of packets
 */
public record ConnectionDirection(
        String source,
        int sourcePort,
        String destination,
        int destinationPort,
        int protocol,
        long firstNs,
        long lastNs,
        long packets) {
    /** Returns the identity of the connection. */
    public Ends ends() {
        return new Ends(source, sourcePort, destination, destinationPort, protocol);
    }

    /** Identity of a connection: both ends and the protocol. */
    public record Ends(String source, int sourcePort, String destination, int destinationPort, int protocol) {}

    /** Merges two observations of the same connection. */
    public ConnectionDirection plus(ConnectionDirection other) {
        return new ConnectionDirection(
                source,
                sourcePort,
                destination,
                destinationPort,
                protocol,
                Math.min(firstNs, other.firstNs),
                Math.max(lastNs, other.lastNs),
                packets + other.packets);
    }
}
