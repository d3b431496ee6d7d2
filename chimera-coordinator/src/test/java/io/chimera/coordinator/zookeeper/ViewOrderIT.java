package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.TestSessions.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ShardCommit;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.Agent;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;

/** Tests that no view contradicts an earlier view while cycles begin and end and connections break. */
final class ViewOrderIT {
    private static final int CYCLES = 60;

    private final Queue<String> contradictions = new ConcurrentLinkedQueue<>();

    @Test
    void noViewEverGoesBackOrLacksWhatACycleBeginsAbove() throws Exception {
        try (TestingServer server = new TestingServer();
                TestSessions sessions = new TestSessions(server.getConnectString(), "order");
                AgentThreads threads = new AgentThreads("order", error -> contradictions.add(error.toString()))) {
            ZooKeeperSession node = sessions.open();
            ZooKeeperSession coordinator = sessions.open();
            CycleStore lead = coordinator.conductorship("c1");
            until(() -> lead.epoch() > 0 && node.view().connected());
            threads.start(new Watcher(node.cluster(), "node"));
            threads.start(new Watcher(coordinator.cluster(), "coordinator"));

            for (long number = 1; number <= CYCLES; number++) {
                runCycle(lead, node.cluster(), number);
                if (number == CYCLES / 3) {
                    sessions.expire(node);
                }
                if (number == 2 * CYCLES / 3) {
                    server.restart();
                    until(() -> lead.epoch() > 0);
                }
            }
            until(() -> node.view().low().cycle() == CYCLES);
        }
        assertThat(contradictions).isEmpty();
    }

    private static void runCycle(CycleStore lead, Cluster node, long number) {
        Assignment assignment = new Assignment(0, List.of(11L), List.of(21L));
        // Retried until accepted, as the conductor does: the connection may break at any of these steps.
        until(() -> lead.view().cycles().containsKey(number) || lead.begin(cycle(lead, number), assignment));
        node.commit(new ShardCommit(number, 0, 21, new ShardCommit.Accounts(1, 0, 0, 0), 1, 0), 0);
        until(() -> {
            OpenCycle open = lead.view().cycles().get(number);
            return open != null && open.isCommitted();
        });
        Cycle cycle = lead.view().cycles().get(number).cycle();
        LowMark.Totals totals = new LowMark.Totals(number, number, 0, 0, 0, number);
        until(() -> lead.advance(new LowMark(number, cycle.timeMs(), cycle.cut(), totals)));
    }

    private static Cycle cycle(CycleStore lead, long number) {
        Positions cut = Positions.of(7, number);
        return new Cycle(number, lead.epoch(), number, cut, List.of(11L), List.of(21L));
    }

    /** Checks every view of a cluster. */
    private final class Watcher implements Agent {
        private final Cluster cluster;
        private final String name;
        private long last;
        private long revision;

        Watcher(Cluster cluster, String name) {
            this.cluster = cluster;
            this.name = name;
        }

        @Override
        public int doWork() {
            ClusterView view = cluster.view();
            if (view.revision() == revision) {
                return 1; // spins to miss no view
            }
            long known =
                    view.cycles().isEmpty() ? view.low().cycle() : view.cycles().lastKey();
            if (known < last || view.revision() < revision) {
                contradictions.add(name + " went back from cycle " + last + ": " + view);
            }
            for (long open : view.cycles().keySet()) {
                if (view.cutBefore(open).isEmpty()) {
                    contradictions.add(name + " lacks what cycle " + open + " begins above: " + view);
                }
            }
            last = known;
            revision = view.revision();
            return 1;
        }

        @Override
        public String roleName() {
            return name;
        }
    }
}
