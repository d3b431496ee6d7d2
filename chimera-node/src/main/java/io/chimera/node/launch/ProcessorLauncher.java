package io.chimera.node.launch;

import io.chimera.api.spi.Store;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.metrics.ProcessorGauge;
import io.chimera.common.plugin.PluginHost;
import io.chimera.node.config.ArchiveStores;
import io.chimera.node.config.StorePlugins;
import io.chimera.node.http.NodeFace;
import io.chimera.node.http.PastCycles;
import io.chimera.node.plugin.PluginNotices;
import io.chimera.processor.FlushRules;
import io.chimera.processor.ProcessorEnvironment;
import io.chimera.processor.ProcessorIdentity;
import io.chimera.processor.ProcessorNode;
import io.chimera.processor.ProcessorStatus;
import io.chimera.processor.pipeline.Rebuilding;
import io.chimera.processor.pipeline.TopGroups;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Starts a processor. */
final class ProcessorLauncher implements Launcher {
    @Override
    public RunningNode launch(NodeContext context) {
        Opened opened = new Opened(context.errors());
        try {
            return launch(context, opened);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private static RunningNode launch(NodeContext context, Opened opened) {
        ChimeraConfig config = context.config();
        NodePorts links = NodePorts.open(context, opened);
        Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
        NodeArchives archives = new NodeArchives(context);
        ProcessorNode node = opened.add(new ProcessorNode(
                identity(context),
                new ProcessorEnvironment(
                        context.clock(),
                        links.cluster(),
                        links.transport(),
                        counters,
                        context.errors(),
                        context.plugins()),
                config.processor(),
                new TreeMap<>(config.pipelines()),
                stores(context, archives.stores()),
                FlushRules.of(config.stores())));
        register(context.metrics(), counters, node);
        node.start();
        Map<String, HttpHandler> pages = archives.pages(links.cluster(), opened); // closed before the stores
        NodeFace face = new MemberFace(
                context,
                () -> notReady(node, links),
                () -> warnings(node, links, context.notices()),
                () -> status(node),
                PastCycles.NONE,
                Map.of(),
                pages);
        OpenedNode.Holding holding = (digest, next, plugins) -> context.hosts()
                .hold(plugins, host -> node.hold(digest, new TreeMap<>(next.pipelines()), host), node::plugins);
        return new OpenedNode(face, holding, forGood -> node.leave(), node::awaits, opened);
    }

    private static ProcessorIdentity identity(NodeContext context) {
        return new ProcessorIdentity(
                context.config().coordinator().cluster(),
                context.id(),
                context.ids().getAsLong(),
                context.host(),
                context.http(),
                context.agreement(),
                context.dataDir());
    }

    /** Creates and opens all configured stores. */
    private static Map<String, Store> stores(NodeContext context, ArchiveStores archives) {
        PluginHost plugins = context.plugins();
        Map<String, Store> stores = new TreeMap<>();
        context.config().stores().forEach((name, store) -> {
            Store made = StorePlugins.create(
                    name, store, plugins, archives, context.certificates().store(name));
            made.open(StorePlugins.context(name, store, plugins));
            stores.put(name, made);
        });
        return stores;
    }

    private static void register(Metrics metrics, Counters<ProcessorCounter> counters, ProcessorNode node) {
        metrics.register("processor", counters);
        metrics.register("processor", ProcessorGauge.EXTRACTOR_QUEUE_NODES, () ->
                (long) node.status().queueNodes());
        metrics.register("processor", ProcessorGauge.EXTRACTOR_SLOTS_USED, () -> node.status()
                .slotsUsed());
        metrics.register("processor", ProcessorGauge.STAGING_CYCLES, () ->
                (long) node.status().stagedCycles());
        metrics.register("processor", ProcessorGauge.STAGING_SIZE_BYTES, () -> node.status()
                .warehouseBytes());
        metrics.register(
                "processor",
                ProcessorGauge.COMPOSER_PARTITIONS_REBUILDING,
                () -> Rebuilding.partitionsOf(node.status().rebuilding()));
        metrics.register(
                "processor",
                ProcessorGauge.COMPOSER_REBUILD_CYCLES_LEFT,
                () -> Rebuilding.cyclesLeftOf(node.status().rebuilding()));
        metrics.register(
                "processor",
                ProcessorGauge.COMPOSER_REBUILD_AGE_SECONDS,
                () -> Rebuilding.ageSecondsOf(node.status().rebuilding()));
        metrics.register("processor", ProcessorGauge.FLUSHER_SHARDS_WAITING, () ->
                (long) node.status().flushing());
        metrics.register("processor", ProcessorGauge.STORE_STORES_OUT, () ->
                (long) node.status().storesOut());
        metrics.register(
                "processor",
                ProcessorGauge.STORE_OUTAGE_AGE_SECONDS,
                () -> node.status().storeOutageMs() / 1_000);
        metrics.register("processor", ProcessorGauge.LETTERS_SIZE_BYTES, () -> node.letters()
                .usedBytes());
        metrics.register("processor", ProcessorGauge.LETTERS_LIMIT_BYTES, () -> node.letters()
                .bytesMax());
        metrics.register("processor", ProcessorGauge.FLUSHER_SHARDS_VERIFYING, () ->
                (long) node.status().verifying());
    }

    private static List<String> notReady(ProcessorNode node, NodePorts links) {
        ProcessorStatus status = node.status();
        List<String> reasons = new ArrayList<>(links.problems());
        status.notReady().ifPresent(reasons::add);
        status.storeOutage().ifPresent(reasons::add);
        return reasons;
    }

    private static List<String> warnings(ProcessorNode node, NodePorts links, PluginNotices notices) {
        List<String> warnings = new ArrayList<>(notices.all());
        warnings.addAll(links.warnings());
        warnings.addAll(node.letters().warnings());
        return warnings;
    }

    private static Map<String, Object> heaviest(TopGroups heaviest) {
        List<Map<String, Object>> groups = new ArrayList<>();
        for (TopGroups.Group group : heaviest.groups()) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("pipeline", group.pipeline());
            shown.put("metric", group.key().metric());
            shown.put("tags", group.key().tags().asMap());
            shown.put("values", group.values());
            groups.add(shown);
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("cycle", heaviest.cycle());
        shown.put("points", heaviest.points());
        shown.put("groups", groups);
        return shown;
    }

    private static List<Map<String, Object>> rebuilding(List<Rebuilding> all) {
        List<Map<String, Object>> shown = new ArrayList<>();
        for (Rebuilding one : all) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("pipeline", one.pipeline());
            figures.put("partitions", one.partitions());
            figures.put("cycle", one.cycle());
            figures.put("last", one.last());
            figures.put("cycles_done", one.cyclesDone());
            figures.put("cycles_left", one.cyclesLeft());
            figures.put("age_ms", one.ageMs());
            shown.add(figures);
        }
        return shown;
    }

    private static Map<String, Object> status(ProcessorNode node) {
        ProcessorStatus now = node.status();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("queue_nodes", now.queueNodes());
        status.put("slots_used", now.slotsUsed());
        status.put("staged_cycles", now.stagedCycles());
        status.put("warehouse_bytes", now.warehouseBytes());
        status.put("shards_flushing", now.flushing());
        status.put("shards_verifying", now.verifying());
        status.put("rebuilding", rebuilding(now.rebuilding()));
        status.put("heaviest", heaviest(now.heaviest()));
        return status;
    }
}
