package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChunkPoolTest {
    private static final int CHUNKS = 8;

    private static List<UnsafeBuffer> takeAll(ChunkPool pool) {
        List<UnsafeBuffer> taken = new ArrayList<>();
        for (UnsafeBuffer chunk = pool.take(); chunk != null; chunk = pool.take()) {
            taken.add(chunk);
        }
        return taken;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void siblingsTogetherNeverMakeMoreThanTheLimit(boolean offHeap) {
        ChunkPool first = new ChunkPool(offHeap, (long) CHUNKS * ChunkPool.CHUNK_LENGTH, 1);
        ChunkPool second = first.sibling();
        ChunkPool third = first.sibling();

        for (int round = 0; round < 3; round++) {
            for (ChunkPool pool : List.of(first, second, third)) {
                List<UnsafeBuffer> taken = takeAll(pool);
                assertThat(taken).hasSize(CHUNKS);
                taken.forEach(pool::give);
            }
        }

        assertThat(first.bytesMade() + second.bytesMade() + third.bytesMade())
                .isEqualTo((long) CHUNKS * ChunkPool.CHUNK_LENGTH);
        assertThat(first.bytesUsed()).isZero();
        List.of(first, second, third).forEach(ChunkPool::close);
    }

    @Test
    void usesTheWarmestAgainWhereThereIsNoSibling() {
        ChunkPool pool = new ChunkPool(false, (long) CHUNKS * ChunkPool.CHUNK_LENGTH, 1);
        UnsafeBuffer cold = pool.take();
        UnsafeBuffer warm = pool.take();
        pool.give(cold);
        pool.give(warm);

        assertThat(pool.take()).isSameAs(warm);
    }
}
