package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.Condition;
import io.chimera.archive.query.condition.Condition.Shift;
import io.chimera.archive.query.condition.Condition.Test;
import io.chimera.archive.query.condition.FrameNumber;
import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.condition.Relation;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.text.QuestionException;

/**
 * Offsets of the headers in a frame. {@code vlan}, {@code mpls} and {@code pppoes} move the offsets for everything to
 * their right in the question, also after an {@code or} and outside of parentheses, as in libpcap.
 */
final class Layout {
    /** Marker for a term without a number. */
    static final int ANY = -1;

    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86DD;
    private static final int TYPE_VLAN = 0x8100;
    private static final int TYPE_PROVIDER_VLAN = 0x88A8;
    private static final int TYPE_OLD_QINQ = 0x9100;
    private static final int TYPE_MPLS = 0x8847;
    private static final int TYPE_PPPOE_DISCOVERY = 0x8863;
    private static final int TYPE_PPPOE_SESSION = 0x8864;

    private final int linkType;
    private boolean isPpp;
    private boolean isInLabels;
    private boolean isFollowed = true;
    private int headerAt;
    private int typeAt;
    private int payloadAt;
    private int networkAt;
    private int shifts;

    /** Creates the layout for frames of a known link type, see {@link LinkTypes}. */
    Layout(int linkType) {
        this.linkType = linkType;
        typeAt = LinkTypes.typeAt(linkType);
        payloadAt = LinkTypes.headerLength(linkType);
        networkAt = payloadAt;
    }

    /**
     * Returns the number of tags, labels and sessions so far; more than {@link PacketKeys#SHIFTS_MAX} if packet keys do
     * not cover this place.
     */
    int shifts() {
        return isFollowed && shifts <= PacketKeys.SHIFTS_MAX ? shifts : Integer.MAX_VALUE;
    }

    boolean isInLabels() {
        return isInLabels;
    }

    boolean isEthernet() {
        return linkType == LinkTypes.ETHERNET && !isPpp;
    }

    FrameNumber header(int at, int size) {
        return FrameNumber.of(size, headerAt + at);
    }

    /** Returns bytes relative to the network header. */
    FrameNumber network(int at, int size) {
        return FrameNumber.of(size, networkAt + at);
    }

    /** Returns bytes relative to a possible 802.2 header. */
    FrameNumber payload(int at, int size) {
        return FrameNumber.of(size, payloadAt + at);
    }

    /** Returns bytes relative to the end of the IPv4 header. */
    FrameNumber behindIpv4(int at, int size) {
        return new FrameNumber(size, networkAt + at, networkAt);
    }

    FrameNumber type(int at, int size) {
        return FrameNumber.of(size, typeAt + at);
    }

    /**
     * Creates the condition for a protocol on the link layer.
     *
     * @param protocol Ethernet type, or 802.2 access point below 1501
     */
    Condition carries(int protocol) {
        if (isInLabels) {
            return inLabels(protocol);
        }
        if (isPpp) {
            return Condition.equal(type(0, 2), pppProtocol(protocol));
        }
        return switch (linkType) {
            case LinkTypes.ETHERNET -> LinkProtocols.onEthernet(this, protocol);
            case LinkTypes.LINUX_SLL -> LinkProtocols.onCooked(this, protocol);
            case LinkTypes.LINUX_SLL2 -> Condition.equal(type(0, 2), protocol);
            case LinkTypes.RAW ->
                switch (protocol) {
                    case TYPE_IPV4 -> version(header(0, 1), 4);
                    case TYPE_IPV6 -> version(header(0, 1), 6);
                    default -> Condition.FALSE;
                };
            case LinkTypes.IPV4 -> protocol == TYPE_IPV4 ? Condition.TRUE : Condition.FALSE;
            case LinkTypes.IPV6 -> protocol == TYPE_IPV6 ? Condition.TRUE : Condition.FALSE;
            default -> throw new IllegalStateException("Link type " + linkType);
        };
    }

    private static Condition version(FrameNumber load, int version) {
        return Condition.masked(load, 0xF0, version << 4);
    }

