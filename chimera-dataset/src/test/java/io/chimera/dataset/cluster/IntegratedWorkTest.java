package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.RunTotals;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Workers with two threads; a worker and second costs 1. */
final class IntegratedWorkTest {
    private static final Prices PRICES = new Prices(3600, 0, 0, "USD");
    private static final Offset<Double> ROUNDED = within(1e-9);

    private final IntegratedWork work = new IntegratedWork(workers(4));

    private static List<WorkerSession> workers(int count) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(number -> new WorkerSession(number, 100 + number, "n" + number, "h:" + number, 2))
                .toList();
    }

    /** Sums after some seconds of workers that receive 10 bytes per second, and write and compute all the time. */
    private static WorkMeasures after(long workerSeconds) {
        long ns = workerSeconds * 1_000_000_000L;
        WorkMeasures.Moved moved = new WorkMeasures.Moved(10 * workerSeconds, ns);
        return new WorkMeasures(
                new WorkMeasures.Computed(workerSeconds, 10 * workerSeconds, workerSeconds, ns, ns), moved, moved, 0);
    }

    private RunTotals totals() {
        return work.totals(0, PRICES);
    }

    @Test
    void costAndTimesAreThoseOfTheWorkersThatWereThere() {
        work.add(after(40), workers(4)); // ten seconds of four workers
        assertThat(totals().spent()).isEqualTo(40, ROUNDED);
        assertThat(totals().receivingSeconds()).isEqualTo(10, ROUNDED);

        work.add(after(40), workers(1));
        assertThat(totals().spent()).as("three workers left").isEqualTo(40, ROUNDED);
        assertThat(totals().receivingSeconds()).isEqualTo(10, ROUNDED);

        work.add(after(50), workers(2)); // ten seconds of one worker
        work.add(after(70), workers(2)); // ten seconds of two workers
        assertThat(totals().spent()).isEqualTo(70, ROUNDED);
        assertThat(totals().receivingSeconds()).isEqualTo(30, ROUNDED);
        assertThat(totals().writingSeconds()).isEqualTo(30, ROUNDED);
        assertThat(totals().receivedBytes()).isEqualTo(700);
    }

    @Test
    void whileNoWorkerIsKnownTheLastOnesCount() {
        work.add(after(40), List.of());
        work.add(after(80), List.of());

        assertThat(totals().spent()).isEqualTo(80, ROUNDED);
        assertThat(totals().receivingSeconds()).isEqualTo(20, ROUNDED);
    }

    @Test
    void idleTimeCostsNothing() {
        work.add(after(0), workers(4));

        assertThat(work.totals(1_000, PRICES).spent()).isZero();
    }
}
