package io.chimera.common.wire;

import io.chimera.api.HotPath;

/** Validates UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629). */
public final class Utf8 {
    private Utf8() {}

    /**
     * Returns whether bytes are valid. Allocates nothing.
     *
     * @param bytes array with the bytes
     * @param from index of the first byte
     * @param end index after the last byte
     */
    @HotPath
    public static boolean isValid(byte[] bytes, int from, int end) {
        int i = from;
        while (i < end) {
            int lead = bytes[i];
            if (lead >= 0) {
                i++;
                continue;
            }
            int length = lengthOf(lead & 0xFF);
            if (length == 0 || end - i < length || !isSecond(lead & 0xFF, bytes[i + 1] & 0xFF)) {
                return false;
            }
            for (int k = 2; k < length; k++) {
                if ((bytes[i + k] & 0xC0) != 0x80) {
                    return false;
                }
            }
            i += length;
        }
        return true;
    }

    private static int lengthOf(int lead) {
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    }

    /** Checks the second byte, which reveals overlong forms, surrogates and excessive code points. */
    private static boolean isSecond(int lead, int second) {
        int min = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int max = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        return second >= min && second <= max;
    }
}
