package io.chimera.processor.staging;

import io.chimera.common.config.ProcessorConfig;
import io.chimera.processor.Pipeline;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.OffHeapWarehouse;
import io.chimera.processor.staging.warehouse.OnHeapWarehouse;
import io.chimera.processor.staging.warehouse.Plugins;
import io.chimera.processor.staging.warehouse.Sketches;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Makes the warehouses of a processor, which share one pool of memory. Staging's thread. */
final class Warehouses implements AutoCloseable {
    private final boolean offHeap;
    private final ChunkPool pool;
    private final List<Plugins> plugins;
    private final List<Sketches> sketches;

    /** Those that wait for a transmission: as many as were being received at one time. */
    private final Deque<Dictionary> dictionaries = new ArrayDeque<>();

    Warehouses(ProcessorConfig config, List<Pipeline> pipelines) {
        offHeap = config.warehouse() == ProcessorConfig.Warehouse.OFF_HEAP;
        pool = new ChunkPool(offHeap, config.maxBytes().bytes(), config.maxGroups());
        plugins = pipelines.stream()
                .map(pipeline -> new Plugins(pipeline.folding(), pipeline.merging()))
                .toList();
        sketches = pipelines.stream()
                .map(pipeline -> Sketches.of(pipeline.functions()))
                .toList();
    }

    /** Plugins by pipeline. */
    List<Plugins> plugins() {
        return plugins;
    }

    /** The part's warehouse for a pipeline, a new one at first, with a dictionary. */
    Warehouse of(StagedPart part, int pipeline) {
        Warehouse warehouse = part.warehouse(pipeline);
        if (warehouse == null) {
            warehouse = offHeap
                    ? new OffHeapWarehouse(pool, plugins.get(pipeline), sketches.get(pipeline))
                    : new OnHeapWarehouse(pool, plugins.get(pipeline), sketches.get(pipeline));
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
