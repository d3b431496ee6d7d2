package io.chimera.common.channel.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
final class NoLeaksTest {
    @Test
    void noticesABufferThatWasDropped() {
        drop();
        await().atMost(Duration.ofSeconds(10)).until(() -> !NoLeaks.leaks().isEmpty());
        assertThat(NoLeaks.leaks()).anyMatch(leak -> leak.contains("NoLeaksTest.drop"));
        NoLeaks.forget();
    }

    private static void drop() {
        PooledByteBufAllocator.DEFAULT.directBuffer(16).writeInt(1);
    }
}
