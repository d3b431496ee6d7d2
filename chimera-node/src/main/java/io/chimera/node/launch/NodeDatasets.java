package io.chimera.node.launch;

import io.chimera.api.spi.Store;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.node.config.ArchiveStores;
import io.chimera.node.config.StorePlugins;
import io.chimera.node.dataset.worker.DatasetNode;
import io.chimera.node.dataset.worker.DatasetWorker;
import java.util.Map;
import java.util.Optional;

/**
 * Plugins and stores that a processor gives to jobs over data sets.
 *
 * @param context start parameters of the node
 * @param archives creates stores of type archive; none is given to jobs
 */
record NodeDatasets(NodeContext context, ArchiveStores archives) implements DatasetNode.NodeParts {
    /**
     * Opens the part of a node in jobs over data sets.
     *
     * @param session session of the node with ZooKeeper
     * @param archives creates stores of type archive
     * @param opened closes the part before the session
     * @return empty without a section datasets
     */
    static Optional<DatasetWorker> open(
            NodeContext context, ZooKeeperSession session, ArchiveStores archives, Opened opened) {
        if (context.config().datasets() == null) {
            return Optional.empty();
        }
        String token = context.config().node().token();
        DatasetNode node = new DatasetNode(
                context.id(),
                context.http(),
                token == null ? "" : token,
                Optional.ofNullable(context.certificates().node()),
                context.ids(),
                context.clock());
        return Optional.of(node.open(
                context.config().datasets(),
                context.dataDir(),
                new NodeDatasets(context, archives),
                session.datasets(),
                context.metrics(),
                context.errors(),
                opened::add));
    }

    @Override
    public PluginHost get() {
        return context.plugins();
    }

    @Override
    public Optional<Store> store(String name) {
        Map<String, StoreConfig> stores = context.config().stores();
        StoreConfig config = stores.get(name);
        if (config == null || config.type().equals(StoreConfig.ARCHIVE)) {
            return Optional.empty();
        }
        Store store = StorePlugins.create(
                name,
                config,
                context.plugins(),
                archives,
                context.certificates().store(name));
        store.open(StorePlugins.context(name, config, context.plugins()));
        return Optional.of(store);
    }
}
