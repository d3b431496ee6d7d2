package io.chimera.apps.archive;

import io.chimera.archive.distributed.ClusterQuery;
import io.chimera.archive.distributed.NodeChoice;
import io.chimera.archive.distributed.NodeSearch;
import io.chimera.archive.distributed.Peers;
import io.chimera.archive.query.PacketKeys;
import io.chimera.archive.query.Question;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.function.Supplier;

/** All archive nodes of a cluster, to be asked as one. Any thread. */
public final class ClusterArchive {
    private final Supplier<ClusterView> view;
    private final Peers peers;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;

    /** Asks those whom the view shows. */
    public ClusterArchive(Supplier<ClusterView> view, Peers peers, Clock clock, Counters<ArchiveCounter> counters) {
        this.view = view;
        this.peers = peers;
        this.clock = clock;
        this.counters = counters;
    }

    /**
     * Asks.
     *
     * @throws ChimeraException when the question is not understood, or there are no archive nodes
     */
    public ClusterQuery ask(Question question) {
        ClusterView now = view.get();
        if (now.archives().live().isEmpty() && now.archives().known().isEmpty()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "There are no archive nodes in this cluster; recorders join it by chimera archive record --cluster.");
        }
        NodeChoice choice = new NodeSearch(PacketKeys.keys(), peers).choose(question, now, clock.epochNs());
        counters.add(ArchiveCounter.SHARED_NODES_ASKED, choice.targets().size());
        counters.add(ArchiveCounter.SHARED_NODES_SKIPPED, choice.skipped());
        return new ClusterQuery(choice, question, peers);
    }
}
