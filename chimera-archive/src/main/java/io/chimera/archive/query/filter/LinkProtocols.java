package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.Condition;
import io.chimera.archive.query.condition.FrameNumber;

/**
 * Conditions for protocols on Ethernet and in Linux cooked frames: by Ethernet type, or by the 802.2 header after the
 * type.
 */
final class LinkProtocols {
    private static final int TYPE_MAX_LENGTH = 1500;
    private static final int TYPE_IPX = 0x8137;
    private static final int TYPE_ATALK = 0x809B;
    private static final int TYPE_AARP = 0x80F3;
    private static final int POINT_IP = 0x06;
    private static final int POINT_IPX = 0xE0;
    private static final int POINT_NETBEUI = 0xF0;
    private static final int POINT_ISO = 0xFE;
    private static final int APPLE = 0x080007;

    /** Types of cooked frames: 802.3 without and with 802.2. */
    private static final int COOKED_802_3 = 0x0001;

    private static final int COOKED_802_2 = 0x0004;

    private LinkProtocols() {}

    static Condition onEthernet(Layout layout, int protocol) {
        FrameNumber type = layout.type(0, 2);
        Condition isLength = Layout.isLength(type);
        return switch (protocol) {
            case POINT_ISO, POINT_IP, POINT_NETBEUI -> Condition.all(isLength, bothPoints(layout, protocol));
            case POINT_IPX ->
                Condition.any(
                        Condition.equal(type, TYPE_IPX),
                        Condition.all(
                                isLength,
                                Condition.any(
                                        snap(layout, 0, TYPE_IPX),
                                        Condition.equal(layout.payload(0, 1), POINT_IPX),
                                        Condition.equal(layout.payload(0, 2), 0xFFFF))));
            case TYPE_ATALK, TYPE_AARP ->
                Condition.any(Condition.equal(type, protocol), Condition.all(isLength, snapOfApple(layout, protocol)));
            default ->
                isPoint(protocol)
                        ? Condition.all(isLength, Condition.equal(layout.type(2, 1), protocol))
                        : Condition.equal(type, protocol);
        };
    }

    static Condition onCooked(Layout layout, int protocol) {
        FrameNumber type = layout.type(0, 2);
        Condition isLlc = Condition.equal(type, COOKED_802_2);
        return switch (protocol) {
            case POINT_ISO, POINT_IP, POINT_NETBEUI -> Condition.all(isLlc, bothPoints(layout, protocol));
            case POINT_IPX ->
                Condition.any(
                        Condition.equal(type, TYPE_IPX),
                        Condition.equal(type, COOKED_802_3),
                        Condition.all(
                                isLlc,
                                Condition.any(
                                        Condition.equal(layout.payload(0, 1), POINT_IPX), snap(layout, 0, TYPE_IPX))));
            case TYPE_ATALK, TYPE_AARP ->
                Condition.any(Condition.equal(type, protocol), Condition.all(isLlc, snapOfApple(layout, protocol)));
            default ->
                isPoint(protocol)
                        ? Condition.all(isLlc, Condition.equal(layout.payload(0, 1), protocol))
                        : Condition.equal(type, protocol);
        };
    }

    private static boolean isPoint(int protocol) {
        return Integer.compareUnsigned(protocol, TYPE_MAX_LENGTH) <= 0;
    }

    private static Condition bothPoints(Layout layout, int point) {
        return Condition.equal(layout.payload(0, 2), point << 8 | point);
    }

    private static Condition snapOfApple(Layout layout, int type) {
        return snap(layout, type == TYPE_ATALK ? APPLE : 0, type);
    }

    private static Condition snap(Layout layout, int organisation, int type) {
        return Condition.all(
                Condition.equal(layout.payload(4, 4), organisation << 16 | type),
                Condition.equal(layout.payload(0, 4), 0xAAAA0300 | organisation >>> 16));
    }
}
