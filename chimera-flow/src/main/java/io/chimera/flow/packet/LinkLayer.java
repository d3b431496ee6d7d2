package io.chimera.flow.packet;

import io.chimera.api.HotPath;

/**
 * Locates the IP header in a frame, after Ethernet or another link layer, VLAN tags, MPLS labels and PPP. Link types
 * have the numbers of pcap files.
 */
final class LinkLayer {
    static final int NULL = 0;
    static final int ETHERNET = 1;
    static final int PPP = 9;
    static final int RAW_BSD = 12;
    static final int RAW_OPENBSD = 14;
    static final int PPP_SERIAL = 50;
    static final int RAW = 101;
    static final int CISCO_HDLC = 104;
    static final int LOOP = 108;
    static final int LINUX_SLL = 113;
    static final int IPV4 = 228;
    static final int IPV6 = 229;
    static final int LINUX_SLL2 = 276;

    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86DD;
    private static final int TYPE_VLAN = 0x8100;
    private static final int TYPE_PROVIDER_VLAN = 0x88A8;
    private static final int TYPE_OLD_QINQ = 0x9100;
    private static final int TYPE_MPLS = 0x8847;
    private static final int TYPE_MPLS_MULTICAST = 0x8848;
    private static final int TYPE_PPPOE = 0x8864;
    /** Smallest Ethernet type; smaller values are the length of an 802.3 frame. */
    private static final int TYPE_MIN = 0x0600;
    /** Marks an unsupported protocol; not an Ethernet type. */
    private static final int TYPE_OTHER = 0xFFFF;

    private static final int ETHERNET_LENGTH = 14;
    private static final int SNAP_LENGTH = 8;
    private static final int SNAP = 0xAAAA03;
    private static final int TAGS_MAX = 16;

    private PacketBytes bytes;
    private int at;
    private int type;
    private int vlanTags;
    private int vlan;
    private int customerVlan;
    private int mplsLabel;

    static boolean isKnown(int linkType) {
        return switch (linkType) {
            case NULL,
                    ETHERNET,
                    PPP,
                    RAW_BSD,
                    RAW_OPENBSD,
                    PPP_SERIAL,
                    RAW,
                    CISCO_HDLC,
                    LOOP,
                    LINUX_SLL,
                    IPV4,
                    IPV6,
                    LINUX_SLL2 -> true;
            default -> false;
        };
    }

    /** Index of the IP header. */
    int at() {
        return at;
    }

    /** IP version declared by the frame. */
    int ipVersion() {
        return type == TYPE_IPV4 ? 4 : 6;
    }

    /** Outermost VLAN; 0 without a tag. */
    int vlan() {
        return vlan;
    }

    /** Second VLAN tag; 0 without one. */
    int customerVlan() {
        return customerVlan;
    }

    /** Topmost MPLS label; 0 without one. */
    int mplsLabel() {
        return mplsLabel;
    }

    /**
     * Decodes the headers of a frame before IP.
     *
     * @param linkType a known link type
     * @param tci TCI of a VLAN tag already removed from the frame
     * @param isTagged whether a tag was removed
     */
    @HotPath
    PacketOutcome decode(PacketBytes frame, int start, int linkType, int tci, boolean isTagged) {
        bytes = frame;
        at = start;
        vlanTags = isTagged ? 1 : 0;
        vlan = isTagged ? tci & 0xFFF : 0;
        customerVlan = 0;
        mplsLabel = 0;
        return linkType == ETHERNET ? ethernet() : other(linkType);
    }

    private PacketOutcome ethernet() {
        if (!bytes.has(at, ETHERNET_LENGTH)) {
            return PacketOutcome.LINK_TRUNCATED;
        }
        type = bytes.u16(at + ETHERNET_LENGTH - 2);
        at += ETHERNET_LENGTH;
        return type == TYPE_IPV4 ? PacketOutcome.IP : tags();
    }

    private PacketOutcome other(int linkType) {
        return switch (linkType) {
            case RAW, RAW_BSD, RAW_OPENBSD -> raw();
            case IPV4 -> is(TYPE_IPV4);
            case IPV6 -> is(TYPE_IPV6);
            case NULL, LOOP -> family();
            case LINUX_SLL -> behind(16, 14);
            case LINUX_SLL2 -> behind(20, 0);
            case CISCO_HDLC -> behind(4, 2);
            case PPP, PPP_SERIAL -> pppFrame();
            default -> PacketOutcome.NOT_IP;
        };
    }

    private PacketOutcome is(int newType) {
        type = newType;
        return PacketOutcome.IP;
    }

    /** Raw IP: the first nibble is the IP version. */
    private PacketOutcome raw() {
        if (!bytes.has(at, 1)) {
            return PacketOutcome.LINK_TRUNCATED;
        }
        type = typeOfVersion(bytes.u8(at) >> 4);
        return type == TYPE_OTHER ? PacketOutcome.NOT_IP : PacketOutcome.IP;
    }

