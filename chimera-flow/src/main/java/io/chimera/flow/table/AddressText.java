package io.chimera.flow.table;

import io.chimera.api.HotPath;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** Formats IP addresses: IPv4 in dotted form, IPv6 in the shortest form of RFC 5952. */
public final class AddressText {
    /** Maximum bytes of an address. */
    public static final int LENGTH_MAX = 39;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int GROUPS = 8;
    private static final int IPV4_AT = 12;

    private AddressText() {}

    /**
     * Writes an address.
     *
     * @param source buffer with the 16 bytes of the address at {@code offset}
     * @param isVersion4 whether the address is written as IPv4
     * @param target receives up to {@link #LENGTH_MAX} bytes from {@code at} on
     * @return index after the last byte
     */
    @HotPath
    public static int put(DirectBuffer source, int offset, boolean isVersion4, byte[] target, int at) {
        return isVersion4 ? version4(source, offset + IPV4_AT, target, at) : version6(source, offset, target, at);
    }

    /** Returns an address as text. */
    public static String of(DirectBuffer source, int offset, boolean isVersion4) {
        byte[] bytes = new byte[LENGTH_MAX];
        return new String(bytes, 0, put(source, offset, isVersion4, bytes, 0), StandardCharsets.US_ASCII);
    }

    private static int version4(DirectBuffer source, int offset, byte[] target, int at) {
        int end = at;
        for (int i = 0; i < 4; i++) {
            if (i > 0) {
                target[end++] = '.';
            }
            end = number(source.getByte(offset + i) & 0xFF, target, end);
        }
        return end;
    }

    /** Writes a number of up to 3 digits; returns the index after the last digit. */
    private static int number(int value, byte[] target, int at) {
        int digits = value < 10 ? 1 : value < 100 ? 2 : 3;
        int rest = value;
        for (int i = at + digits - 1; i >= at; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + digits;
    }

    private static int version6(DirectBuffer source, int offset, byte[] target, int at) {
        int gap = longestGap(source, offset);
        int gapEnd = gap >>> 8;
        int gapStart = gap & 0xFF;
        int end = at;
        for (int group = 0; group < GROUPS; group++) {
            if (group == gapStart && gapEnd > gapStart) {
                target[end++] = ':';
                group = gapEnd - 1;
                if (gapEnd == GROUPS) {
                    target[end++] = ':';
                }
                continue;
            }
            if (group > 0) {
                target[end++] = ':';
            }
            end = hex(group(source, offset, group), target, end);
        }
        return end;
    }

    /**
     * Returns the first longest run of at least two zero groups: start, plus 256 times the end; 0 without such a run.
     */
    private static int longestGap(DirectBuffer source, int offset) {
        int best = 0;
        int bestLength = 1;
        for (int start = 0; start < GROUPS; start++) {
            int end = start;
            while (end < GROUPS && group(source, offset, end) == 0) {
                end++;
            }
            if (end - start > bestLength) {
                bestLength = end - start;
                best = (end << 8) | start;
            }
            start = Math.max(start, end - 1);
        }
        return best;
    }

    private static int group(DirectBuffer source, int offset, int group) {
        return ((source.getByte(offset + 2 * group) & 0xFF) << 8) | (source.getByte(offset + 2 * group + 1) & 0xFF);
    }

    private static int hex(int value, byte[] target, int at) {
        int end = at;
        for (int shift = 12; shift >= 0; shift -= 4) {
            if (shift == 0 || value >>> shift != 0) {
                target[end++] = HEX[(value >>> shift) & 0xF];
            }
        }
        return end;
    }
}
