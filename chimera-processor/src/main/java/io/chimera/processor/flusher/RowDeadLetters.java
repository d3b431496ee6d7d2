package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.LetterFile;
import io.chimera.processor.pipeline.LetterFiles;
import java.util.LinkedHashMap;
import java.util.Map;

/** Dead-letter file of rows that a store refused for their content, or without a value. The flusher's thread. */
public final class RowDeadLetters implements RowLetters {
    private static final String NAME = "dead-letter-rows.jsonl";

    private final LetterFile file;
    private final Counters<ProcessorCounter> counters;

    /**
     * Opens the file.
     *
     * @param files dead-letter files of the node
     * @param counters of the node
     */
    public RowDeadLetters(LetterFiles files, Counters<ProcessorCounter> counters) {
        file = files.open(NAME);
        this.counters = counters;
    }

    /** Writes a row; counts the row as lost when writing to the disk fails. */
    @Override
    public void write(long nowMs, String store, String pipeline, Row row, String reason) {
        Map<String, Object> letter = new LinkedHashMap<>();
        letter.put("time_ms", nowMs);
        letter.put("store", store);
        letter.put("pipeline", pipeline);
        letter.put("reason", reason);
        letter.put("metric", row.metric());
        letter.put("tags", row.tags().asMap());
        letter.put("timestamp_ms", row.timeMs());
        letter.put("type", row.isLong() ? "long" : "double");
        letter.put("value", value(row));
        if (!file.write(letter)) {
            counters.increment(ProcessorCounter.FLUSHER_ROWS_LOST);
        }
    }

    /** Returns the value; null when not finite. */
    private static Object value(Row row) {
        if (row.isLong()) {
            return row.bits();
        }
        return Double.isFinite(row.asDouble()) ? row.asDouble() : null;
    }
}
