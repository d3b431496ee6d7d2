package io.chimera.archive.server;

import io.chimera.archive.distributed.ClusterPoints;
import io.chimera.archive.distributed.ClusterQuery;
import io.chimera.archive.distributed.NodeChoice;
import io.chimera.archive.distributed.NodeSearch;
import io.chimera.archive.distributed.Peers;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.Optional;
import java.util.function.Supplier;

/** Queries all archive nodes of a cluster as one archive. Any thread. */
public final class ClusterArchive {
    private final Supplier<ClusterView> view;
    private final Peers peers;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;

    /** Creates an archive of the nodes in the current cluster view. */
    public ClusterArchive(Supplier<ClusterView> view, Peers peers, Clock clock, Counters<ArchiveCounter> counters) {
        this.view = view;
        this.peers = peers;
        this.clock = clock;
        this.counters = counters;
    }

    /**
     * Asks a question.
     *
     * @param wanted kind of the items; may be empty if all nodes hold the same kind
     * @throws ChimeraException when the question cannot be parsed, or the cluster has no archive nodes
     */
    public FoundItems ask(Question question, Optional<ArchiveKind> wanted) {
        ClusterView now = view.get();
        if (now.archives().isEmpty()) {
            throw new ChimeraException(
                    Category.ERROR,
                    now.connected()
                            ? "The cluster has no archive nodes. Start a recorder with chimera archive record"
                                    + " --cluster, or configure a processor with a store of type archive."
                            : "ZooKeeper is not connected, and no archive node is known. Retry when ZooKeeper is"
                                    + " available.");
        }
        ArchiveKind kind = wanted.orElseGet(() -> kind(now.archives()));
        if (now.archives().of(kind).isEmpty()) {
            throw new ChimeraException(Category.WARN, "No archive node of this cluster holds " + kind + ".");
        }
        NodeChoice choice = new NodeSearch(kind, peers).choose(question, now, clock.epochNs());
        counters.add(ArchiveCounter.SHARED_NODES_ASKED, choice.targets().size());
        counters.add(ArchiveCounter.SHARED_NODES_SKIPPED, choice.skipped());
        return kind == ArchiveKind.POINTS
                ? new ClusterPoints(choice, question, peers)
                : new ClusterQuery(choice, question, peers);
    }

    private static ArchiveKind kind(Archives archives) {
        boolean hasPoints = !archives.of(ArchiveKind.POINTS).isEmpty();
        if (hasPoints && !archives.of(ArchiveKind.PACKETS).isEmpty()) {
            throw new ChimeraException(
                    Category.WARN,
                    "The archive nodes of this cluster hold both packets and data points. Select one with"
                            + " --kind packets or --kind points; over HTTP with kind=.");
        }
        return hasPoints ? ArchiveKind.POINTS : ArchiveKind.PACKETS;
    }
}
