package io.chimera.common.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** Bytes from a peer or a disk: what is found whole can be decoded, anything else is refused, nothing throws. */
final class RecordFuzz {
    private final BodyReader body = new BodyReader();

    @FuzzTest(maxDuration = "1m")
    void decodesWhatIsWhole(byte[] bytes) {
        UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        body.wrap(buffer, 0, bytes.length);
        while (body.nextRecord()) {
            RecordDecoder.point(body);
        }
        BatchLayout.isWhole(buffer, 0, bytes.length, new CRC32C(), body);
    }
}
