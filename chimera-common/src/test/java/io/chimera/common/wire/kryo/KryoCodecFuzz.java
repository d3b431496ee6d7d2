package io.chimera.common.wire.kryo;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import io.chimera.common.error.ChimeraException;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Decodes arbitrary bytes to an object or a {@link ChimeraException}, with bounded memory. */
final class KryoCodecFuzz {
    private static final int LENGTH_MAX = 4096;

    /**
     * Bound for nested containers, each with a claimed size equal to the remaining bytes: depth 32 x 4 KiB x 8 bytes
     * per reference = 1 MiB, times four for temporary objects.
     */
    private static final long ALLOCATED_MAX = 4 << 20;

    private static final KryoCodec<SampleState> CODEC = new KryoCodec<>(SampleState.class, LENGTH_MAX);

    @FuzzTest
    void decodesAnyBytes(byte[] bytes) {
        decode(bytes);
    }

    @Test
    void decodesChangedBytesOfRealStates() {
        Random random = new Random(20240517);
        int length = CODEC.encode(KryoCodecTest.filled());
        byte[] good = new byte[length];
        System.arraycopy(CODEC.bytes(), 0, good, 0, length);
        decode(good);

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = good.clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(length)] = (byte) random.nextInt(256);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            decode(bytes);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(ALLOCATED_MAX);
        }
    }

    private static void decode(byte[] bytes) {
        try {
            CODEC.decode(new UnsafeBuffer(bytes), 0, bytes.length);
        } catch (ChimeraException e) {
            assertThat(e).hasMessageContaining("SampleState");
        }
    }
}
