package io.chimera.dataset.job;

import io.chimera.api.model.Row;
import io.chimera.processor.pipeline.Pipeline;
import java.io.IOException;
import java.util.List;

/** Destination of the rows of a pipeline. One thread. */
interface RowTarget {
    /**
     * Returns whether the output has the rows of an earlier run of the job.
     *
     * @return false for an output that gets all rows in each run
     */
    boolean hasEarlierRows();

    /**
     * Writes rows of one time, in any number.
     *
     * @param pipeline pipeline of the rows
     * @param rows the rows
     * @throws IOException when the rows cannot be written
     */
    void write(Pipeline pipeline, List<Row> rows) throws IOException;
}
