package io.chimera.dataset.source.xrootd.wire;

import io.chimera.dataset.source.Checksum;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/** Decodes the answer to a checksum query: algorithm and hexadecimal digits. */
public final class ChecksumAnswer {
    private static final Pattern DIGITS = Pattern.compile("[0-9A-Fa-f]+");

    private ChecksumAnswer() {}

    /**
     * Decodes an answer.
     *
     * @param body the body
     * @return the checksum; {@link Checksum#NONE} for an algorithm unknown to data sources. XRootD's {@code crc32} is
     *     not the CRC-32 of zlib ({@code zcrc32})
     * @throws AnswerException for a body outside the protocol
     */
    public static Checksum decode(ByteBuffer body) throws AnswerException {
        String[] words = AnswerText.decode(body).trim().split(" +", -1);
        if (words.length < 2 || !DIGITS.matcher(words[1]).matches()) {
            throw new AnswerException("a checksum is not an algorithm and hexadecimal digits");
        }
        return switch (words[0]) {
            case "adler32" -> of(Checksum.Algorithm.ADLER32, 8, words[1]);
            case "zcrc32" -> of(Checksum.Algorithm.CRC32, 8, words[1]);
            case "crc32c" -> of(Checksum.Algorithm.CRC32C, 8, words[1]);
            case "md5" -> of(Checksum.Algorithm.MD5, 32, words[1]);
            case "sha256" -> of(Checksum.Algorithm.SHA256, 64, words[1]);
            default -> Checksum.NONE;
        };
    }

    /** Servers may omit zeros in front. */
    private static Checksum of(Checksum.Algorithm algorithm, int length, String digits) throws AnswerException {
        if (digits.length() > length) {
            throw new AnswerException("a checksum has " + digits.length() + " digits; expected " + length);
        }
        return new Checksum(algorithm, "0".repeat(length - digits.length()) + digits);
    }
}
