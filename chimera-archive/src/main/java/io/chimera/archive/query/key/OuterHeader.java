package io.chimera.archive.query.key;

import io.chimera.api.HotPath;
import io.chimera.archive.query.condition.FrameBytes;
import io.chimera.archive.query.condition.LinkTypes;
import org.jspecify.annotations.Nullable;

/**
 * Finds the network header of a frame after VLAN tags, a PPPoE session and MPLS labels, at the place used by filters.
 */
final class OuterHeader {
    static final int IPV4 = 0x0800;
    static final int IPV6 = 0x86DD;
    /** ARP or RARP. */
    static final int ARP = 0x0806;
    /** Any protocol without keys. */
    static final int OTHER = 0;

    private static final int RARP = 0x8035;
    private static final int VLAN = 0x8100;
    private static final int PROVIDER_VLAN = 0x88A8;
    private static final int OLD_QINQ = 0x9100;
    private static final int MPLS = 0x8847;
    private static final int PPPOE = 0x8864;

    private static final int PPP_IPV4 = 0x0021;
    private static final int PPP_IPV6 = 0x0057;
    private static final int PPP_MPLS = 0x0281;

    private final int linkType;
    private final int headerLength;
    private final int typeAt;
    private int protocol;

    /** Creates the finder for a link type; for an unknown link type, no header is found. */
    OuterHeader(int linkType) {
        this.linkType = linkType;
        headerLength = LinkTypes.headerLength(linkType);
        typeAt = LinkTypes.typeAt(linkType);
    }

    /** Returns the protocol found by {@link #find}. */
    int protocol() {
        return protocol;
    }

    /** Returns the index of the network header; {@link #protocol} returns its protocol. */
    @HotPath
    int find(byte @Nullable [] array, long address, int captured) {
        switch (linkType) {
            case LinkTypes.ETHERNET, LinkTypes.LINUX_SLL, LinkTypes.LINUX_SLL2 -> {
                protocol = captured < headerLength ? OTHER : FrameBytes.u16(array, address + typeAt);
                return behindTags(array, address, captured);
            }
            case LinkTypes.RAW -> protocol = byVersion(array, address, captured, 0);
            case LinkTypes.IPV4 -> protocol = IPV4;
            case LinkTypes.IPV6 -> protocol = IPV6;
            default -> protocol = OTHER;
        }
        return 0;
    }

    private int behindTags(byte @Nullable [] array, long address, int captured) {
        int at = headerLength;
        for (int i = 0; i <= PacketKeys.SHIFTS_MAX; i++) {
            switch (protocol) {
                case IPV4, IPV6, ARP -> {
                    return at;
                }
                case RARP -> {
                    protocol = ARP;
                    return at;
                }
                case VLAN, PROVIDER_VLAN, OLD_QINQ -> {
                    protocol = captured < at + 4 ? OTHER : FrameBytes.u16(array, address + at + 2);
                    at += 4;
                }
                case PPPOE -> {
                    protocol = captured < at + 8 ? OTHER : ofPpp(FrameBytes.u16(array, address + at + 6));
                    at += 8;
                }
                case MPLS -> {
                    boolean isCut = captured < at + 4;
                    boolean isLast = !isCut && (FrameBytes.u8(array, address + at + 2) & 1) == 1;
                    at += 4;
                    protocol = isCut ? OTHER : isLast ? byVersion(array, address, captured, at) : MPLS;
                }
                default -> {
                    protocol = OTHER;
                    return at;
                }
            }
        }
        protocol = OTHER;
        return at;
    }

    private static int ofPpp(int number) {
        return switch (number) {
            case PPP_IPV4 -> IPV4;
            case PPP_IPV6 -> IPV6;
            case PPP_MPLS -> MPLS;
            default -> OTHER;
        };
    }

    private static int byVersion(byte @Nullable [] array, long address, int captured, int at) {
        int version = at < captured ? FrameBytes.u8(array, address + at) >> 4 : 0;
        return version == 4 ? IPV4 : version == 6 ? IPV6 : OTHER;
    }
}
