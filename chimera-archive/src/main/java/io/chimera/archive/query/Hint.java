package io.chimera.archive.query;

/**
 * What holds of the keys of every packet that meets a condition. Valid where the first {@code shifts} tags, labels or sessions of the
 * question are in the packet: only then does the filter look where {@link PacketKeys} looks.
 */
sealed interface Hint {
    /** How many. */
    int shifts();

    /**
     * An address, or those of a net.
     *
     * @param high first half; an address of IPv4 is ::ffff:a.b.c.d
     * @param low second half
     * @param bits of the address that count, of 128
     */
    record Address(int shifts, Direction direction, long high, long low, int bits) implements Hint {}

    /** Ports from one to another. */
    record Ports(int shifts, Direction direction, int first, int last) implements Hint {}

    /** A protocol of IP. */
    record Carried(int shifts, int protocol) implements Hint {}

    /** Where TCP over IPv4 is carried: that it opens a connection, or accepts one (SYN). */
    record Opening(int shifts) implements Hint {}
}
