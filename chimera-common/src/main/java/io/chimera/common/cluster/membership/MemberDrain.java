package io.chimera.common.cluster.membership;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Tracks the drain of one member, from its request to leave until no open work refers to the member. The member may
 * then stop without a reassignment. Single-threaded.
 */
public final class MemberDrain {
    /**
     * Settling time after the announced departure. A conductor with an older view may begin one more cycle with the
     * member. The conductor sees the announcement within milliseconds; a cycle begun later costs a reassignment and
     * nothing else.
     */
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Cluster cluster;
    private final long session;

    /** Time since which no view gives the member further work; empty before. */
    private OptionalLong settlingSinceNs = OptionalLong.empty();

    /** Tracks the member with a session. */
    public MemberDrain(Clock clock, Cluster cluster, long session) {
        this.clock = clock;
        this.cluster = cluster;
        this.session = session;
    }

    /** Reason why the drain has not finished, phrased to complete "waits for …"; empty once the member may stop. */
    public Optional<String> awaits() {
        ClusterView view = cluster.view();
        if (!view.connected()) {
            return Optional.of("the connection to the coordinator");
        }
        if (isMember(view) && !isShownLeaving(view)) {
            settlingSinceNs = OptionalLong.empty();
            return Optional.of("the coordinator to record the departure");
        }
        long nowNs = clock.nanoTime();
        long sinceNs = settlingSinceNs.orElse(nowNs);
        settlingSinceNs = OptionalLong.of(sinceNs);
        OptionalLong cycle = openWork(view);
        if (cycle.isPresent()) {
            return Optional.of("cycle " + cycle.getAsLong() + " to be committed");
        }
        return nowNs - sinceNs < SETTLED_NS ? Optional.of("cycles that may just have begun") : Optional.empty();
    }

    /** A process without an announcement has no work: it never joined, or its session has expired. */
    private boolean isMember(ClusterView view) {
        return view.queue(session).isPresent() || view.processor(session).isPresent();
    }

    private boolean isShownLeaving(ClusterView view) {
        return view.queue(session).filter(QueueMember::leaving).isPresent()
                || view.processor(session).filter(ProcessorMember::leaving).isPresent();
    }

    private OptionalLong openWork(ClusterView view) {
        return view.open().stream()
                .filter(this::isNamedBy)
                .mapToLong(open -> open.cycle().number())
                .findFirst();
    }

    private boolean isNamedBy(OpenCycle open) {
        if (!open.isCommitted() && open.assignment().owners().contains(session)) {
            return true;
        }
        for (int shard = 0; shard < open.cycle().shards(); shard++) {
            if (!open.isCommitted(shard) && open.assignment().processors().get(shard) == session) {
                return true;
            }
        }
        return false;
    }
}
