package io.chimera.processor.staging;

import io.chimera.api.ColdPath;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.Plugins;
import io.chimera.processor.staging.warehouse.Sketches;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Creates the warehouses of a processor in a shared pool of memory. Staging's thread. */
final class Warehouses implements AutoCloseable {
    private final ChunkPool pool;
    private List<Plugins> plugins = List.of();
    private List<Sketches> sketches = List.of();

    /** Idle dictionaries for later transmissions; as many as the maximum of concurrent transmissions so far. */
    private final Deque<Dictionary> dictionaries = new ArrayDeque<>();

    Warehouses(ChunkPool pool) {
        this.pool = pool;
    }

    /**
     * Sets the pipelines for new warehouses.
     *
     * @return plugins by pipeline
     */
    List<Plugins> use(List<Pipeline> pipelines) {
        plugins = pipelines.stream()
                .map(pipeline -> new Plugins(pipeline.folding(), pipeline.merging()))
                .toList();
        sketches = pipelines.stream()
                .map(pipeline -> Sketches.of(pipeline.functions()))
                .toList();
        return plugins;
    }

    /** Returns the part's warehouse for a pipeline, created with a dictionary when missing. */
    Warehouse of(StagedPart part, int pipeline) {
        Warehouse warehouse = part.warehouse(pipeline);
        return warehouse == null ? add(part, pipeline) : warehouse;
    }

    @ColdPath
    private Warehouse add(StagedPart part, int pipeline) {
        Warehouse warehouse = new Warehouse(pool, plugins.get(pipeline), sketches.get(pipeline));
        part.stage(pipeline, warehouse, dictionary(warehouse));
        return warehouse;
    }

    /** Returns the part's kept entries for the composition of a pipeline, empty when new. */
    BufferedPart keptOf(StagedPart part, int pipeline) {
        BufferedPart kept = part.kept(pipeline);
        return kept == null ? addKept(part, pipeline) : kept;
    }

    @ColdPath
    private BufferedPart addKept(StagedPart part, int pipeline) {
        BufferedPart kept = new BufferedPart(pool);
        part.keep(pipeline, kept);
        return kept;
    }

    /** Creates an empty part of a past cycle. */
    BufferedPart pastPart() {
        return new BufferedPart(pool);
    }

    private Dictionary dictionary(Warehouse warehouse) {
        Dictionary dictionary = dictionaries.isEmpty() ? new Dictionary(dictionaries) : dictionaries.pop();
        dictionary.open(warehouse);
        return dictionary;
    }

    /** Returns the bytes in use. Any thread. */
    long bytesUsed() {
        return pool.bytesUsed();
    }

    @Override
    public void close() {
        pool.close();
    }
}
