package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** Arbitrary bytes from a peer or a disk: a valid body can be decoded, anything else is refused, nothing throws. */
final class RecordFuzz {
    private final BodyReader body = new BodyReader();

    @FuzzTest(maxDuration = "1m")
    void decodesWhatIsWhole(byte[] bytes) {
        UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        body.wrap(buffer, 0, bytes.length);
        for (int kind = body.step(); kind >= 0; kind = body.step()) {
            if (kind == BodyLayout.RECORD) {
                RecordDecoder.point(body);
            } else if (kind != BodyLayout.RESET) {
                // the number of definitions is bounded by the number of input bytes
                int number = kind == BodyLayout.SERIES
                        ? body.series().number()
                        : body.fields().number();
                assertThat(number).isLessThan(bytes.length / BodyLayout.FIRST_FIELD);
            }
        }
        BatchLayout.isWhole(buffer, 0, bytes.length, new CRC32C(), body);
    }
}
