package io.chimera.faults.sim.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Two queue nodes leave at almost the same time, at every phase of their periodic reads. The later one must know that
 * no other node stays, because an earlier view would let both leave with the only copies.
 */
final class DepartureOrderSim {
    private static final long STEP_NS = 100_000;
    private static final long ROUND_NS = 1_000_000_000;
    private static final int ROUNDS = 3_000;
    private static final int DELAYS = 60;

    /** Time within which the agents run often, as those of busy nodes do: more than a write takes. */
    private static final long BUSY_NS = 3_000_000;

    private static final long WAKE_NS = 300_000;

    private final PlaneTime time = new PlaneTime();
    private final PlaneServers servers = new PlaneServers(time);

    @Test
    void theLaterOfTwoLeavingNodesKnowsOfTheOther() {
        Leaver first = new Leaver(11, 0);
        Leaver second = new Leaver(12, 1);
        time.runUntil(ROUND_NS);

        for (int round = 0; round < ROUNDS; round++) {
            List.of(first, second).forEach(Leaver::stay);
            time.runUntil(time.nanoTime() + ROUND_NS + round * STEP_NS);
            assertThat(first.seesLeaving(11) || second.seesLeaving(12)).isFalse();

            first.leave(time.nanoTime());
            second.leave(time.nanoTime() + round % DELAYS * STEP_NS);
            time.runUntil(time.nanoTime() + ROUND_NS);

            assertThat(first.sawOther() || second.sawOther())
                    .as("round %s", round)
                    .isTrue();
        }
    }

    /** A queue node that notes what it knows of the other when it sees itself leave. */
    private final class Leaver {
        private final long session;
        private final long other;
        private final PlaneProcess process;
        private final Cluster cluster;
        private boolean isGone;
        private boolean isOtherSeen;

        Leaver(long session, int number) {
            this.session = session;
            other = 23 - session;
            process = new PlaneProcess(servers, session, number);
            cluster = process.session().openCluster();
            process.also(this::look);
            process.start(number * STEP_NS);
        }

        void stay() {
            announce(false);
        }

        void leave(long atNs) {
            isGone = false;
            isOtherSeen = false;
            time.at(atNs, () -> announce(true));
            for (long later = 0; later < BUSY_NS; later += WAKE_NS) {
                time.at(atNs + later, process::wake);
            }
        }

        private void look() {
            if (!isGone && seesLeaving(session)) {
                isGone = true;
                isOtherSeen = seesLeaving(other);
            }
        }

        boolean sawOther() {
            assertThat(isGone).isTrue();
            return isOtherSeen;
        }

        boolean seesLeaving(long member) {
            ClusterView view = cluster.view();
            return view.queue(member).filter(QueueMember::leaving).isPresent();
        }

        private void announce(boolean isLeaving) {
            cluster.announce(new QueueMember(
                    "q" + session,
                    JournalGroup.DEFAULT,
                    session,
                    "10.0.0.1:9500",
                    "10.0.0.1:9510",
                    session,
                    List.of(new ConfigurationDigest(PlaneRun.DIGEST)),
                    Positions.NONE,
                    Positions.NONE,
                    isLeaving,
                    List.of(),
                    time.epochMs(),
                    List.of(),
                    ControlMark.NONE,
                    JournalState.NONE));
        }
    }
}
