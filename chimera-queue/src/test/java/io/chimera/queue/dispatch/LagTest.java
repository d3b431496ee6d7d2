package io.chimera.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.wire.PartId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waits of a receiver for credit, and which of them count as lag. */
final class LagTest {
    private final Cycle cycle = new Cycle(1, 1, 1, Positions.of(7, 5), List.of(1L), List.of(5L));
    private final DispatchTarget target = new DispatchTarget(
            PassPlan.open(1, cycle, cycle.parts(JournalGroup.DEFAULT), 0, List.of()),
            new SendState(new PartId(1, 0, 0)),
            null);

    @Test
    void aLongWaitLags() {
        target.waits(0, true);
        target.waits(DispatchTarget.LAG_NS_MIN, true);

        assertThat(target.isLagging()).isTrue();
    }

    @Test
    void aWaitWhileAllAreSlowDoesNotCount() {
        target.waits(0, false);
        target.waits(DispatchTarget.LAG_NS_MIN, false);

        assertThat(target.isLagging()).isFalse();
    }

    @Test
    void theTimeOfAPassThatGaveWayDoesNotCount() {
        target.waits(0, true);
        target.givesWay();
        target.waits(10 * DispatchTarget.LAG_NS_MIN, true);

        assertThat(target.isLagging()).isFalse();
        assertThat(target.hasLagged()).isFalse();
    }
}
