package io.chimera.archive.index.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class KeyBitsTest {
    private static final int KEYS = 1_000;
    private static final int PROBES = 200_000;

    @ParameterizedTest
    @EnumSource(SignatureKind.class)
    void whatWasSetIsFound(SignatureKind kind) {
        Random random = new Random(1);
        for (int blocks = 1; blocks < 200; blocks += 7) {
            KeyBits bits = KeyBits.of(kind, 10);
            long[] signature = new long[blocks * KeyBits.BLOCK_LONGS];
            for (int i = 0; i < 100; i++) {
                long keyed = random.nextLong();
                set(bits, signature, blocks, keyed);
                assertThat(bits.test(signature, blocks, keyed)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SignatureKind.class)
    void theNumberOfKeysIsToldFromTheBitsThatAreNotSet(SignatureKind kind) {
        int blocks = 480;
        for (int bitsPerKey : new int[] {8, 16, 64}) {
            KeyBits bits = KeyBits.of(kind, bitsPerKey);
            long[] signature = new long[blocks * KeyBits.BLOCK_LONGS];
            Random random = new Random(4);
            int keys = blocks * KeyBits.BLOCK_BITS / bitsPerKey;
            for (int i = 0; i < keys; i++) {
                set(bits, signature, blocks, random.nextLong());
            }
            assertThat(bits.distinct(signature, blocks)).isBetween((long) (0.97 * keys), (long) (1.03 * keys));
            assertThat(bits.distinct(signature, blocks / 2)).isBetween((long) (0.47 * keys), (long) (0.53 * keys));
        }
    }

    private static void set(KeyBits bits, long[] signature, int blocks, long keyed) {
        KeyBatch keys = new KeyBatch();
        keys.add(keyed, 1);
        bits.set(signature, blocks, keys);
    }

    /**
     * Bloom 1970: (1 - e^(-kn/m))^k. For split blocks: the mean over the number of keys per block, a Poisson variable.
     */
    @ParameterizedTest
    @CsvSource({"SPLIT_BLOCK,6", "SPLIT_BLOCK,8", "SPLIT_BLOCK,10", "SPLIT_BLOCK,12", "BLOOM,8", "BLOOM,10", "BLOOM,12"
    })
    void falsePositivesAreAsManyAsTheFormulaSays(SignatureKind kind, int bitsPerKey) {
        Random random = new Random(2);
        KeyBits bits = KeyBits.of(kind, bitsPerKey);
        int blocks = KeyBits.blocks(KEYS, bitsPerKey);
        long[] signature = new long[blocks * KeyBits.BLOCK_LONGS];
        for (int port = 0; port < KEYS; port++) { // values with few different bits, like ports and addresses
            set(bits, signature, blocks, KeyBits.keyed(3, KeyHash.of(port)));
        }
        int found = 0;
        for (int i = 0; i < PROBES; i++) {
            found += bits.test(signature, blocks, KeyBits.keyed(random.nextInt(7), KeyHash.of(KEYS + i))) ? 1 : 0;
        }
        double expected = kind == SignatureKind.BLOOM
                ? Math.pow(1 - Math.exp(-(double) bits.bits() * KEYS / (blocks * KeyBits.BLOCK_BITS)), bits.bits())
                : splitBlock((double) KEYS / blocks, bits.bits());
        assertThat(found / (double) PROBES).isBetween(0.7 * expected, 1.3 * expected);
    }

    private static double splitBlock(double keysPerBlock, int bits) {
        double sum = 0;
        double share = Math.exp(-keysPerBlock);
        for (int keys = 0; keys < 500; keys++) {
            sum += share * Math.pow(1 - Math.pow(1 - bits / 256.0, keys), bits);
            share *= keysPerBlock / (keys + 1);
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource(SignatureKind.class)
    void aFoldedSignatureIsWhatAShortOneWouldHaveBeen(SignatureKind kind) {
        int unfolded = 1440;
        for (int blocks : new int[] {1440, 720, 480, 90, 32, 1}) {
            Random random = new Random(3);
            KeyBits bits = KeyBits.of(kind, 12);
            long[] wide = new long[unfolded * KeyBits.BLOCK_LONGS];
            long[] narrow = new long[blocks * KeyBits.BLOCK_LONGS];
            for (int i = 0; i < 500; i++) {
                long keyed = random.nextLong();
                set(bits, wide, unfolded, keyed);
                set(bits, narrow, blocks, keyed);
            }
            long[] folded = new long[narrow.length];
            int fold = unfolded / blocks;
            for (int block = 0; block < unfolded; block++) {
                for (int i = 0; i < KeyBits.BLOCK_LONGS; i++) {
                    folded[block / fold * KeyBits.BLOCK_LONGS + i] |= wide[block * KeyBits.BLOCK_LONGS + i];
                }
            }
            assertThat(folded).isEqualTo(narrow);
        }
    }
}
