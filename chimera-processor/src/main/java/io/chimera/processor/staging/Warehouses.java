package io.chimera.processor.staging;

import io.chimera.common.config.ProcessorConfig;
import io.chimera.processor.Pipeline;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.OffHeapWarehouse;
import io.chimera.processor.staging.warehouse.OnHeapWarehouse;
import io.chimera.processor.staging.warehouse.Plugins;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Makes the warehouses of a processor, which share one pool of memory. Staging's thread. */
final class Warehouses implements AutoCloseable {
    private final boolean offHeap;
    private final ChunkPool pool;
    private List<Plugins> plugins = List.of();

    /** Those that wait for a transmission: as many as were being received at one time. */
    private final Deque<Dictionary> dictionaries = new ArrayDeque<>();

    Warehouses(ProcessorConfig config) {
        offHeap = config.warehouse() == ProcessorConfig.Warehouse.OFF_HEAP;
        pool = new ChunkPool(offHeap, config.maxBytes().bytes(), config.maxGroups());
    }

    /**
     * Warehouses from now on are for these pipelines.
     *
     * @return plugins by pipeline
     */
    List<Plugins> use(List<Pipeline> pipelines) {
        plugins = pipelines.stream()
                .map(pipeline -> new Plugins(pipeline.folding(), pipeline.merging()))
                .toList();
        return plugins;
    }

    /** The part's warehouse for a pipeline, a new one at first, with a dictionary. */
    Warehouse of(StagedPart part, int pipeline) {
        Warehouse warehouse = part.warehouse(pipeline);
        if (warehouse == null) {
            warehouse = offHeap
                    ? new OffHeapWarehouse(pool, plugins.get(pipeline))
                    : new OnHeapWarehouse(pool, plugins.get(pipeline));
            part.stage(pipeline, warehouse, dictionary(warehouse));
        }
        return warehouse;
    }

    private Dictionary dictionary(Warehouse warehouse) {
        Dictionary dictionary = dictionaries.isEmpty() ? new Dictionary(dictionaries) : dictionaries.pop();
        dictionary.open(warehouse);
        return dictionary;
    }

    /** Bytes in use. Any thread. */
    long bytesUsed() {
        return pool.bytesUsed();
    }

    @Override
    public void close() {
        pool.close();
    }
}
