package io.chimera.archive.server.answer;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Format of an answer. */
public enum AnswerFormat {
    /** Capture file with times in nanoseconds; packets only. */
    PCAP("application/vnd.tcpdump.pcap"),
    /** One JSON object per packet or data point, one per line, and a last object with the query's statistics. */
    JSON("application/x-ndjson"),
    /** One human-readable line per packet or data point. */
    TEXT("text/plain; charset=utf-8"),
    /**
     * One JSON object per direction of a connection, one per line, with the times of the first and last packet, and a
     * last object with the query's statistics; packets only.
     */
    CONNECTIONS("application/x-ndjson"),
    /** Number of matches and the query's statistics as one JSON object. */
    COUNT("application/json"),
    /** Packets for another archive node, see {@link PeerParts}. */
    PACKETS("application/vnd.chimera.packets"),
    /** Data points for another archive node, see {@link PeerParts}. */
    POINTS("application/vnd.chimera.points");

    private final String contentType;

    AnswerFormat(String contentType) {
        this.contentType = contentType;
    }

    /** Returns the value of the HTTP header Content-Type. */
    public String contentType() {
        return contentType;
    }

    /** Whether the format holds packets only and cannot hold data points. */
    public boolean isOfPackets() {
        return this == PCAP || this == CONNECTIONS || this == PACKETS;
    }

    /** Whether the format is the transfer format between archive nodes. */
    public boolean isForPeer() {
        return this == PACKETS || this == POINTS;
    }

    /** Returns the format with a name, e.g. {@code pcap}. */
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
