package io.chimera.common.cluster;

import io.chimera.common.agent.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Follows one member from its wish to leave to the moment when no open work names it any more. It may go then without
 * anything being assigned anew. One thread.
 */
public final class Farewell {
    /**
     * A conductor that has not seen the wish yet may begin one more cycle that names the member. It sees it within
     * milliseconds; a later one costs a reassignment and nothing else.
     */
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Cluster cluster;
    private final long session;
    private boolean isShown;
    private long shownSinceNs;

    /** Follows the member of a session. */
    public Farewell(Clock clock, Cluster cluster, long session) {
        this.clock = clock;
        this.cluster = cluster;
        this.session = session;
    }

    /** What it still waits for, in words that follow "waits for"; empty when it may go. */
    public Optional<String> awaits() {
        ClusterView view = cluster.view();
        if (!view.connected()) {
            return Optional.of("the connection to the coordinator");
        }
        if (!isShownLeaving(view)) {
            isShown = false;
            return Optional.of("the coordinator to note that it leaves");
        }
        long nowNs = clock.nanoTime();
        shownSinceNs = isShown ? shownSinceNs : nowNs;
        isShown = true;
        OptionalLong cycle = openWork(view);
        if (cycle.isPresent()) {
            return Optional.of("cycle " + cycle.getAsLong() + " to be committed");
        }
        return nowNs - shownSinceNs < SETTLED_NS
                ? Optional.of("cycles that may have begun just now")
                : Optional.empty();
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
