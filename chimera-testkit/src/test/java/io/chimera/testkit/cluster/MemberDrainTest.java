package io.chimera.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.membership.MemberDrain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Drain of a leaving member: the leave of rule 7, sentence by sentence. */
final class MemberDrainTest {
    private final ManualClock clock = new ManualClock();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Lead lead = cluster.lead();
    private final MemoryCluster.Node queue = cluster.join();
    private final MemoryCluster.Node processor = cluster.join();
    private final MemberDrain ofQueue = new MemberDrain(clock, queue, 1);
    private final MemberDrain ofProcessor = new MemberDrain(clock, processor, 2);

    @Test
    void waitsUntilTheCoordinatorHasNotedIt() {
        announce(false);

        assertThat(ofQueue.awaits().orElseThrow()).contains("departure");
        assertThat(ofProcessor.awaits().orElseThrow()).contains("departure");
    }

    @Test
    void mayGoWhenNoOpenWorkHasNamedItForASecond() {
        announce(true);
        assertThat(ofQueue.awaits().orElseThrow()).contains("may just have begun");
        assertThat(ofProcessor.awaits()).isPresent();

        clock.advanceMs(1_001);

        assertThat(ofQueue.awaits()).isEmpty();
        assertThat(ofProcessor.awaits()).isEmpty();
    }

    @Test
    void waitsForTheCyclesThatNameIt() {
        announce(false);
        begin();
        announce(true);
        ofQueue.awaits();
        ofProcessor.awaits();
        clock.advanceMs(1_001);
        assertThat(ofQueue.awaits().orElseThrow()).contains("cycle 1 to be committed");
        assertThat(ofProcessor.awaits().orElseThrow()).contains("cycle 1 to be committed");

        processor.commit(new ShardCommit(1, 0, 2, new ShardCommit.Accounts(5, 0, 0, 0), 1, 1), 0);
        assertThat(ofProcessor.awaits()).as("its shard is committed").isEmpty();
        assertThat(ofQueue.awaits()).as("the other shard is not").isPresent();

        processor.commit(new ShardCommit(1, 1, 3, new ShardCommit.Accounts(0, 0, 0, 0), 0, 1), 0);
        assertThat(ofQueue.awaits()).as("the cycle is not yet verified").isPresent();
        assertThat(lead.verify(1, new LowMark.Totals(5, 5, 0, 0, 0, 1))).isTrue();
        assertThat(ofQueue.awaits()).isEmpty();
    }

    @Test
    void waitsWhileTheCoordinatorCannotBeReached() {
        announce(true);
        clock.advanceMs(5_000);
        queue.disconnect();

        assertThat(ofQueue.awaits().orElseThrow()).contains("connection to the coordinator");
    }

    @Test
    void aProcessThatNeverJoinedWaitsForNobody() {
        assertThat(ofQueue.awaits().orElseThrow()).contains("may just have begun");

        clock.advanceMs(1_001);

        assertThat(ofQueue.awaits()).isEmpty();
    }

    private void announce(boolean leaving) {
        queue.announce(new QueueMember("q1", 1, "a", "h", 9, "d", Positions.NONE, Positions.NONE, leaving));
        processor.announce(new ProcessorMember("p1", 2, "a", "h", "d", leaving));
    }

    private void begin() {
        Cycle cycle = new Cycle(1, lead.epoch(), 1, Positions.of(9, 5), List.of(1L), List.of(2L, 3L));
        assertThat(lead.begin(cycle, new Assignment(0, List.of(1L), List.of(2L, 3L))))
                .isTrue();
    }
}
