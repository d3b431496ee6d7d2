package io.chimera.archive.query.condition;

/**
 * Necessary property of the keys of every packet that meets a condition. Valid only if the packet contains the first
 * {@code shifts} tags, labels or sessions of the question: only then does the filter read the header that supplies the
 * keys.
 */
public sealed interface Hint {
    int shifts();

    /**
     * Address, or addresses of a net.
     *
     * @param high first half; an IPv4 address is ::ffff:a.b.c.d
     * @param low second half
     * @param bits prefix length, of 128
     */
    record Address(int shifts, Direction direction, long high, long low, int bits) implements Hint {}

    /** Range of ports. */
    record Ports(int shifts, Direction direction, int first, int last) implements Hint {}

    /** Protocol of IP. */
    record Carried(int shifts, int protocol) implements Hint {}

    /** SYN flag, for packets with TCP over IPv4: the packet opens or accepts a connection. */
    record Opening(int shifts) implements Hint {}
}
