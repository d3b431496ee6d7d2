package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import java.util.List;

/** Gives the rows of a pipeline of a shard, always the same ones in the same order. The flusher's thread. */
interface RowSource {
    /**
     * Adds rows until there are at least as many as wanted.
     *
     * @return false when there are no more
     */
    boolean fill(List<Row> rows, int wanted);
}
