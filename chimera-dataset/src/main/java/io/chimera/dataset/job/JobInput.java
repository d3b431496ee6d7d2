package io.chimera.dataset.job;

import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
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

    /**
     * Plans a job: lists the objects and searches the splits.
     *
     * @param settings settings of the job
     * @throws JobException when no object with content matches
     * @throws IOException when an object cannot be listed or read
     */
    JobPlan plan(JobSettings settings) throws IOException {
        ReadAhead.Depth one = new ReadAhead.Depth(settings.depth().rangeLength(), 1);
        JobPlan plan = JobPlan.make(
                settings.definition(),
                source,
                patterns,
                planFormat(),
                settings.splitLength(),
                object -> new ReadAhead(source, object, new ByteRange(0, object.length()), one, reception));
        if (plan.splits().isEmpty()) {
            throw new JobException(
                    "no object with content matches " + patterns + " at " + source.place()
                            + "; correct the patterns of the job",
                    null);
        }
        return plan;
    }

    /** Returns the format for the plan: a bad object becomes one split if bad splits are skipped. */
    private EventFormat planFormat() {
        return badInput.onBadSplit() == OnBadSplit.SKIP ? new TolerantFormat(format) : format;
    }
}
