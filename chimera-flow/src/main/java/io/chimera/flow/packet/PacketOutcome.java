package io.chimera.flow.packet;

/** Outcome of the {@link PacketDecoder} for a packet. All outcomes except the first two are malformed packets. */
public enum PacketOutcome {
    /** The packet is IP and has a key. */
    IP(0, "ip"),
    /** The packet is not IP (ARP, spanning tree and similar protocols) and intact as far as decoded. */
    NOT_IP(1, "not_ip"),
    /** The frame ends within the link layer header. */
    LINK_TRUNCATED(2, "link_truncated"),
    /** The frame ends within a VLAN tag, an MPLS label, or the header of PPPoE or PPP. */
    TAG_TRUNCATED(3, "tag_truncated"),
    /** The packet has too many tags and labels. */
    TAGS_TOO_MANY(4, "tags_too_many"),
    /** The frame ends within the IP header or its options. */
    IP_TRUNCATED(5, "ip_truncated"),
    /** The IP version differs from the version declared by the frame, or the header is too short. */
    IP_HEADER_BAD(6, "ip_header_bad"),
    /** The length of an IPv4 packet is less than the length of its header. */
    IP_LENGTH_BAD(7, "ip_length_bad"),
    /** The frame ends within an IPv6 extension header. */
    EXTENSION_TRUNCATED(8, "extension_truncated"),
    /** The packet has too many extension headers. */
    EXTENSIONS_TOO_MANY(9, "extensions_too_many"),
    /** The frame or the IP packet ends before the ports or the ICMP type and code. */
    TRANSPORT_TRUNCATED(10, "transport_truncated");

    private static final PacketOutcome[] ALL = values();

    private final int code;
    private final String text;

    PacketOutcome(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** Code in tuples: 0 to {@link #count} - 1. */
    public int code() {
        return code;
    }

    /** Name in reports. */
    public String text() {
        return text;
    }

    /** Returns whether the packet is damaged or truncated. */
    public boolean isMalformed() {
        return this != IP && this != NOT_IP;
    }

    /** Number of outcomes. */
    public static int count() {
        return ALL.length;
    }

    /** Returns the outcome with a code. */
    public static PacketOutcome of(int code) {
        return ALL[code];
    }
}
