package io.chimera.node.launch;

import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.ProcessorGauge;
import io.chimera.processor.ProcessorNode;
import io.chimera.processor.ProcessorStatus;
import io.chimera.processor.pipeline.BlockPool;
import io.chimera.processor.pipeline.Rebuilding;
import io.chimera.processor.pipeline.TopGroups;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Metrics and status page of a processor. */
final class ProcessorReport {
    private static final String COMPONENT = "processor";

    private ProcessorReport() {}

    /** Registers the metrics of a lane, with the label of the lane. */
    static void register(Metrics ofNode, ProcessorLane lane) {
        Metrics metrics = ofNode.lane(lane.number());
        metrics.register(COMPONENT, lane.counters());
        ProcessorNode node = lane.node();
        Map<ProcessorGauge, ToLongFunction<ProcessorStatus>> gauges = new LinkedHashMap<>();
        gauges.put(ProcessorGauge.EXTRACTOR_QUEUE_NODES, ProcessorStatus::queueNodes);
        gauges.put(ProcessorGauge.EXTRACTOR_SLOTS_USED, ProcessorStatus::slotsUsed);
        gauges.put(ProcessorGauge.STAGING_CYCLES, ProcessorStatus::stagedCycles);
        gauges.put(ProcessorGauge.STAGING_SIZE_BYTES, ProcessorStatus::warehouseBytes);
        gauges.put(
                ProcessorGauge.COMPOSER_PARTITIONS_REBUILDING, status -> Rebuilding.partitionsOf(status.rebuilding()));
        gauges.put(ProcessorGauge.COMPOSER_REBUILD_CYCLES_LEFT, status -> Rebuilding.cyclesLeftOf(status.rebuilding()));
        gauges.put(ProcessorGauge.COMPOSER_REBUILD_AGE_SECONDS, status -> Rebuilding.ageSecondsOf(status.rebuilding()));
        gauges.put(ProcessorGauge.COMPOSER_POOL_THREADS_USED, status -> BlockPool.usedOf(status.pools()));
        gauges.put(ProcessorGauge.COMPOSER_POOL_POINTS_WAITING, status -> BlockPool.waitingOf(status.pools()));
        gauges.put(ProcessorGauge.FLUSHER_SHARDS_WAITING, ProcessorStatus::flushing);
        gauges.put(ProcessorGauge.FLUSHER_SHARDS_VERIFYING, ProcessorStatus::verifying);
        gauges.put(ProcessorGauge.STORE_STORES_OUT, ProcessorStatus::storesOut);
        gauges.put(ProcessorGauge.STORE_OUTAGE_AGE_SECONDS, status -> status.storeOutageMs() / 1_000);
        gauges.forEach((gauge, value) -> metrics.register(COMPONENT, gauge, () -> value.applyAsLong(node.status())));
        metrics.register(COMPONENT, ProcessorGauge.LETTERS_SIZE_BYTES, () -> node.letters()
                .usedBytes());
        metrics.register(COMPONENT, ProcessorGauge.LETTERS_LIMIT_BYTES, () -> node.letters()
                .bytesMax());
    }

    /** Returns the status page: the figures of all lanes together, then of each lane. */
    static Map<String, Object> status(List<ProcessorLane> lanes) {
        List<ProcessorStatus> all = new ArrayList<>();
        List<Map<String, Object>> shown = new ArrayList<>();
        for (ProcessorLane lane : lanes) {
            ProcessorStatus now = lane.node().status();
            all.add(now);
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("lane", lane.number());
            figures.put("id", lane.id());
            figures.putAll(figures(now));
            shown.add(figures);
        }
        Map<String, Object> status = figures(ProcessorStatus.together(all));
        status.put("lanes", shown);
        return status;
    }

    private static Map<String, Object> figures(ProcessorStatus now) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("queue_nodes", now.queueNodes());
        figures.put("slots_used", now.slotsUsed());
        figures.put("staged_cycles", now.stagedCycles());
        figures.put("warehouse_bytes", now.warehouseBytes());
        figures.put("shards_flushing", now.flushing());
        figures.put("shards_verifying", now.verifying());
        figures.put("rebuilding", rebuilding(now.rebuilding()));
        figures.put("pools", pools(now.pools()));
        figures.put("heaviest", heaviest(now.heaviest()));
        return figures;
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

    private static List<Map<String, Object>> pools(List<BlockPool> all) {
        List<Map<String, Object>> shown = new ArrayList<>();
        for (BlockPool pool : all) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("pipeline", pool.pipeline());
            figures.put("block", pool.use().block());
            figures.put("replay", pool.isReplay());
            figures.put("threads", pool.use().threads());
            figures.put("used", pool.use().used());
            figures.put("waiting", pool.use().waiting());
            shown.add(figures);
        }
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
}
