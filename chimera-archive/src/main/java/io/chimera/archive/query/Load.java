package io.chimera.archive.query;

/**
 * Bytes of a frame as a number, or the frame's length on the wire.
 *
 * @param size 1, 2 or 4 bytes; 0: the length on the wire
 * @param at index of the first byte; beyond what a frame can have: nowhere
 * @param ipv4At index of an IPv4 header by whose length the bytes lie further behind; {@link #FIXED}: none
 */
record Load(int size, int at, int ipv4At) {
    static final int FIXED = -1;

    /** The length on the wire. */
    static final Load LENGTH = new Load(0, 0, FIXED);

    /** Bytes at an index. */
    static Load of(int size, int at) {
        return new Load(size, at, FIXED);
    }

    /** No frame is as long as that. */
    private static final int AT_MAX = Integer.MAX_VALUE - 64;

    boolean isNowhere() {
        return at < 0 || at > AT_MAX;
    }
}
