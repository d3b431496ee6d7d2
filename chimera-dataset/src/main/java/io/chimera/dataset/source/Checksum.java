package io.chimera.dataset.source;

import java.util.Locale;

/**
 * Checksum of the content of an object.
 *
 * @param algorithm the algorithm; {@link Algorithm#NONE} without a checksum
 * @param hex value in lower-case hexadecimal digits; empty without a checksum
 */
public record Checksum(Algorithm algorithm, String hex) {
    /** No checksum. */
    public static final Checksum NONE = new Checksum(Algorithm.NONE, "");

    /** Algorithms that data sources declare. */
    public enum Algorithm {
        /** No checksum. */
        NONE,
        /** Adler-32, the default of XRootD. */
        ADLER32,
        /** CRC-32 of zlib. */
        CRC32,
        /** CRC-32C (Castagnoli). */
        CRC32C,
        /** MD5. */
        MD5,
        /** SHA-256. */
        SHA256
    }

    /**
     * Makes the digits lower-case.
     *
     * @param algorithm the algorithm
     * @param hex hexadecimal digits
     */
    public Checksum {
        hex = hex.toLowerCase(Locale.ROOT);
        if ((algorithm == Algorithm.NONE) != hex.isEmpty()) {
            throw new IllegalArgumentException("checksum of " + algorithm + " with " + hex.length() + " digits");
        }
    }
}
