package io.chimera.node.dataset.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Waits;
import io.chimera.node.dataset.worker.DatasetWorker.WorkThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits for the end of work. */
@Timeout(Waits.SECONDS_MAX)
final class WorkThreadsTest {
    private static final Duration FOREVER = Duration.ofDays(1);

    @Test
    void theWaitEndsWithTheWork() throws Exception {
        try (WorkThreads threads = new WorkThreads(1)) {
            Future<Integer> work = threads.submit(() -> 7);

            threads.awaitEnd(FOREVER);

            assertThat(work).isDone();
        }
    }

    @Test
    void theWaitEndsWithFailedWork() throws Exception {
        try (WorkThreads threads = new WorkThreads(1)) {
            Future<Integer> work = threads.submit(() -> {
                throw new IllegalStateException("planned");
            });

            threads.awaitEnd(FOREVER);

            assertThat(work).isDone();
        }
    }

    @Test
    void theWaitEndsAtTheStopOfTheWorker() throws Exception {
        try (WorkThreads threads = new WorkThreads(1)) {
            threads.wake();

            threads.awaitEnd(FOREVER);
        }
    }
}