    private static int typeOfVersion(int version) {
        return version == 4 ? TYPE_IPV4 : version == 6 ? TYPE_IPV6 : TYPE_OTHER;
    }

    /** BSD loopback: an address family, in the byte order of the capturing machine. */
    private PacketOutcome family() {
        if (!bytes.has(at, 4)) {
            return PacketOutcome.LINK_TRUNCATED;
        }
        int family = bytes.u32(at);
        at += 4;
        return switch ((family & 0xFFFF) == 0 ? Integer.reverseBytes(family) : family) {
            case 2 -> is(TYPE_IPV4);
            case 10, 24, 28, 30 -> is(TYPE_IPV6); // Linux; NetBSD and OpenBSD; FreeBSD; macOS
            default -> PacketOutcome.NOT_IP;
        };
    }

    /** Skips a header and reads only its Ethernet type. */
    private PacketOutcome behind(int headerLength, int typeAt) {
        if (!bytes.has(at, headerLength)) {
            return PacketOutcome.LINK_TRUNCATED;
        }
        type = bytes.u16(at + typeAt);
        at += headerLength;
        return tags();
    }

    private PacketOutcome pppFrame() {
        if (!bytes.has(at, 4)) {
            return PacketOutcome.LINK_TRUNCATED;
        }
        int first = bytes.u8(at);
        if (first == 0x0F || first == 0x8F) {
            return behind(4, 2); // Cisco HDLC in files declared as PPP
        }
        at += bytes.u16(at) == 0xFF03 ? 2 : 0;
        return ppp() ? tags() : PacketOutcome.TAG_TRUNCATED;
    }

    /** Skips the tags and labels between link layer and IP. */
    private PacketOutcome tags() {
        for (int i = 0; i < TAGS_MAX; i++) {
            boolean isWhole;
            switch (type) {
                case TYPE_IPV4, TYPE_IPV6 -> {
                    return PacketOutcome.IP;
                }
                case TYPE_VLAN, TYPE_PROVIDER_VLAN, TYPE_OLD_QINQ -> isWhole = vlanTag();
                case TYPE_MPLS, TYPE_MPLS_MULTICAST -> isWhole = label();
                case TYPE_PPPOE -> isWhole = pppoe();
                default -> {
                    if (type >= TYPE_MIN || !bytes.has(at, SNAP_LENGTH) || bytes.u32(at) >>> 8 != SNAP) {
                        return PacketOutcome.NOT_IP;
                    }
                    type = bytes.u16(at + SNAP_LENGTH - 2);
                    at += SNAP_LENGTH;
                    isWhole = true;
                }
            }
            if (!isWhole) {
                return PacketOutcome.TAG_TRUNCATED;
            }
        }
        return PacketOutcome.TAGS_TOO_MANY;
    }

    private boolean vlanTag() {
        if (!bytes.has(at, 4)) {
            return false;
        }
        int id = bytes.u16(at) & 0xFFF;
        if (vlanTags == 0) {
            vlan = id;
        } else if (vlanTags == 1) {
            customerVlan = id;
        }
        vlanTags++;
        type = bytes.u16(at + 2);
        at += 4;
        return true;
    }

    /**
     * Skips an MPLS label. After the last label of a stack, the first nibble identifies the next header; 0 is a control
     * word followed by Ethernet.
     */
    private boolean label() {
        if (!bytes.has(at, 5)) {
            return false;
        }
        int entry = bytes.u32(at);
        mplsLabel = mplsLabel == 0 ? entry >>> 12 : mplsLabel;
        at += 4;
        if ((entry & 0x100) == 0) {
            return true;
        }
        int version = bytes.u8(at) >> 4;
        if (version != 0) {
            type = typeOfVersion(version);
            return true;
        }
        if (!bytes.has(at, 4 + ETHERNET_LENGTH)) {
            return false;
        }
        type = bytes.u16(at + 4 + ETHERNET_LENGTH - 2);
        at += 4 + ETHERNET_LENGTH;
        return true;
    }

    private boolean pppoe() {
        if (!bytes.has(at, 8)) {
            return false;
        }
        at += 6;
        return ppp();
    }

    /** Reads a PPP protocol number: two bytes, or a single odd byte. */
    private boolean ppp() {
        if (!bytes.has(at, 2)) {
            return false;
        }
        int first = bytes.u8(at);
        int protocol = (first & 1) == 1 ? first : bytes.u16(at);
        at += (first & 1) == 1 ? 1 : 2;
        type = switch (protocol) {
            case 0x0021 -> TYPE_IPV4;
            case 0x0057 -> TYPE_IPV6;
            case 0x0281 -> TYPE_MPLS;
            case 0x0283 -> TYPE_MPLS_MULTICAST;
            default -> TYPE_OTHER;
        };
        return true;
    }
}
