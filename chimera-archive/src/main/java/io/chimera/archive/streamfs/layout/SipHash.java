package io.chimera.archive.streamfs.layout;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;

/**
 * SipHash-2-4 (Aumasson and Bernstein 2012) with 64-bit output, over the words of a buffer followed by two words of
 * context. Immutable, for any thread.
 */
public final class SipHash {
    private final long key0;
    private final long key1;

    public SipHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    /** Returns the hash of {@code words} little-endian longs at an offset, followed by two context words. */
    public long of(DirectBuffer buffer, int offset, int words, long context0, long context1) {
        long v0 = key0 ^ 0x736f6d6570736575L;
        long v1 = key1 ^ 0x646f72616e646f6dL;
        long v2 = key0 ^ 0x6c7967656e657261L;
        long v3 = key1 ^ 0x7465646279746573L;
        int all = words + 2;
        for (int i = 0; i <= all; i++) {
            long word;
            if (i < words) {
                word = buffer.getLong(offset + (i << 3), LITTLE_ENDIAN);
            } else if (i < all) {
                word = i == words ? context0 : context1;
            } else {
                word = (long) all << 59; // the length in bytes, in the last byte
            }
            v3 ^= word;
            for (int round = 0; round < 2; round++) {
                v0 += v1;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v3;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 += v3;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= word;
        }
        v2 ^= 0xff;
        for (int round = 0; round < 4; round++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
