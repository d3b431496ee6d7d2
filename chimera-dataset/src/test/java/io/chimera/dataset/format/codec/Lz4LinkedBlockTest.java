package io.chimera.dataset.format.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

final class Lz4LinkedBlockTest {
    private final Random random = new Random(3);

    private byte[] sample(int length, int letters) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            boolean repeats = i > 20 && random.nextInt(40) > 0;
            bytes[i] = repeats ? bytes[i - 1 - random.nextInt(20) % letters] : (byte) random.nextInt(letters);
        }
        return bytes;
    }

    @Test
    void agreesWithTheLibraryOnIndependentBlocks() {
        for (int round = 0; round < 300; round++) {
            byte[] content = sample(random.nextInt(3000), 1 + random.nextInt(20));
            byte[] block = LZ4Factory.safeInstance().fastCompressor().compress(content);
            byte[] output = new byte[content.length];
            assertThat(Lz4LinkedBlock.decode(block, block.length, output, 0, 0, output.length))
                    .isEqualTo(content.length);
            assertThat(output).isEqualTo(content);
        }
    }

    @Test
    void agreesWithTheLibraryOnDamagedBlocks() {
        int damaged = 0;
        int stricter = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] content = sample(random.nextInt(300), 1 + random.nextInt(20));
            byte[] block = LZ4Factory.safeInstance().fastCompressor().compress(content);
            block[random.nextInt(block.length)] = (byte) random.nextInt();
            byte[] expected = new byte[content.length + 50];
            byte[] output = new byte[expected.length];
            int length;
            try {
                length = LZ4Factory.safeInstance()
                        .safeDecompressor()
                        .decompress(block, 0, block.length, expected, 0, expected.length);
            } catch (LZ4Exception e) {
                damaged++;
                continue; // the library also refuses blocks that only break the rules for encoders
            }
            int end = Lz4LinkedBlock.decode(block, block.length, output, 0, 0, output.length);
            if (end == Lz4LinkedBlock.DAMAGED) {
                stricter++; // the library reads a match with the distance 0 as zeros
                continue;
            }
            assertThat(end).isEqualTo(length);
            assertThat(Arrays.copyOf(output, end)).isEqualTo(Arrays.copyOf(expected, end));
        }
        assertThat(damaged).isPositive();
        assertThat(stricter).isLessThan(200);
    }

    @Test
    void readsContentBeforeTheBlock() {
        byte[] output = new byte[100];
        System.arraycopy("abcdefgh".getBytes(UTF_8), 0, output, 2, 8);
        byte[] block = {0x02, 8, 0, 0x10, '!'}; // six bytes from eight bytes before, then a literal
        assertThat(Lz4LinkedBlock.decode(block, block.length, output, 2, 10, 100))
                .isEqualTo(17);
        assertThat(new String(output, 10, 7, UTF_8)).isEqualTo("abcdef!");
        assertThat(Lz4LinkedBlock.decode(block, block.length, output, 3, 10, 100))
                .isEqualTo(Lz4LinkedBlock.DAMAGED);
        assertThat(Lz4LinkedBlock.decode(block, block.length, output, 2, 10, 16))
                .isEqualTo(Lz4LinkedBlock.DAMAGED);
    }
}
