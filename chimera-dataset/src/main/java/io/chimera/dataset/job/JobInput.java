package io.chimera.dataset.job;

import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.source.DataSource;
import java.util.List;

/**
 * Where the events of a job come from.
 *
 * @param source source of the objects
 * @param patterns patterns of the objects
 * @param format format of the objects
 * @param reception receives the bytes
 * @param badInput rules for bad splits and rejected events
 */
public record JobInput(
        DataSource source, List<String> patterns, EventFormat format, Reception reception, BadInput badInput) {
    /** Copies the list. */
    public JobInput {
        patterns = List.copyOf(patterns);
    }

    /** Returns the format for the plan: a bad object becomes one split if bad splits are skipped. */
    EventFormat planFormat() {
        return badInput.onBadSplit() == OnBadSplit.SKIP ? new TolerantFormat(format) : format;
    }
}
