package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.metrics.AllocatedBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PoolTest {
    private final Pool<String> pool = new Pool<>(3);

    @Test
    void givesTheSameOneAgain() {
        pool.offer("a");
        pool.offer("b");
        for (int i = 0; i < 3; i++) {
            String taken = pool.take();
            assertThat(taken).isEqualTo("a");
            assertThat(pool.offer(taken)).isTrue();
        }
    }

    @Test
    void keepsNoMoreThanItHasPlacesFor() {
        assertThat(pool.take()).isNull();
        assertThat(List.of(pool.offer("a"), pool.offer("b"), pool.offer("c"))).containsOnly(true);
        assertThat(pool.offer("d")).isFalse();

        assertThat(List.of(pool.take(), pool.take(), pool.take())).containsExactly("a", "b", "c");
        assertThat(pool.take()).isNull();
    }

    @Test
    void noTwoThreadsHoldOne() throws InterruptedException, ExecutionException {
        Pool<AtomicInteger> shared = new Pool<>(8);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> runs = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            runs.add(threads.submit(() -> {
                for (int i = 0; i < 50_000; i++) {
                    AtomicInteger taken = shared.take();
                    if (taken == null) {
                        taken = new AtomicInteger();
                    }
                    assertThat(taken.incrementAndGet()).isEqualTo(1);
                    taken.decrementAndGet();
                    shared.offer(taken);
                }
            }));
        }
        for (Future<?> run : runs) {
            run.get();
        }
        threads.shutdown();
    }

    @Test
    void allocatesNothing() {
        pool.offer("a");
        assertThat(AllocatedBytes.of(() -> pool.offer(pool.take()))).isZero();
    }
}
