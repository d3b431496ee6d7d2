package io.chimera.processor.flusher;

import io.chimera.api.model.Row;

/** Keeps rows that cannot be written to their store. The flusher's thread. */
public interface RowLetters {
    /**
     * Keeps a row.
     *
     * @param nowMs time of the decision
     * @param store name of the store
     * @param pipeline name of the pipeline
     * @param row the row
     * @param reason why the row is not written
     */
    void write(long nowMs, String store, String pipeline, Row row, String reason);
}
