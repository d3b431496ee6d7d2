package io.chimera.coordinator.zookeeper.znode;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that any content of a znode decodes to a valid object or a {@link MalformedZnodeException}. */
final class ZnodeCodecFuzz {

    @FuzzTest
    void decodesAnyBytes(byte[] bytes) {
        decodeAsEach(bytes);
    }

    @Test
    void decodesChangedBytesOfRealZnodes() {
        Random random = new Random(20240518);
        List<byte[]> good = List.of(
                ZnodeCodec.encode(SampleZnodes.QUEUE),
                ZnodeCodec.encode(SampleZnodes.PROCESSOR),
                ZnodeCodec.encode(SampleZnodes.ARCHIVE),
                ZnodeCodec.known(SampleZnodes.ARCHIVE),
                ZnodeCodec.encode(SampleZnodes.CYCLE),
                ZnodeCodec.encode(SampleZnodes.ASSIGNMENT),
                ZnodeCodec.encode(SampleZnodes.COMMIT),
                ZnodeCodec.encode(SampleZnodes.LOW));
        int read = 0;
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = good.get(i % good.size()).clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) (32 + random.nextInt(96));
            }
            read += decodeAsEach(bytes);
        }
        assertThat(read).as("of 5,000 changed ones some are still sound").isBetween(250, 4_750);
    }

    private static int decodeAsEach(byte[] bytes) {
        return decode(() -> ZnodeCodec.queue(bytes))
                + decode(() -> ZnodeCodec.processor(bytes))
                + decode(() -> ZnodeCodec.archive(bytes))
                + decode(() -> ZnodeCodec.known("a", bytes))
                + decode(() -> ZnodeCodec.cycle(bytes))
                + decode(() -> ZnodeCodec.assignment(bytes, 0))
                + decode(() -> ZnodeCodec.commit(bytes))
                + decode(() -> ZnodeCodec.low(bytes))
                + decode(() -> ZnodeCodec.session(bytes))
                + decode(() -> ZnodeCodec.protocol(bytes));
    }

    private static int decode(Decoder decoder) {
        try {
            assertThat(decoder.decode()).isNotNull();
            return 1;
        } catch (MalformedZnodeException e) {
            assertThat(e).hasMessageStartingWith("it");
            return 0;
        }
    }

    private interface Decoder {
        Object decode() throws MalformedZnodeException;
    }
}
