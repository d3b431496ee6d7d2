package io.chimera.node.launch;

import io.chimera.common.agent.Clock;
import io.chimera.node.launch.Launcher.RunningNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the draining nodes of a process may stop: when all nodes are done, or when the time limit is over. Main
 * thread.
 */
final class NodeDrain {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDrain.class);

    private final Clock clock;
    private final List<RunningNode> nodes;
    private String logged = "";

    /** Creates the wait for nodes that were asked to leave. */
    NodeDrain(Clock clock, List<RunningNode> nodes) {
        this.clock = clock;
        this.nodes = nodes;
    }

    /**
     * Whether the process may end.
     *
     * @param untilNs deadline by the monotonic clock; empty without a time limit
     */
    boolean isOver(Optional<Long> untilNs) {
        String awaited = awaited();
        if (awaited.isEmpty()) {
            return true;
        }
        if (!awaited.equals(logged)) {
            logged = awaited;
            LOG.info("Draining: {}.", awaited);
        }
        boolean isLate = untilNs.isPresent() && clock.nanoTime() - untilNs.get() >= 0;
        if (isLate) {
            LOG.warn(
                    "Drain timeout (node.drain_within) exceeded, stopping: {}. The journals keep the open work for"
                            + " other nodes, or for the next start.",
                    awaited);
        }
        return isLate;
    }

    private String awaited() {
        List<String> all = new ArrayList<>();
        nodes.forEach(node -> node.awaits()
                .ifPresent(
                        what -> all.add(node.face().role() + " " + node.face().id() + " waits for " + what)));
        return String.join("; ", all);
    }

    /** Returns the deadline of a drain with a time limit. */
    static Optional<Long> until(Clock clock, Duration within) {
        return Optional.of(clock.nanoTime() + within.toNanos());
    }
}
