package io.chimera.dataset.definition;

import io.chimera.common.config.CopiesConfig;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.dataset.job.OnBadSplit;
import io.chimera.dataset.plan.StrategyWish;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Job over a data set: the events, the pipelines, and the stores of the rows. */
public record JobConfig(
        @Doc("Name of the job, and of its folder: letters, digits, - and _.")
        String name,

        @Doc("Where the objects of the data set are.") SourceConfig source,

        @Doc("Paths of the objects below the source; * matches any text within a folder, ** any folders.")
        List<String> objects,

        @Doc("Format of the objects.") @Default FormatConfig format,

        @Doc("Length of a window of event time, a multiple of 1ms, at most 365d. Rows have the start of their window as"
                + " time.")
        @Default("1m")
        Duration window,

        @Doc("Wished length of a split, the unit of work; at least 64KiB.") @Default("64MiB")
        ByteSize split,

        @Doc("Threads that compute; 0: one per processor of the machine.") @Default("0")
        Integer workers,

        @Doc("Memory for the aggregates of each worker; at least 64MiB.") @Default("256MiB")
        ByteSize memory,

        @Doc("A split that is damaged, changed or gone: fail ends the job; skip leaves the split out and reports it.")
        @Default("fail")
        OnBadSplit onBadSplit,

        @Doc("Rejected events that are kept in the file rejected.jsonl of the job.") @Default
        RejectsConfig rejects,

        @Doc("Pipelines by name, as in the configuration of a cluster. A pipeline without stores writes its rows to a"
                + " file in the folder of the job.")
        Map<String, PipelineConfig> pipelines,

        @Doc("Stores by name, as in the configuration of a cluster.") @Default
        Map<String, StoreConfig> stores,

        @Doc("Way of the bytes to the computation: stream, copy, overlap, or auto by measurements.") @Default("stream")
        StrategyWish strategy,

        @Doc("Copies of a job in one process; on a cluster the nodes have their own, see datasets.copies.") @Default
        CopiesConfig copies,

        @Doc("Prices, for the cost of the strategies.") @Default
        PricesConfig prices,

        @Doc("Time and cost that the job should keep.") @Default
        JobLimitsConfig limits) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
    private static final Duration WINDOW_MAX = Duration.ofDays(365);
    private static final long SPLIT_MIN = 64L << 10;
    private static final long MEMORY_MIN = 64L << 20;

    /** Checks the values. */
    public JobConfig {
        new Requirements()
                .that(NAME.matcher(name).matches(), "name", name, "1 to 64 letters, digits, - and _")
                .that(!objects.isEmpty(), "objects", "empty", "at least one path")
                .that(isWindow(window), "window", window, "a multiple of 1ms, above 0, at most 365d")
                .that(split.bytes() >= SPLIT_MIN, "split", split, "at least 64KiB")
                .that(workers >= 0 && workers <= 256, "workers", workers, "0 to 256")
                .that(memory.bytes() >= MEMORY_MIN, "memory", memory, "at least 64MiB")
                .that(!pipelines.isEmpty(), "pipelines", "empty", "at least one pipeline")
                .check();
        for (Map.Entry<String, PipelineConfig> pipeline : pipelines.entrySet()) {
            checkPipeline(pipeline.getKey(), pipeline.getValue());
        }
    }

    private static boolean isWindow(Duration window) {
        return window.compareTo(Duration.ZERO) > 0
                && window.compareTo(WINDOW_MAX) <= 0
                && window.toNanos() % 1_000_000 == 0;
    }

    /** Returns the job with another strategy. */
    public JobConfig with(StrategyWish other) {
        return new JobConfig(
                name,
                source,
                objects,
                format,
                window,
                split,
                workers,
                memory,
                onBadSplit,
                rejects,
                pipelines,
                stores,
                other,
                copies,
                prices,
                limits);
    }

    /** Returns the job with the keys of another one that have no effect on the rows. */
    public JobConfig withResourcesOf(JobConfig other) {
        return new JobConfig(
                name,
                source,
                objects,
                format,
                window,
                split,
                other.workers,
                other.memory,
                onBadSplit,
                rejects,
                pipelines,
                stores,
                other.strategy,
                other.copies,
                other.prices,
                other.limits);
    }

    private static void checkPipeline(String name, PipelineConfig pipeline) {
        if (pipeline.before() != null || pipeline.after() != null) {
            throw new IllegalArgumentException(
                    "pipelines." + name + " has blocks (before, after); jobs run pipelines without blocks");
        }
        if (!pipeline.inputs().isEmpty()) {
            throw new IllegalArgumentException(
                    "pipelines." + name + ".inputs names inputs; a job has no inputs: remove the key");
        }
        if (!pipeline.aggregate().lateAfter().isZero()) {
            throw new IllegalArgumentException(
                    "pipelines." + name + ".aggregate.late_after is set; in a job no point is late: remove the key");
        }
    }
}
