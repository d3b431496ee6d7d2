package io.chimera.dataset.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Splits of some workers. */
final class SplitQueueTest {
    private static final List<Split> SPLITS = IntStream.range(0, 4)
            .mapToObj(number -> new Split(
                    number, new DataObject("o", 100, ObjectVersion.UNKNOWN), new ByteRange(number, number + 1)))
            .toList();

    private int strategies;
    private final SplitQueue queue = new SplitQueue(SPLITS, () -> {
        strategies++;
        return Strategy.STREAM;
    });

    private static int number(Optional<AssignedSplit> assigned) {
        return assigned.map(known -> known.split().number()).orElse(-1);
    }

    @Test
    void aWorkerTakesTheSplitThatItReserved() {
        assertThat(number(queue.take(0))).isZero();
        assertThat(number(queue.reserve(0))).isEqualTo(1);
        assertThat(number(queue.reserve(0))).isEqualTo(1);
        assertThat(number(queue.take(1))).isEqualTo(2);

        assertThat(number(queue.take(0))).isEqualTo(1);
        assertThat(strategies).isEqualTo(3);
    }

    @Test
    void aWorkerWithoutAnotherSplitTakesAReservedOne() {
        queue.take(0);
        queue.take(1);
        queue.reserve(0);
        queue.take(1);

        assertThat(number(queue.take(1))).isEqualTo(2);
        assertThat(queue.take(0)).isEmpty();
        assertThat(queue.reserve(0)).isEmpty();
        assertThat(strategies).isEqualTo(4);
    }

    /** The first reservation begins sooner: its worker has less of its present split left. */
    @Test
    void theNewestReservationIsTakenFirst() {
        queue.take(0);
        queue.take(1);
        queue.reserve(1);
        queue.reserve(0);

        assertThat(number(queue.take(2))).isEqualTo(3);
        assertThat(queue.reserve(0)).isEmpty();
        assertThat(number(queue.take(1))).isEqualTo(2);
    }
}
