package io.chimera.dataset.format.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FrameSplitsTest {
    private final Random random = new Random(11);

    private byte[] bytes(int length, int letters) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(letters);
        }
        return bytes;
    }

    private static void assertCovers(List<ByteRange> ranges, long length) {
        long at = 0;
        for (ByteRange range : ranges) {
            assertThat(range.from()).isEqualTo(at);
            at = range.to();
        }
        assertThat(at).isEqualTo(length);
    }

    private byte[] contentOfSplits(Compression compression, MemoryObject object, List<ByteRange> ranges)
            throws Exception {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (ByteRange range : ranges) {
            content.writeBytes(Packed.content(compression, object, range, CodecLimits.DEFAULT));
        }
        return content.toByteArray();
    }

    @ParameterizedTest
    @EnumSource
    void splitsTogetherHaveTheContentOfTheObject(Compression compression) throws Exception {
        for (int round = 0; round < 60; round++) {
            byte[] content = bytes(1 + random.nextInt(20_000), 1 + random.nextInt(256));
            byte[] packed = Packed.frames(compression, content, random, 1 + random.nextInt(5_000));
            MemoryObject object = new MemoryObject("a", packed, random, 1 + random.nextInt(5_000));
            int target = 1 + random.nextInt(packed.length + 10);
            List<ByteRange> ranges = compression.splits(object, target, CodecLimits.DEFAULT);
            assertCovers(ranges, packed.length);
            assertThat(contentOfSplits(compression, object, ranges)).isEqualTo(content);
        }
    }

    @Test
    void cutsAtEveryFrameWhenTheTargetIsShort() throws Exception {
        for (Compression compression : List.of(Compression.ZSTD, Compression.LZ4)) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            for (int i = 0; i < 50; i++) {
                packed.writeBytes(Packed.frame(compression, bytes(1_000 + random.nextInt(300_000), 2 + i)));
            }
            MemoryObject object = new MemoryObject("a", packed.toByteArray());
            assertThat(compression.splits(object, 1, CodecLimits.DEFAULT))
                    .as("%s", compression)
                    .hasSize(50);
        }
    }

    @Test
    void usesTheSeekTableWithoutASearch() throws Exception {
        for (boolean withChecksums : new boolean[] {true, false}) {
            byte[] content = bytes(300_000, 200);
            byte[] packed = Packed.seekable(content, random, 20_000, withChecksums);
            MemoryObject object = new MemoryObject("a", packed, random, 1_000);
            List<ByteRange> ranges = Compression.ZSTD.splits(object, 50_000, CodecLimits.DEFAULT);
            assertThat(object.read()).isLessThan(1_000);
            assertThat(ranges).hasSizeBetween(4, 7);
            assertCovers(ranges, packed.length);
            assertThat(contentOfSplits(Compression.ZSTD, object, ranges)).isEqualTo(content);
        }
    }

    @Test
    void searchesWhenTheSeekTableIsOfAnotherObject() throws Exception {
        byte[] first = Packed.frames(Compression.ZSTD, bytes(50_000, 200), random, 10_000);
        byte[] second = Packed.seekable(bytes(50_000, 200), random, 10_000, true);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        packed.writeBytes(first);
        packed.writeBytes(second);
        MemoryObject object = new MemoryObject("a", packed.toByteArray());
        List<ByteRange> ranges = Compression.ZSTD.splits(object, 1, CodecLimits.DEFAULT);
        assertThat(ranges).hasSizeGreaterThan(5);
        assertThat(contentOfSplits(Compression.ZSTD, object, ranges)).hasSize(100_000);
    }

    /** A border of the table that is no border of frames: detected by the split before. */
    @Test
    void detectsAWrongSeekTable() throws Exception {
        byte[] packed = Packed.seekable(bytes(30_000, 256), random, 10_000, false);
        int entries = packed.length - 9 - 8 * frames(packed);
        packed[entries]++; // the first frame is said to be longer, the second shorter
        packed[entries + 8]--;
        MemoryObject object = new MemoryObject("a", packed);
        List<ByteRange> ranges = Compression.ZSTD.splits(object, 1, CodecLimits.DEFAULT);
        assertThatThrownBy(() -> contentOfSplits(Compression.ZSTD, object, ranges))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("no frame begins at the end of the split, offset "
                        + ranges.get(0).to());
    }

    private static int frames(byte[] packed) {
        return packed[packed.length - 9];
    }

    /** Frames within the content of a frame that is stored without compression. */
    @Test
    void detectsFramesWithinFrames() {
        for (Compression compression : List.of(Compression.ZSTD, Compression.LZ4)) {
            ByteArrayOutputStream inner = new ByteArrayOutputStream();
            inner.writeBytes(bytes(1_000, 256));
            for (int i = 0; i < 5; i++) {
                inner.writeBytes(Packed.frame(compression, bytes(500, 256)));
            }
            byte[] packed = Packed.frame(compression, inner.toByteArray());
            MemoryObject object = new MemoryObject("a", packed);
            assertThatThrownBy(() -> {
                        List<ByteRange> ranges = compression.splits(object, 500, CodecLimits.DEFAULT);
                        assertThat(ranges).as("the search was not deceived").hasSizeGreaterThan(1);
                        Packed.content(compression, object, ranges.get(0), CodecLimits.DEFAULT);
                    })
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("no frame begins");
        }
    }

    @Test
    void ignoresMagicNumbersWithoutAFrame() throws Exception {
        byte[] content = bytes(100_000, 256);
        for (int i = 0; i < 200; i++) {
            int at = random.nextInt(content.length - 20);
            content[at] = 0x28;
            content[at + 1] = (byte) 0xB5;
            content[at + 2] = 0x2F;
            content[at + 3] = (byte) 0xFD;
        }
        byte[] packed = Zstd.compress(content);
        MemoryObject object = new MemoryObject("a", packed, random, 5_000);
        assertThat(Compression.ZSTD.splits(object, 100, CodecLimits.DEFAULT)).hasSize(1);
    }

    @Test
    void endsTheSearchAtTheLimit() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            packed.writeBytes(Zstd.compress(bytes(500_000, 256)));
        }
        byte[] bytes = packed.toByteArray();
        MemoryObject object = new MemoryObject("a", bytes);
        CodecLimits limits = new CodecLimits(CodecLimits.WINDOW_BYTES_LIMIT, Long.MAX_VALUE, 200_000);
        assertThat(Compression.ZSTD.splits(object, 100_000, limits)).hasSize(1);
        assertThat(object.read()).isLessThan(300_000);
        assertThat(Compression.ZSTD.splits(object, 400_000, limits)).hasSize(3);
        CodecLimits none = new CodecLimits(CodecLimits.WINDOW_BYTES_LIMIT, Long.MAX_VALUE, 0);
        assertThat(Compression.ZSTD.splits(object, 400_000, none)).hasSize(1);
    }

    @Test
    void boundsTheNumberOfSplits() throws Exception {
        byte[] bytes = new byte[1_000_000];
        assertThat(Compression.PLAIN.splits(new MemoryObject("a", bytes), 1, CodecLimits.DEFAULT))
                .hasSize(SplitBorders.SPLITS_MAX);
        assertThat(Compression.PLAIN.splits(new MemoryObject("a", bytes), Long.MAX_VALUE, CodecLimits.DEFAULT))
                .hasSize(1);
    }
}
