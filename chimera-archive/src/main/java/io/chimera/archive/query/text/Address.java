package io.chimera.archive.query.text;

import org.jspecify.annotations.Nullable;

/**
 * IPv6 address, or IPv4 address in the form ::ffff:a.b.c.d.
 *
 * @param high first half
 * @param low second half
 */
public record Address(long high, long low) {
    /** Prefix of an IPv4 address. */
    public static final long MAPPED = 0xFFFFL << 32;

    private static final int GROUPS = 8;
    private static final int PARTS = 4;

    /** Bits of an IPv4 address parsed by {@link #short4}, with the number of its parts. */
    public record Short4(int bits, int parts) {
        public int length() {
            return 8 * parts;
        }

        /** Fills the missing parts with zeros. */
        public int promoted() {
            return parts == PARTS ? bits : bits << (32 - length());
        }
    }

    public static Address of4(int bits) {
        return new Address(0, MAPPED | Integer.toUnsignedLong(bits));
    }

    public int word(int index) {
        long half = index < 2 ? high : low;
        return (int) (index % 2 == 0 ? half >>> 32 : half);
    }

    /** Parses one to four numbers separated by dots. Returns null for other text. */
    public static @Nullable Short4 short4(String text) {
        int bits = 0;
        String[] parts = text.split("\\.", -1);
        if (parts.length > PARTS) {
            return null;
        }
        for (String part : parts) {
            int number = decimal(part);
            if (number < 0) {
                return null;
            }
            bits = bits << 8 | number;
        }
        return new Short4(bits, parts.length);
    }

    /** Parses a number up to 255; returns -1 for other text. */
    private static int decimal(String text) {
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            number = number * 10 + digit - '0';
            if (number > 255) {
                return -1;
            }
        }
        return text.isEmpty() ? -1 : number;
    }

    /** Parses an IPv6 address; returns null for other text. */
    public static @Nullable Address parse6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            int[] groups = groups(text, true);
            return groups == null || groups.length != GROUPS ? null : of(groups, new int[0]);
        }
        String tail = text.substring(gap + 2);
        int[] first = groups(text.substring(0, gap), false);
        int[] last = groups(tail, true);
        if (first == null || last == null || first.length + last.length >= GROUPS) {
            return null;
        }
        return of(first, last);
    }

    private static @Nullable Address of(int[] first, int[] last) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < GROUPS; i++) {
            int fromEnd = i - (GROUPS - last.length);
            long group = i < first.length ? first[i] : fromEnd >= 0 ? last[fromEnd] : 0;
            high = i < GROUPS / 2 ? high << 16 | group : high;
            low = i < GROUPS / 2 ? low : low << 16 | group;
        }
        return new Address(high, low);
    }

    /** Parses groups separated by colons; the last two groups may be written as IPv4. Returns null for other text. */
    private static int @Nullable [] groups(String text, boolean mayEndAs4) {
        if (text.isEmpty()) {
            return new int[0];
        }
        String[] parts = text.split(":", -1);
        boolean endsAs4 = mayEndAs4 && parts[parts.length - 1].indexOf('.') >= 0;
        int[] groups = new int[endsAs4 ? parts.length + 1 : parts.length];
        for (int i = 0; i < (endsAs4 ? parts.length - 1 : parts.length); i++) {
            groups[i] = group(parts[i]);
            if (groups[i] < 0) {
                return null;
            }
        }
        if (endsAs4) {
            Short4 end = short4(parts[parts.length - 1]);
            if (end == null || end.parts() != PARTS) {
                return null;
            }
            groups[groups.length - 2] = end.bits() >>> 16;
            groups[groups.length - 1] = end.bits() & 0xFFFF;
        }
        return groups;
    }

    private static int group(String text) {
        if (text.isEmpty() || text.length() > 4) {
            return -1;
        }
        int group = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            group = group << 4 | digit;
        }
        return group;
    }
}
