package io.chimera.dataset.job;

import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.fetch.CopyRun;
import io.chimera.dataset.fetch.ObjectLists;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Where the events of a job come from.
 *
 * @param source source of the objects
 * @param patterns patterns of the objects
 * @param format format of the objects
 * @param reception receives the bytes
 * @param badInput rules for bad splits and rejected events
 * @param copies the same source with copies nearby; empty for a job without copies
 */
public record JobInput(
        DataSource source,
        List<String> patterns,
        EventFormat format,
        Reception reception,
        BadInput badInput,
        Optional<CopySource> copies) {
    /** Copies the list. */
    public JobInput {
        patterns = List.copyOf(patterns);
    }

    /** Creates the input of a job without copies. */
    public JobInput(
            DataSource source, List<String> patterns, EventFormat format, Reception reception, BadInput badInput) {
        this(source, patterns, format, reception, badInput, Optional.empty());
    }

    /** Returns the source as a strategy reads it. */
    DataSource source(Strategy strategy) {
        if (copies.isEmpty()) {
            return source;
        }
        return strategy == Strategy.STREAM ? copies.get().streaming() : copies.get();
    }

    /**
     * Copies splits before they are read; does nothing for a job without copies.
     *
     * @param splits the splits, in the order of their use
     * @param underWayMax maximum number of blocks under way
     * @throws IOException when the source fails for a reason that concerns all objects
     */
    void copy(List<Split> splits, int underWayMax) throws IOException {
        if (copies.isPresent()) {
            new CopyRun(copies.get(), reception, underWayMax)
                    .copy(splits.stream()
                            .map(split -> new CopyRun.Part(split.object(), split.range()))
                            .toList());
        }
    }

    /**
     * Plans a job: lists the objects and searches the splits.
     *
     * @param settings settings of the job
     * @param limit limit of the splits
     * @throws JobException when no object with content matches
     * @throws IOException when an object cannot be listed or read
     */
    JobPlan plan(JobSettings settings, SplitLimit limit) throws IOException {
        ReadAhead.Depth one = new ReadAhead.Depth(settings.depth().rangeLength(), 1);
        DataSource near = source(Strategy.STREAM);
        JobPlan plan = JobPlan.make(
                settings,
                ObjectLists.of(source, patterns, reception).values(),
                planFormat(),
                object -> new ReadAhead(near, object, new ByteRange(0, object.length()), one, reception),
                limit);
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
