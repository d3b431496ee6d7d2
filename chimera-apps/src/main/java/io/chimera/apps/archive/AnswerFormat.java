package io.chimera.apps.archive;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** How an answer is written. */
public enum AnswerFormat {
    /** A capture file with times in nanoseconds; of packets only. */
    PCAP("application/vnd.tcpdump.pcap"),
    /** A JSON object per packet or data point, one a line, and one at the end of what the query did. */
    JSON("application/x-ndjson"),
    /** A line per packet or data point, for people. */
    TEXT("text/plain; charset=utf-8"),
    /**
     * A JSON object for each direction of a connection, one a line, with the times of its first and last packet, and one at the end of
     * what the query did; of packets only.
     */
    CONNECTIONS("application/x-ndjson"),
    /** How many, as one JSON object, with what the query did. */
    COUNT("application/json"),
    /** Packets as one archive node sends them to another, see {@link PeerParts}. */
    PACKETS("application/vnd.chimera.packets"),
    /** Data points as one archive node sends them to another. */
    POINTS("application/vnd.chimera.points");

    private final String contentType;

    AnswerFormat(String contentType) {
        this.contentType = contentType;
    }

    /** As HTTP names it. */
    public String contentType() {
        return contentType;
    }

    /** Whether data points cannot be answered with so. */
    public boolean isOfPackets() {
        return this == PCAP || this == CONNECTIONS || this == PACKETS;
    }

    /** Whether one archive node sends an answer to another so. */
    boolean isForPeer() {
        return this == PACKETS || this == POINTS;
    }

    /** The format of a name, e.g. {@code pcap}. */
    public static Optional<AnswerFormat> of(String name) {
        return Stream.of(values())
                .filter(format -> format.toString().equals(name))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
