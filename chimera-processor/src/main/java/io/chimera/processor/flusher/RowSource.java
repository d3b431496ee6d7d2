package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import java.util.List;

/** Source of the rows of a pipeline of a shard; always the same rows in the same order. The flusher's thread. */
public interface RowSource {
    /**
     * Adds rows until the list has at least the wanted number.
     *
     * @return false when there are no more
     */
    boolean fill(List<Row> rows, int wanted);
}
