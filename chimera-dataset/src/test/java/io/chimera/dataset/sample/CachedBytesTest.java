package io.chimera.dataset.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.format.MemoryObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CachedBytesTest {
    @Test
    void readsEachByteOfTheObjectOnce() throws IOException {
        Random random = new Random(4);
        byte[] content = new byte[10_000];
        random.nextBytes(content);
        MemoryObject origin = new MemoryObject("a", content);
        CachedBytes cached = new CachedBytes(origin);

        for (int i = 0; i < 2_000; i++) {
            int offset = random.nextInt(content.length);
            ByteBuffer into = ByteBuffer.allocate(1 + random.nextInt(500));
            int count = cached.read(offset, into);

            assertThat(count).isPositive().isEqualTo(into.position());
            for (int at = 0; at < count; at++) {
                assertThat(into.get(at)).isEqualTo(content[offset + at]);
            }
        }
        assertThat(origin.read()).isLessThanOrEqualTo(content.length).isEqualTo(cached.bytes());
        assertThat(cached.read(content.length, ByteBuffer.allocate(1))).isEqualTo(-1);
    }
}
