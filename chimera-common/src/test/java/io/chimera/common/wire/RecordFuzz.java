package io.chimera.common.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** Bytes from a peer or a disk: what is found whole can be decoded, anything else is refused, nothing throws. */
final class RecordFuzz {
    private final RecordFlyweight record = new RecordFlyweight();

    @FuzzTest(maxDuration = "1m")
    void decodesWhatIsWhole(byte[] bytes) {
        UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        if (record.wrap(buffer, 0).isWhole(bytes.length)) {
            RecordDecoder.point(record);
        }
        BatchLayout.isWhole(buffer, 0, bytes.length, new CRC32C(), record);
    }
}
