package io.chimera.coordinator;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;

/** Journal that grows by one point per ms, and measures how late this node sees each cycle begin. */
final class GrowingQueue implements Agent {
    private static final long STREAM = 0x5;
    private static final long ANNOUNCE_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Cluster cluster;
    private final Clock clock;
    private final String id;
    private final long session;
    private final long startNs;
    private long announceAtNs;
    private long lastSeen;
    private long latencyMsSum;
    private long latencyMsMax;
    private long latencies;

    GrowingQueue(Cluster cluster, Clock clock, String id, long session) {
        this.cluster = cluster;
        this.clock = clock;
        this.id = id;
        this.session = session;
        startNs = clock.nanoTime();
        announceAtNs = startNs;
    }

    /** Returns the mean and maximum time from the start of a period to the first view with its cycle. */
    String latency() {
        return String.format(
                "mean %.1f ms, max %d ms over %d cycles", (double) latencyMsSum / latencies, latencyMsMax, latencies);
    }

    @Override
    public int doWork() {
        ClusterView view = cluster.view();
        if (!view.cycles().isEmpty() && view.cycles().lastKey() > lastSeen) {
            if (lastSeen > 0) {
                long latencyMs = clock.epochMs()
                        - view.cycles().get(view.cycles().lastKey()).cycle().timeMs();
                latencyMsSum += latencyMs;
                latencyMsMax = Math.max(latencyMsMax, latencyMs);
                latencies++;
            }
            lastSeen = view.cycles().lastKey();
        }
        long nowNs = clock.nanoTime();
        if (nowNs - announceAtNs < 0) {
            return 0;
        }
        announceAtNs = nowNs + ANNOUNCE_EVERY_NS;
        long position = 1 + TimeUnit.NANOSECONDS.toMillis(nowNs - startNs);
        cluster.announce(new QueueMember(
                id,
                session,
                "127.0.0.1:3",
                "127.0.0.1:4",
                session,
                "d",
                Positions.NONE,
                Positions.of(STREAM, position),
                false));
        return 1;
    }

    @Override
    public String roleName() {
        return id;
    }
}
