package io.chimera.common.channel.netty;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
final class NoLeaksTest {
    @Test
    void noticesABufferThatWasDropped() {
        drop();
        await().until(() -> !NoLeaks.leaks().isEmpty());
        assertThat(NoLeaks.leaks()).anyMatch(leak -> leak.contains("NoLeaksTest.drop"));
        NoLeaks.forget();
    }

    private static void drop() {
        PooledByteBufAllocator.DEFAULT.directBuffer(16).writeInt(1);
    }
}
