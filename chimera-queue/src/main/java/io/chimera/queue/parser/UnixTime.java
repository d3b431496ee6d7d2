package io.chimera.queue.parser;

import io.chimera.api.HotPath;

/**
 * Reads a time since 1970 as seconds with up to nine decimal places, and on request a large integer as milliseconds.
 * Not thread-safe; allocates nothing.
 */
final class UnixTime {
    /** Smallest number with eleven digits: read as milliseconds it lies in April 1970. */
    private static final long MILLISECONDS_FROM = 10_000_000_000L;

    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;

    private final NumberText number;
    private long timeNs;

    /** Creates a reader; the number is scratch memory of the caller. */
    UnixTime(NumberText number) {
        this.number = number;
    }

    /** Nanoseconds of the last time read; -1 for a time before 1970, which the sink rejects with its own reason. */
    long timeNs() {
        return timeNs;
    }

    /** Reads an integer of milliseconds; returns null without an error. */
    @HotPath
    ParseError readMilliseconds(byte[] bytes, int from, int to) {
        if (!number.readInteger(bytes, from, to) || number.next() != to) {
            return ParseError.TELNET_BAD_TIME;
        }
        return scaled(NS_PER_MS, 0);
    }

    /**
     * Reads a time; returns null without an error.
     *
     * @param milliseconds whether an integer of more than ten digits counts milliseconds
     */
    @HotPath
    ParseError read(byte[] bytes, int from, int to, boolean milliseconds) {
        if (!number.readInteger(bytes, from, to)) {
            return ParseError.UNIX_BAD_TIME;
        }
        int next = number.next();
        if (next == to) {
            boolean large = milliseconds && (!number.isLong() || number.asLong() >= MILLISECONDS_FROM);
            return scaled(large ? NS_PER_MS : NS_PER_S, 0);
        }
        if (bytes[next] != '.') {
            return ParseError.UNIX_BAD_TIME;
        }
        long fraction = 0;
        long placeNs = NS_PER_S / 10;
        for (int i = next + 1; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return ParseError.UNIX_BAD_TIME;
            }
            fraction += digit * placeNs;
            placeNs /= 10;
        }
        return scaled(NS_PER_S, fraction);
    }

    private ParseError scaled(long unitNs, long moreNs) {
        if (!number.isLong() || number.asLong() > Long.MAX_VALUE / unitNs - 1) {
            return ParseError.TELNET_TIME_TOO_LARGE;
        }
        timeNs = number.isNegative() ? -1 : number.asLong() * unitNs + moreNs;
        return null;
    }
}
