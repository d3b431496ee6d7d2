package io.chimera.faults.sim.plane;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import java.util.List;

/**
 * Queue node or lane without a data path: its journal grows, and holds the streams of its group. Announces its
 * positions as often as a queue node with cycles of 1 s.
 */
final class LightQueue {
    /** Interval of announcements: a tenth of the cycle. */
    static final long ANNOUNCE_NS = 100_000_000;

    private static final long RECORDS = 100;
    private static final long PAST_CYCLES = 100;

    private final String id;
    private final long session;
    private final long stream;
    private final JournalGroup group;
    private final List<Long> copied;
    private final LightTime time;
    private final LightCluster shared;
    private final Cluster cluster;

    /**
     * Creates a queue node.
     *
     * @param copied streams of the queue nodes of the group, which copy each other's streams
     */
    LightQueue(
            String id,
            JournalGroup group,
            long session,
            long stream,
            List<Long> copied,
            LightTime time,
            LightCluster shared,
            Cluster cluster) {
        this.id = id;
        this.session = session;
        this.stream = stream;
        this.group = group;
        this.copied = copied;
        this.time = time;
        this.shared = shared;
        this.cluster = cluster;
    }

    void start(long atNs) {
        time.every(atNs, ANNOUNCE_NS, this::announce);
    }

    private void announce() {
        shared.append(stream, RECORDS);
        ClusterView view = cluster.view();
        Positions.Builder bases = Positions.builder();
        Positions.Builder positions = Positions.builder();
        for (long one : copied) {
            bases.put(one, view.low().cut().at(one));
            positions.put(one, Math.max(shared.position(one), view.low().cut().at(one)));
        }
        long low = view.low().cycle();
        cluster.announce(new QueueMember(
                id,
                group,
                session,
                "10.0.0.1:9500",
                "10.0.0.1:9510",
                stream,
                List.of(new ConfigurationDigest(PlaneRun.DIGEST)),
                bases.build(),
                positions.build(),
                false,
                List.of(),
                time.epochMs(),
                low == 0 ? List.of() : List.of(new CycleSpan(Math.max(1, low - PAST_CYCLES), low)),
                ControlMark.of(view.low().history(), low, view.newest()),
                JournalState.NONE));
    }
}
