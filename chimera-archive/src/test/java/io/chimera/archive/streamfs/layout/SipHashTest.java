package io.chimera.archive.streamfs.layout;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class SipHashTest {
    /** Key 00 .. 0f, and the vectors of the reference implementation for 00 .. 0f and 00 .. 17. */
    private final SipHash hash = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

    @Test
    void givesTheVectorsOfTheReference() {
        UnsafeBuffer words = new UnsafeBuffer(new byte[16]);
        for (int i = 0; i < 16; i++) {
            words.putByte(i, (byte) i);
        }
        long low = words.getLong(0, LITTLE_ENDIAN);
        long high = words.getLong(8, LITTLE_ENDIAN);

        assertThat(hash.of(words, 0, 0, low, high)).isEqualTo(0x3f2acc7f57c29bdbL);
        assertThat(hash.of(words, 0, 1, high, low)).isEqualTo(hash.of(words, 0, 1, high, low));
        assertThat(hash.of(words, 0, 1, high, low)).isNotEqualTo(hash.of(words, 0, 1, low, high));
    }
}
