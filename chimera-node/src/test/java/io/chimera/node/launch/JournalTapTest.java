package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import org.junit.jupiter.api.Test;

final class JournalTapTest {
    @Test
    void showsTheLastPointsOfItsStream() {
        MemoryJournal journal = new MemoryJournal(SyncPolicy.NONE, 1, new ManualClock());
        Batches batches = new Batches();
        JournalTap tap = new JournalTap(journal, 0xA);
        assertThat(tap.sample(10)).isEmpty();

        batches.append(journal, 0xA, 1, 5);
        batches.append(journal, 0xB, 1, 5);
        batches.append(journal, 0xA, 6, 3);

        assertThat(tap.sample(4))
                .containsExactly(
                        "cpu,host=a value=5i 5",
                        "cpu,host=a value=6i 6",
                        "cpu,host=a value=7i 7",
                        "cpu,host=a value=8i 8");
        assertThat(tap.sample(100)).hasSize(8);
    }
}
