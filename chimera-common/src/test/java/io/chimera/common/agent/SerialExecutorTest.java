package io.chimera.common.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SerialExecutorTest {
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Test
    void doesOnePieceAfterTheOtherAndAllBeforeItCloses() {
        List<Integer> done = new ArrayList<>();
        SerialExecutor chores = SerialExecutor.onThread("chores", failures::add);

        for (int i = 0; i < 50; i++) {
            int number = i;
            chores.execute(() -> done.add(number));
        }
        chores.close();

        assertThat(done).isEqualTo(IntStream.range(0, 50).boxed().toList());
        assertThat(failures).isEmpty();
    }

    @Test
    void goesOnAfterAPieceThatFailed() {
        List<String> done = new CopyOnWriteArrayList<>();
        IllegalStateException failure = new IllegalStateException("expected");
        SerialExecutor chores = SerialExecutor.onThread("chores", failures::add);

        chores.execute(() -> {
            throw failure;
        });
        chores.execute(() -> done.add("next"));
        chores.close();

        assertThat(done).containsExactly("next");
        assertThat(failures).containsExactly(failure);
    }

    @Test
    void doesThemOnTheCallersThreadWhereThereIsNone() {
        List<Thread> threads = new ArrayList<>();
        try (SerialExecutor chores = SerialExecutor.inline()) {
            chores.execute(() -> threads.add(Thread.currentThread()));
        }
        assertThat(threads).containsExactly(Thread.currentThread());
    }
}
