package io.chimera.common.packet;

/** What became of a packet in the {@link PacketDecoder}. All but the first two are malformed. */
public enum PacketOutcome {
    /** It is IP and has a key. */
    IP("ip"),
    /** It is whole, as far as was looked, and not IP: ARP, spanning tree and the like. */
    NOT_IP("not_ip"),
    /** The frame ends within the header of the link layer. */
    LINK_TRUNCATED("link_truncated"),
    /** The frame ends within a VLAN tag, an MPLS label, or the header of PPPoE or PPP. */
    TAG_TRUNCATED("tag_truncated"),
    /** More tags and labels one behind the other than are followed. */
    TAGS_TOO_MANY("tags_too_many"),
    /** The frame ends within the header of IP, or its options. */
    IP_TRUNCATED("ip_truncated"),
    /** Another version of IP than the frame says, or a header shorter than the shortest. */
    IP_HEADER_BAD("ip_header_bad"),
    /** The length of an IPv4 packet is less than that of its header. */
    IP_LENGTH_BAD("ip_length_bad"),
    /** The frame ends within an extension header of IPv6. */
    EXTENSION_TRUNCATED("extension_truncated"),
    /** More extension headers than are followed. */
    EXTENSIONS_TOO_MANY("extensions_too_many"),
    /** The frame, or the IP packet, ends ahead of the ports, or of the type of ICMP. */
    TRANSPORT_TRUNCATED("transport_truncated");

    private static final PacketOutcome[] ALL = values();

    private final String text;

    PacketOutcome(String text) {
        this.text = text;
    }

    /** As it is written in reports. */
    public String text() {
        return text;
    }

    /** Whether the packet is damaged, or was cut too short. */
    public boolean isMalformed() {
        return this != IP && this != NOT_IP;
    }

    /** Number of outcomes: those of {@link #ordinal} are below. */
    public static int count() {
        return ALL.length;
    }

    /** The outcome with an ordinal. */
    public static PacketOutcome of(int ordinal) {
        return ALL[ordinal];
    }
}
