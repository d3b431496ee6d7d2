package io.chimera.dataset.format.codec;

/**
 * Decodes an LZ4 block that refers to content before it. The library decodes independent blocks only; frames of the
 * Python binding and of {@code lz4 -BD} have linked blocks. Every length is checked against input and output before
 * bytes are copied.
 */
final class Lz4LinkedBlock {
    /** Result for a damaged block. */
    static final int DAMAGED = -1;

    private static final int MATCH_LENGTH_MIN = 4;
    private static final int LENGTH_IN_TOKEN_MAX = 15;

    private Lz4LinkedBlock() {}

    /**
     * Decodes a block.
     *
     * @param block array that begins with the block
     * @param length length of the block in bytes
     * @param output receives the content from an index on; the content before it stands before the index
     * @param historyFrom index of the first byte of the content before the block
     * @param from index of the first byte of the block's content
     * @param limit index after the last byte that may be written
     * @return index after the content; {@link #DAMAGED} when the block is damaged or too long
     */
    static int decode(byte[] block, int length, byte[] output, int historyFrom, int from, int limit) {
        int in = 0;
        int out = from;
        while (in < length) {
            int token = block[in++] & 0xFF;
            int literals = token >>> 4;
            if (literals == LENGTH_IN_TOKEN_MAX) {
                int more;
                do {
                    if (in >= length || literals > limit) {
                        return DAMAGED;
                    }
                    more = block[in++] & 0xFF;
                    literals += more;
                } while (more == 0xFF);
            }
            if (literals > length - in || literals > limit - out) {
                return DAMAGED;
            }
            System.arraycopy(block, in, output, out, literals);
            in += literals;
            out += literals;
            if (in == length) {
                return out; // the last sequence has no match
            }
            if (length - in < 2) {
                return DAMAGED;
            }
            int distance = (block[in] & 0xFF) | (block[in + 1] & 0xFF) << 8;
            in += 2;
            int match = token & LENGTH_IN_TOKEN_MAX;
            if (match == LENGTH_IN_TOKEN_MAX) {
                int more;
                do {
                    if (in >= length || match > limit) {
                        return DAMAGED;
                    }
                    more = block[in++] & 0xFF;
                    match += more;
                } while (more == 0xFF);
            }
            match += MATCH_LENGTH_MIN;
            if (distance == 0 || distance > out - historyFrom || match > limit - out) {
                return DAMAGED;
            }
            copyMatch(output, out - distance, out, match);
            out += match;
        }
        return DAMAGED;
    }

    /** Copies a match; source and target may overlap, then the bytes between them repeat. */
    private static void copyMatch(byte[] output, int source, int target, int length) {
        int distance = target - source;
        int done = 0;
        while (done < length) {
            // each copy doubles the run that the next copy may take
            int piece = Math.min(length - done, distance + done);
            System.arraycopy(output, source, output, target + done, piece);
            done += piece;
        }
    }
}
