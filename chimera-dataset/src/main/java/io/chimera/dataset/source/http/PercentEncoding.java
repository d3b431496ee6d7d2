package io.chimera.dataset.source.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Percent-encoding of UTF-8 as S3 signs it: every byte except the unreserved characters of RFC 3986. */
public final class PercentEncoding {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PercentEncoding() {}

    /** Encodes a path; keeps {@code /}. */
    public static String ofPath(String path) {
        return encode(path, true);
    }

    /** Encodes a name or a value of a query; encodes {@code /}, too. */
    public static String ofQuery(String text) {
        return encode(text, false);
    }

    private static String encode(String text, boolean keepsSlash) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(b) || (keepsSlash && b == '/')) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.toHexDigits(b));
            }
        }
        return encoded.toString();
    }

    private static boolean isUnreserved(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '~';
    }
}
