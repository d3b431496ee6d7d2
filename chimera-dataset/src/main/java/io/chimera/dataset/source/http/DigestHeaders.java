package io.chimera.dataset.source.http;

import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.Checksum.Algorithm;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/**
 * Checksums of whole objects in headers: {@code Digest} (RFC 3230, and XRootD's values in hexadecimal digits), {@code
 * Repr-Digest} (RFC 9530) and {@code Content-MD5}. Members with unknown algorithms or malformed values count as absent.
 */
public final class DigestHeaders {
    private static final int LENGTH_MAX = 1024;
    private static final int ALGORITHMS_MAX = 16;

    private static final Map<String, Algorithm> NAMES = Map.of(
            "adler32", Algorithm.ADLER32,
            "adler", Algorithm.ADLER32,
            "crc32", Algorithm.CRC32,
            "crc32c", Algorithm.CRC32C,
            "md5", Algorithm.MD5,
            "sha-256", Algorithm.SHA256,
            "sha256", Algorithm.SHA256);

    private DigestHeaders() {}

    /**
     * Returns the strongest checksum of a list of digests.
     *
     * @param text value of {@code Digest} or {@code Repr-Digest}
     * @return {@link Checksum#NONE} without a usable digest
     */
    public static Checksum parse(String text) {
        Checksum best = Checksum.NONE;
        if (text.length() > LENGTH_MAX) {
            return best;
        }
        for (String member : text.split(",", ALGORITHMS_MAX)) {
            int equals = member.indexOf('=');
            if (equals > 0) {
                String name = member.substring(0, equals).strip().toLowerCase(Locale.ROOT);
                best = stronger(
                        best, of(NAMES.getOrDefault(name, Algorithm.NONE), value(member.substring(equals + 1))));
            }
        }
        return best;
    }

    /** Returns the checksum of a {@code Content-MD5}; {@link Checksum#NONE} when the value is malformed. */
    public static Checksum parseMd5(String text) {
        return text.length() > LENGTH_MAX ? Checksum.NONE : of(Algorithm.MD5, text.strip());
    }

    /** Returns the stronger of two checksums. */
    public static Checksum stronger(Checksum a, Checksum b) {
        return a.algorithm().compareTo(b.algorithm()) >= 0 ? a : b;
    }

    /**
     * Returns a checksum.
     *
     * @param algorithm the algorithm
     * @param value hexadecimal digits, or Base64
     * @return {@link Checksum#NONE} when the value is neither, or has another length
     */
    public static Checksum of(Algorithm algorithm, String value) {
        int bytes = length(algorithm);
        if (bytes == 0) {
            return Checksum.NONE;
        }
        // Base64 of these lengths ends with "=", so that the forms cannot be mistaken.
        if (value.length() == 2 * bytes && isHex(value)) {
            return new Checksum(algorithm, value);
        }
        if (algorithm == Algorithm.ADLER32 && !value.isEmpty() && value.length() < 2 * bytes && isHex(value)) {
            // Some servers leave out leading zeros.
            return new Checksum(algorithm, "0".repeat(2 * bytes - value.length()) + value);
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(value);
            return decoded.length == bytes
                    ? new Checksum(algorithm, HexFormat.of().formatHex(decoded))
                    : Checksum.NONE;
        } catch (IllegalArgumentException e) {
            return Checksum.NONE;
        }
    }

    /** Removes the colons around a byte sequence of a structured field (RFC 8941). */
    private static String value(String text) {
        String value = text.strip();
        return value.length() > 2 && value.startsWith(":") && value.endsWith(":")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    private static boolean isHex(String text) {
        return text.chars().allMatch(HexFormat::isHexDigit);
    }

    private static int length(Algorithm algorithm) {
        return switch (algorithm) {
            case NONE -> 0;
            case ADLER32, CRC32, CRC32C -> 4;
            case MD5 -> 16;
            case SHA256 -> 32;
        };
    }
}
