package io.chimera.queue.flow;

import io.chimera.api.HotPath;

/** Writes IP addresses as text: IPv4 with dots, IPv6 as RFC 5952 has it. Allocates nothing. */
public final class AddressText {
    /** The longest text. */
    public static final int LENGTH_MAX = 39;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int GROUPS = 8;

    private AddressText() {}

    /**
     * Writes an IPv4 address.
     *
     * @param address as a number: 10.0.0.1 is 0x0A000001
     * @param text where to
     * @param at its first byte
     * @return behind its last byte
     */
    @HotPath
    public static int putIpv4(int address, byte[] text, int at) {
        int position = putDecimal(address >>> 24, text, at);
        for (int shift = 16; shift >= 0; shift -= 8) {
            text[position++] = '.';
            position = putDecimal(address >>> shift & 0xFF, text, position);
        }
        return position;
    }

    /**
     * Writes a number without its sign.
     *
     * @param number unsigned
     * @param text where to
     * @param at its first byte
     * @return behind its last byte
     */
    @HotPath
    public static int putDecimal(long number, byte[] text, int at) {
        int digits = 1;
        for (long rest = Long.divideUnsigned(number, 10); rest != 0; rest /= 10) {
            digits++;
        }
        long left = number;
        for (int i = at + digits - 1; i >= at; i--) {
            long rest = Long.divideUnsigned(left, 10);
            text[i] = (byte) ('0' + (left - rest * 10));
            left = rest;
        }
        return at + digits;
    }

    /**
     * Writes an IPv6 address.
     *
     * @param high its first 8 bytes, as a big-endian number
     * @param low its last 8 bytes
     * @param text where to
     * @param at its first byte
     * @return behind its last byte
     */
    @HotPath
    public static int putIpv6(long high, long low, byte[] text, int at) {
        int gapStart = GROUPS;
        int gapLength = 1; // a single group of zeros is written out
        for (int i = 0; i < GROUPS; i++) {
            int run = 0;
            while (i + run < GROUPS && group(high, low, i + run) == 0) {
                run++;
            }
            if (run > gapLength) {
                gapStart = i;
                gapLength = run;
            }
            i += run;
        }
        int position = at;
        for (int i = 0; i < GROUPS; i++) {
            if (i == gapStart) {
                text[position++] = ':';
                i += gapLength - 1;
                if (i == GROUPS - 1) {
                    text[position++] = ':';
                }
            } else {
                if (i > 0) {
                    text[position++] = ':';
                }
                position = putHex(group(high, low, i), text, position);
            }
        }
        return position;
    }

    private static int group(long high, long low, int index) {
        long half = index < GROUPS / 2 ? high : low;
        return (int) (half >>> 48 - 16 * (index % (GROUPS / 2))) & 0xFFFF;
    }

    private static int putHex(int group, byte[] text, int at) {
        int position = at;
        boolean isBegun = false;
        for (int shift = 12; shift >= 0; shift -= 4) {
            int digit = group >> shift & 0xF;
            isBegun |= digit != 0 || shift == 0;
            if (isBegun) {
                text[position++] = HEX[digit];
            }
        }
        return position;
    }
}
