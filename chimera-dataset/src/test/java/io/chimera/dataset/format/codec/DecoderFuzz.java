package io.chimera.dataset.format.codec;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

/** Arbitrary bytes are content or a defect, the same one whatever the pieces in which they arrive. */
final class DecoderFuzz {
    private static final CodecLimits LIMITS = new CodecLimits(1 << 20, 8 << 20, 1 << 20);

    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] packed) throws IOException {
        if (packed.length == 0) {
            return;
        }
        for (Compression compression : Compression.values()) {
            String whole = read(compression, new MemoryObject("a", packed));
            String pieces = read(compression, new MemoryObject("a", packed, new Random(packed.length), 7));
            if (!whole.equals(pieces)) {
                throw new AssertionError(compression + ": " + whole + " is not " + pieces);
            }
        }
    }

    private static String read(Compression compression, MemoryObject object) throws IOException {
        try {
            ByteRange range = new ByteRange(0, object.length());
            return Arrays.toString(Packed.content(compression, object, range, LIMITS));
        } catch (FormatException e) {
            return "defect";
        }
    }
}
