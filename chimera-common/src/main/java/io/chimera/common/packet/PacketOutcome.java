package io.chimera.common.packet;

/** What became of a packet in the {@link PacketDecoder}. All but the first two are malformed. */
public enum PacketOutcome {
    /** It is IP and has a key. */
    IP(0, "ip"),
    /** It is whole, as far as was looked, and not IP: ARP, spanning tree and the like. */
    NOT_IP(1, "not_ip"),
    /** The frame ends within the header of the link layer. */
    LINK_TRUNCATED(2, "link_truncated"),
    /** The frame ends within a VLAN tag, an MPLS label, or the header of PPPoE or PPP. */
    TAG_TRUNCATED(3, "tag_truncated"),
    /** More tags and labels one behind the other than are followed. */
    TAGS_TOO_MANY(4, "tags_too_many"),
    /** The frame ends within the header of IP, or its options. */
    IP_TRUNCATED(5, "ip_truncated"),
    /** Another version of IP than the frame says, or a header shorter than the shortest. */
    IP_HEADER_BAD(6, "ip_header_bad"),
    /** The length of an IPv4 packet is less than that of its header. */
    IP_LENGTH_BAD(7, "ip_length_bad"),
    /** The frame ends within an extension header of IPv6. */
    EXTENSION_TRUNCATED(8, "extension_truncated"),
    /** More extension headers than are followed. */
    EXTENSIONS_TOO_MANY(9, "extensions_too_many"),
    /** The frame, or the IP packet, ends ahead of the ports, or of the type of ICMP. */
    TRANSPORT_TRUNCATED(10, "transport_truncated");

    private static final PacketOutcome[] ALL = values();

    private final int code;
    private final String text;

    PacketOutcome(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** As it stands in tuples: 0 to {@link #count} - 1. */
    public int code() {
        return code;
    }

    /** As it is written in reports. */
    public String text() {
        return text;
    }

    /** Whether the packet is damaged, or was cut too short. */
    public boolean isMalformed() {
        return this != IP && this != NOT_IP;
    }

    /** Number of outcomes. */
    public static int count() {
        return ALL.length;
    }

    /** The outcome with a code. */
    public static PacketOutcome of(int code) {
        return ALL[code];
    }
}
