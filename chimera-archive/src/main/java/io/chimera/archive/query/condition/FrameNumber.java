package io.chimera.archive.query.condition;

/**
 * Number read from bytes of a frame, or the frame's length on the wire.
 *
 * @param size 1, 2 or 4 bytes; 0: the length on the wire
 * @param at index of the first byte; an index beyond any frame means nowhere
 * @param ipv4At index of an IPv4 header whose length is added to the index; {@link #FIXED}: none
 */
public record FrameNumber(int size, int at, int ipv4At) {
    static final int FIXED = -1;

    /** Length on the wire. */
    public static final FrameNumber LENGTH = new FrameNumber(0, 0, FIXED);

    /** Bytes at a fixed index. */
    public static FrameNumber of(int size, int at) {
        return new FrameNumber(size, at, FIXED);
    }

    /** Greatest index that counts as a place in a frame. */
    private static final int AT_MAX = Integer.MAX_VALUE - 64;

    boolean isNowhere() {
        return at < 0 || at > AT_MAX;
    }
}
