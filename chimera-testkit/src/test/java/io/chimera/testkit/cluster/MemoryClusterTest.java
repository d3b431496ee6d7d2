package io.chimera.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterContract;
import io.chimera.common.cluster.ClusterKit;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ReplayRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Contract tests of the in-memory store in both modes, and tests of its additional guarantees. */
final class MemoryClusterTest {

    @Nested
    final class Immediate extends Kit {
        Immediate() {
            super(MemoryCluster.immediate());
        }
    }

    @Nested
    final class Stepped extends Kit {
        Stepped() {
            super(MemoryCluster.stepped());
        }
    }

    @Test
    void showsNothingNewBeforeTheStep() {
        MemoryCluster cluster = MemoryCluster.stepped();
        MemoryCluster.Node node = cluster.join();
        node.announce(ClusterKit.processor("p1", 21));

        assertThat(node.view().processors()).isEmpty();
        cluster.step();
        assertThat(node.view().processors()).hasSize(1);
    }

    @Test
    void keepsAMemberWhoseConnectionBrokeUntilItsSessionExpires() {
        MemoryCluster cluster = MemoryCluster.immediate();
        MemoryCluster.Node node = cluster.join();
        MemoryCluster.Node other = cluster.join();
        node.announce(ClusterKit.processor("p1", 21));

        node.disconnect();
        assertThat(node.view().connected()).isFalse();
        assertThat(other.view().processors()).hasSize(1);

        node.expire();
        assertThat(other.view().processors()).isEmpty();

        node.reconnect();
        assertThat(other.view().processors()).hasSize(1);
    }

    @Test
    void namesWhoHoldsTheId() {
        MemoryCluster cluster = MemoryCluster.immediate();
        MemoryCluster.Node first = cluster.join();
        MemoryCluster.Node second = cluster.join();
        first.announce(ClusterKit.queue("q1", 11));
        second.announce(ClusterKit.queue("q1", 12));

        assertThat(first.refusedFor()).isEmpty();
        assertThat(second.refusedFor()).contains(11L);
    }

    @Test
    void writesEvenWhenTheReplyIsLost() {
        MemoryCluster cluster = MemoryCluster.immediate();
        MemoryCluster.Lead lead = cluster.lead();
        lead.loseNextReply();

        boolean heard = lead.begin(
                new Cycle(1, lead.epoch(), 10, Positions.NONE, List.of(11L), List.of(21L)),
                new Assignment(0, List.of(11L), List.of(21L)));

        assertThat(heard).isFalse();
        assertThat(cluster.truth().cycles()).containsKey(1L);
    }

    @Test
    void showsOneNodeAfterTheOtherWhenSteppedByChoice() {
        MemoryCluster cluster = MemoryCluster.stepped();
        MemoryCluster.Node first = cluster.join();
        MemoryCluster.Node second = cluster.join();
        first.announce(ClusterKit.processor("p1", 21));

        assertThat(cluster.step(count -> 0)).isSameAs(first);
        assertThat(cluster.truth().processors()).hasSize(1);
        assertThat(first.view().processors()).isEmpty();
        assertThat(cluster.step(count -> 0)).isSameAs(first);
        assertThat(first.view().processors()).hasSize(1);
        assertThat(second.view().processors()).isEmpty();
        assertThat(cluster.step(count -> 0)).isSameAs(second);
        assertThat(second.view().processors()).hasSize(1);
        assertThat(cluster.step(count -> 0)).isNull();
    }

    @Test
    void keepsWhatAHangingNodeAsksForUntilItGoesOn() {
        MemoryCluster cluster = MemoryCluster.immediate();
        MemoryCluster.Node node = cluster.join();
        node.hang(true);
        node.announce(ClusterKit.processor("p1", 21));
        assertThat(cluster.truth().processors()).isEmpty();
        assertThat(node.view().connected()).isTrue();

        node.hang(false);
        cluster.step();
        assertThat(node.view().processors()).hasSize(1);
    }

    @Test
    void keepsTheMemberOfADeadProcessUntilItsSessionExpires() {
        MemoryCluster cluster = MemoryCluster.immediate();
        MemoryCluster.Node node = cluster.join();
        node.announce(ClusterKit.processor("p1", 21));

        node.die();
        assertThat(cluster.truth().processors()).hasSize(1);
        node.expire();
        assertThat(cluster.truth().processors()).isEmpty();
    }