    private Condition inLabels(int protocol) {
        if (protocol != TYPE_IPV4 && protocol != TYPE_IPV6) {
            throw new QuestionException(
                    "After MPLS labels only IPv4 and IPv6 are recognized; write this before 'mpls', or test bytes.");
        }
        Condition isLast = Condition.masked(network(-2, 1), 1, 1);
        return Condition.all(isLast, version(network(0, 1), protocol == TYPE_IPV4 ? 4 : 6));
    }

    private static int pppProtocol(int protocol) {
        return switch (protocol) {
            case TYPE_IPV4 -> 0x0021;
            case TYPE_IPV6 -> 0x0057;
            case 0x6003 -> 0x0027; // DECnet
            case 0x809B -> 0x0029; // AppleTalk
            case 0x0600 -> 0x0025; // XNS
            case 0xFE -> 0x0023; // OSI
            case 0x42 -> 0x0031; // bridging
            case 0xE0 -> 0x002B; // IPX
            default -> protocol;
        };
    }

    /**
     * Creates the condition for a VLAN tag with an identifier or {@link #ANY}; later terms of the question apply after
     * the tag.
     */
    Condition vlan(int id) {
        if (isInLabels) {
            throw new QuestionException("VLAN tags are not recognized after MPLS labels; write 'vlan' before 'mpls'.");
        }
        if (!isEthernet()) {
            throw new QuestionException("VLAN tags exist only in Ethernet frames, not in "
                    + (isPpp ? "PPP" : LinkTypes.name(linkType)) + '.');
        }
        Condition tag = Condition.any(carries(TYPE_VLAN), carries(TYPE_PROVIDER_VLAN), carries(TYPE_OLD_QINQ));
        if (id != ANY) {
            tag = Condition.all(tag, Condition.masked(network(0, 2), 0xFFF, upTo(0xFFF, id, "VLAN")));
        }
        payloadAt += 4;
        networkAt += 4;
        typeAt += 4;
        return shifted(tag);
    }

    /**
     * Creates the condition for an MPLS label, a given one or {@link #ANY}; later terms of the question apply after the
     * label.
     */
    Condition mpls(int label) {
        Condition isLabel;
        if (isInLabels) {
            isLabel = Condition.masked(network(-2, 1), 1, 0);
        } else if (isPpp) {
            isLabel = carries(0x0281);
        } else if (isEthernet()) {
            isLabel = carries(TYPE_MPLS);
        } else {
            throw new QuestionException(
                    "MPLS labels exist only in Ethernet frames, not in " + LinkTypes.name(linkType) + '.');
        }
        if (label != ANY) {
            Condition is = Condition.masked(network(0, 4), 0xFFFFF000, upTo(0xFFFFF, label, "MPLS label") << 12);
            isLabel = Condition.all(isLabel, is);
        }
        networkAt += 4;
        isInLabels = true;
        return shifted(isLabel);
    }

    Condition pppoeDiscovery() {
        return carries(TYPE_PPPOE_DISCOVERY);
    }

    /**
     * Creates the condition for a PPPoE session, a given one or {@link #ANY}; later terms of the question apply inside
     * the session.
     */
    Condition pppoeSession(int session) {
        Condition isSession = carries(TYPE_PPPOE_SESSION);
        if (session != ANY) {
            Condition is = Condition.masked(network(0, 4), 0xFFFF, upTo(0xFFFF, session, "PPPoE session"));
            isSession = Condition.all(isSession, is);
        }
        isFollowed &= !isPpp;
        isPpp = true;
        headerAt = networkAt + 6;
        typeAt = headerAt;
        payloadAt = headerAt + 2;
        networkAt = payloadAt;
        return shifted(isSession);
    }

    private static int upTo(int max, int number, String what) {
        if (Integer.compareUnsigned(number, max) > 0) {
            throw new QuestionException(what + " numbers end at " + max + '.');
        }
        return number;
    }

    private Condition shifted(Condition condition) {
        shifts++;
        return new Shift(condition, shifts);
    }

    /** Creates the condition for an 802.3 length field, as opposed to an Ethernet type. */
    static Condition isLength(FrameNumber type) {
        return new Condition.Not(new Test(type, -1, Relation.GREATER, 1500));
    }
}
