package io.chimera.dataset.format.codec;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Arbitrary bytes between frames: the splits have the content of the object, or one of them detects a wrong border. */
final class FrameSearchFuzz {
    private static final CodecLimits LIMITS = new CodecLimits(1 << 20, 8 << 20, 1 << 20);

    @FuzzTest(maxDuration = "1m")
    void neverLosesOrRepeatsContent(byte[] data) throws IOException {
        for (Compression compression : List.of(Compression.ZSTD, Compression.LZ4)) {
            check(compression, data);
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            packed.writeBytes(Packed.frame(compression, data));
            packed.writeBytes(Packed.skippable(0x184D2A50, data));
            packed.writeBytes(Packed.frame(compression, data));
            check(compression, packed.toByteArray());
        }
    }

    private static void check(Compression compression, byte[] packed) throws IOException {
        if (packed.length == 0) {
            return;
        }
        MemoryObject object = new MemoryObject("a", packed, new Random(packed.length), 50);
        List<ByteRange> ranges = compression.splits(object, 1 + packed.length / 5, LIMITS);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] whole;
        try {
            for (ByteRange range : ranges) {
                content.writeBytes(Packed.content(compression, object, range, LIMITS));
            }
            whole = Packed.content(compression, object, new ByteRange(0, packed.length), LIMITS);
        } catch (FormatException e) {
            return;
        }
        if (!Arrays.equals(whole, content.toByteArray())) {
            throw new AssertionError(compression + ": the splits differ from the object");
        }
    }
}
