package io.chimera.common.channel.netty.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arbitrary blocks: no exception, and the same result as a plain decoder without any shortcut. */
final class SnappyBlockFuzz {
    private static final int LENGTH_MAX = 1 << 16;

    @FuzzTest
    void unpacksLikeThePlainDecoder(byte[] block) {
        long length = SnappyBlock.lengthOf(block, block.length);
        if (length < 0 || length > LENGTH_MAX) {
            return;
        }
        byte[] target = new byte[(int) length + 32];
        boolean isGood = SnappyBlock.unpack(block, block.length, target, (int) length);
        byte[] plain = plain(block, (int) length);

        assertThat(isGood).isEqualTo(plain != null);
        if (isGood) {
            assertThat(Arrays.copyOf(target, (int) length)).isEqualTo(plain);
        }
    }

    @Test
    void unpacksDamagedBlocks() {
        Random random = new Random(3);
        for (int i = 0; i < 3_000; i++) {
            byte[] block = Packing.snappy(Packing.lines(1 + random.nextInt(2_000)));
            for (int damages = random.nextInt(4); damages > 0; damages--) {
                block[random.nextInt(block.length)] = (byte) random.nextInt();
            }
            unpacksLikeThePlainDecoder(random.nextInt(4) > 0 ? block : Arrays.copyOf(block, block.length / 2));
        }
    }

    @Test
    void unpacksRandomElements() {
        Random random = new Random(4);
        for (int i = 0; i < 20_000; i++) {
            byte[] elements = new byte[random.nextInt(40)];
            random.nextBytes(elements);
            for (int at = 0; at < elements.length; at += 1 + random.nextInt(4)) {
                elements[at] &= (byte) 0x1F; // short elements, so that some blocks are valid
            }
            for (int length = 0; length < 64; length += 7) {
                byte[] block = new byte[elements.length + 1];
                block[0] = (byte) length;
                System.arraycopy(elements, 0, block, 1, elements.length);
                unpacksLikeThePlainDecoder(block);
            }
        }
    }

    /** Returns the plain bytes; null for a corrupt block. */
    private static byte[] plain(byte[] block, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        while (block[at] < 0) {
            at++;
        }
        at++;
        while (at < block.length) {
            int tag = block[at++] & 0xFF;
            int kind = tag & 3;
            int upper = tag >>> 2;
            int extra = kind == 0 ? Math.max(0, upper - 59) : kind == 3 ? 4 : kind;
            if (at + extra > block.length) {
                return null;
            }
            long number = 0;
            for (int i = 0; i < extra; i++) {
                number |= (block[at++] & 0xFFL) << (8 * i);
            }
            long count = kind == 0 ? 1 + (extra > 0 ? number : upper) : kind == 1 ? 4 + (upper & 7) : 1 + upper;
            if (kind == 0) {
                if (at + count > block.length) {
                    return null;
                }
                out.write(block, at, (int) count);
                at += (int) count;
            } else {
                long distance = kind == 1 ? number + ((upper >>> 3) << 8) : number;
                for (int i = 0; i < count; i++) {
                    byte[] before = out.toByteArray();
                    if (distance == 0 || distance > before.length || before.length > length) {
                        return null;
                    }
                    out.write(before[before.length - (int) distance]);
                }
            }
            if (out.size() > length) {
                return null;
            }
        }
        return out.size() == length ? out.toByteArray() : null;
    }
}
