package io.chimera.node.launch;

import io.chimera.api.spi.Store;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.identity.LaneId;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.node.config.ArchiveStores;
import io.chimera.node.config.StorePlugins;
import io.chimera.processor.FlushRules;
import io.chimera.processor.LaneLimits;
import io.chimera.processor.ProcessorEnvironment;
import io.chimera.processor.ProcessorIdentity;
import io.chimera.processor.ProcessorNode;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.CloseHelper;

/**
 * Lane of a processor: a complete processor for the cluster, with a session, a port, threads and stores of its own and
 * a share of the limits. Lane 0 has the id and the folder of the node.
 *
 * @param number number of the lane, from 0
 * @param id id of the member of the cluster
 * @param counters counters of the lane
 * @param node the processor
 */
record ProcessorLane(int number, String id, Counters<ProcessorCounter> counters, ProcessorNode node) {
    /**
     * Wires a lane; nothing runs yet.
     *
     * @param lanes number of lanes of the processor
     * @param number number of the lane, from 0
     * @param archives creates stores of type archive
     */
    static ProcessorLane wire(NodeContext context, LanePorts ports, int lanes, int number, ArchiveStores archives) {
        ChimeraConfig config = context.config();
        String id = LaneId.of(context.id(), number);
        Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
        ProcessorNode node = new ProcessorNode(
                identity(context, id, number),
                new ProcessorEnvironment(
                        context.clock(),
                        ports.cluster(),
                        ports.transport(),
                        counters,
                        context.errors(),
                        context.plugins()),
                LaneLimits.of(config.processor(), lanes, number),
                new TreeMap<>(config.pipelines()),
                stores(context, archives),
                FlushRules.of(config.stores()));
        return new ProcessorLane(number, id, counters, node);
    }

    private static ProcessorIdentity identity(NodeContext context, String id, int number) {
        return new ProcessorIdentity(
                context.config().coordinator().cluster(),
                id,
                context.ids().getAsLong(),
                context.host(),
                context.http(),
                context.agreement(),
                LaneId.folder(context.dataDir(), number));
    }

    /** Creates and opens all configured stores, or none. */
    private static Map<String, Store> stores(NodeContext context, ArchiveStores archives) {
        Map<String, Store> stores = new TreeMap<>();
        try {
            open(context, archives, stores);
        } catch (RuntimeException | LinkageError e) {
            CloseHelper.closeAll(context.errors(), stores.values());
            throw e;
        }
        return stores;
    }

    private static void open(NodeContext context, ArchiveStores archives, Map<String, Store> stores) {
        context.config().stores().forEach((name, store) -> {
            Store made = StorePlugins.create(
                    name,
                    store,
                    context.plugins(),
                    archives,
                    context.certificates().store(name));
            made.open(StorePlugins.context(name, store, context.plugins()));
            stores.put(name, made);
        });
    }
}
