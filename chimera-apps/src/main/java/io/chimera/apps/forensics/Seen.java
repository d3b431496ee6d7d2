package io.chimera.apps.forensics;

/**
 * A packet that answers a question.
 *
 * @param timeNs ns since 1970
 * @param source address
 * @param sourcePort 0 where there is none
 * @param destination address
 * @param destinationPort 0 where there is none
 */
public record Seen(long timeNs, String source, int sourcePort, String destination, int destinationPort) {
    /** What tells one connection from another, as its destination sees it. */
    String connection() {
        return source + ":" + sourcePort + " " + destination + ":" + destinationPort;
    }
}
