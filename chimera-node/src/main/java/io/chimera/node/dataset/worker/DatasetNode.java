package io.chimera.node.dataset.worker;

import io.chimera.api.spi.Store;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.netty.NodeTls;
import io.chimera.common.config.CopiesConfig;
import io.chimera.common.config.DatasetsConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.WorkerCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.coordinator.zookeeper.SharedFolder;
import io.chimera.dataset.cluster.JobMetrics;
import io.chimera.dataset.cluster.WorkerContext;
import io.chimera.dataset.cluster.WorkerFolder;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.copy.CopyStore;
import io.chimera.dataset.definition.CopySettings;
import io.chimera.node.dataset.board.ZooKeeperJobBoard;
import io.chimera.node.dataset.worker.DatasetWorker.WorkThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * Address, identity and services of a node for jobs over data sets.
 *
 * @param id name of the node
 * @param http address of the node's HTTP port for other nodes
 * @param token token of the node for other nodes; empty without one
 * @param tls certificates of connections between nodes; empty for plain HTTP
 * @param ids draws identities, never 0
 * @param clock time
 */
public record DatasetNode(String id, String http, String token, Optional<NodeTls> tls, LongSupplier ids, Clock clock) {
    /** Receives what is to be closed in reverse order. */
    public interface Closing {
        /** Adds a resource. */
        <T extends AutoCloseable> T add(T resource);
    }

    /** Plugins and stores that jobs use. */
    public interface NodeParts extends Supplier<PluginHost> {
        /**
         * Creates and opens a store of the node's configuration for a job.
         *
         * @param name name in the configuration
         * @return empty for an unknown name, or a store that has a single writer
         */
        Optional<Store> store(String name);
    }

    /**
     * Opens the node's part; {@link DatasetWorker#start} starts it.
     *
     * @param rules section of the configuration
     * @param dataDir directory of the node, for a relative folder of results
     * @param parts plugins and stores
     * @param tree folder of the jobs in the cluster's tree
     * @param metrics metrics of the node
     * @param errors receives defects
     * @param closing receives the opened resources
     * @throws ChimeraException when the folder of the results cannot be used
     */
    public DatasetWorker open(
            DatasetsConfig rules,
            Path dataDir,
            NodeParts parts,
            SharedFolder tree,
            Metrics metrics,
            ErrorHandler errors,
            Closing closing) {
        int threads = rules.threads(Runtime.getRuntime().availableProcessors());
        Counters<DatasetCounter> counters = new Counters<>(DatasetCounter.class);
        Counters<WorkerCounter> work = new Counters<>(WorkerCounter.class);
        metrics.register("dataset_results", counters);
        metrics.register("dataset", work);
        WorkerFolder folder = closing.add(folder(dataDir.resolve(rules.folder())));
        ResultService results = closing.add(new ResultService(folder, counters));
        Optional<CopyStore> copies = Optional.ofNullable(rules.copies())
                .map(section -> copies(section, dataDir, dataDir.resolve(rules.folder())));
        copies.ifPresent(closing::add);
        ZooKeeperJobBoard board = new ZooKeeperJobBoard(tree, counters);
        WorkThreads pool = closing.add(new WorkThreads(threads));
        HttpResultTransfer transfer = closing.add(new HttpResultTransfer(tls, token));
        WorkerContext context = new WorkerContext(
                board,
                new WorkerSession(ids.getAsLong(), folder.id(), id, http, threads),
                folder,
                new NodePrograms(new SourceRules(rules), copies, threads, parts, parts::store, clock),
                new BufferedTransfer(transfer),
                pool,
                rules.memory().bytes(),
                clock,
                work,
                new JobMetrics(metrics));
        return closing.add(new DatasetWorker(context, pool, board, results, errors));
    }

    private CopyStore copies(CopiesConfig section, Path dataDir, Path jobs) {
        try {
            return CopyStore.open(section.folder(dataDir, jobs), CopySettings.limits(section), clock);
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "datasets.copies: " + e.getMessage(), e);
        }
    }

    private WorkerFolder folder(Path path) {
        try {
            return WorkerFolder.open(path, ids);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "The folder of datasets.folder cannot be used: " + e.getMessage(), e);
        }
    }
}