    @Test
    void givesTheLeadOfADeadCoordinatorToTheNextOnceItsSessionExpires() {
        MemoryCluster cluster = MemoryCluster.immediate();
        MemoryCluster.Lead first = cluster.lead();
        MemoryCluster.Lead second = cluster.lead();

        first.die();
        assertThat(second.epoch()).isZero();
        first.expire();
        assertThat(second.epoch()).isEqualTo(2).isEqualTo(cluster.epoch());
    }

    @Test
    void revisionsGrow() {
        MemoryCluster cluster = MemoryCluster.immediate();
        MemoryCluster.Node node = cluster.join();
        List<Long> revisions = new ArrayList<>();
        revisions.add(node.view().revision());
        node.announce(ClusterKit.queue("q1", 11));
        revisions.add(node.view().revision());
        node.disconnect();
        revisions.add(node.view().revision());
        node.reconnect();
        revisions.add(node.view().revision());

        assertThat(revisions).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void removesAllLanesOrNone() {
        MemoryCluster cluster = MemoryCluster.immediate();
        MemoryCluster.Node lane = cluster.join();
        MemoryCluster.Node node = cluster.join();
        node.announce(ClusterKit.queue("q1", 11));
        lane.announce(ClusterKit.queue("q1.1", 12).in(JournalGroup.DEFAULT.lane(1)));
        node.close();
        JournalLosses none = cluster.truth().journals().losses();

        assertThatThrownBy(() -> cluster.unregister(List.of("q1", "q1.1"), none))
                .hasMessageContaining("q1.1 has returned");
        assertThat(cluster.truth().registered()).isEqualTo(2);

        lane.close();
        assertThat(cluster.unregister(List.of("q1", "q1.1"), none)).isTrue();
        assertThat(cluster.truth().registered()).isZero();
        assertThat(cluster.truth().journals().losses())
                .isEqualTo(none.plus(JournalGroup.DEFAULT).plus(JournalGroup.DEFAULT.lane(1)));
    }

    @Test
    void refusesARemovedNodeWithItsOldJournal() {
        MemoryCluster cluster = MemoryCluster.immediate();
        cluster.lose("h");
        MemoryCluster.Node node = cluster.join();
        node.announce(ClusterKit.queue("q1", 11).with(JournalState.of(7)));
        node.close();
        cluster.unregister(List.of("q1"), cluster.truth().journals().losses());

        MemoryCluster.Node returning = cluster.join();
        returning.announce(ClusterKit.queue("q1", 12).with(JournalState.registered(7, "h")));
        assertThat(cluster.truth().queues()).isEmpty();

        returning.announce(ClusterKit.queue("q1", 12).with(JournalState.of(8)));
        assertThat(cluster.truth().queues()).hasSize(1);
    }

    private abstract static class Kit extends ClusterContract {
        private final MemoryCluster cluster;
        private final List<MemoryCluster.Node> nodes = new ArrayList<>();
        private final List<MemoryCluster.Lead> leads = new ArrayList<>();

        Kit(MemoryCluster cluster) {
            this.cluster = cluster;
        }

        @Override
        protected Cluster join() {
            nodes.add(cluster.join());
            return nodes.get(nodes.size() - 1);
        }

        @Override
        protected CycleStore lead() {
            leads.add(cluster.lead());
            return leads.get(leads.size() - 1);
        }

        @Override
        protected void expire(Cluster node) {
            ((MemoryCluster.Node) node).expire();
        }

        @Override
        protected void expire(CycleStore lead) {
            ((MemoryCluster.Lead) lead).expire();
        }

        @Override
        protected void overtake(CycleStore lead) {
            ((MemoryCluster.Lead) lead).overtake();
        }

        @Override
        protected void requestReplay(ReplayRequest request) {
            cluster.requestReplay(request);
        }

        @Override
        protected void withdrawReplay(String id) {
            cluster.withdrawReplay(id);
        }

        @Override
        protected void stop() {
            nodes.forEach(MemoryCluster.Node::disconnect);
            leads.forEach(MemoryCluster.Lead::disconnect);
        }

        @Override
        protected void start() {
            nodes.forEach(MemoryCluster.Node::reconnect);
            leads.forEach(MemoryCluster.Lead::reconnect);
        }

        @Override
        protected void step() {
            cluster.step();
        }
    }
}
