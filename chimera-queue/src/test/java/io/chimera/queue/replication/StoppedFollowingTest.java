package io.chimera.queue.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.queue.replication.ReplicationGroup.Node;
import org.junit.jupiter.api.Test;

/** A queue node that no longer copies from its peers, because it leaves. */
final class StoppedFollowingTest {
    private final ReplicationGroup group = new ReplicationGroup();

    @Test
    void nodeThatStoppedFollowingServesButCopiesNoMore() {
        Node q1 = group.start("q1", group.journal());
        Node q2 = group.start("q2", group.journal());
        q1.accept(3);
        q2.accept(4);
        group.runUntil(() -> q2.has(q1) == 3 && q1.has(q2) == 4);

        q1.stopFollowing();
        q1.accept(2);
        q2.accept(1);
        group.runUntil(() -> q2.has(q1) == 5);
        group.run(1_000);

        assertThat(q1.has(q2)).isEqualTo(4);
        assertThat(q2.told).as("the later point has one journal").containsExactly("4 ok");
    }
}
