package io.chimera.queue;

import static io.chimera.common.cluster.ClusterKit.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.testkit.cluster.MemoryCluster;
import org.junit.jupiter.api.Test;

final class GroupClusterTest {
    private static final JournalGroup EAST = new JournalGroup("east");

    private final MemoryCluster cluster = MemoryCluster.immediate();

    @Test
    void showsTheNodesOfTheGroupOnly() {
        GroupCluster group = new GroupCluster(cluster.join(), EAST);
        cluster.join().announce(queue("q1", 1));
        assertThat(group.view().registration()).as("a mistyped group").isEqualTo(RegisteredNodes.NONE);

        cluster.join().announce(queue("q2", 2).in(EAST));

        assertThat(group.view().queues()).extracting(QueueMember::id).containsExactly("q2");
        assertThat(group.view().registered()).isEqualTo(1);
        assertThat(group.view()).as("narrowed once").isSameAs(group.view());
    }

    @Test
    void aClusterWithOneGroupIsShownAsItIs() {
        MemoryCluster.Node node = cluster.join();
        node.announce(queue("q1", 1));

        assertThat(new GroupCluster(node, JournalGroup.DEFAULT).view()).isSameAs(node.view());
    }

    @Test
    void announcesToTheWholeCluster() {
        MemoryCluster.Node node = cluster.join();
        new GroupCluster(node, EAST).announce(queue("q2", 2).in(EAST));

        assertThat(cluster.truth().queues()).extracting(QueueMember::id).containsExactly("q2");
    }

    @Test
    void anUnreachedClusterHasAnUnknownGroup() {
        MemoryCluster.Node node = MemoryCluster.stepped().join();

        assertThat(new GroupCluster(node, EAST).view().registration()).isEqualTo(RegisteredNodes.UNKNOWN);
    }
}
