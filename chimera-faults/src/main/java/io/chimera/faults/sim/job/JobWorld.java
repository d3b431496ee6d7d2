package io.chimera.faults.sim.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.Row;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.dataset.cluster.JobPrograms;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.copy.CopyLimits;
import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.copy.CopyStore;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.format.text.CsvOptions;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TagColumn;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import io.chimera.dataset.job.BadInput;
import io.chimera.dataset.job.DefinitionDigest;
import io.chimera.dataset.job.JobFolder;
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.job.LocalJob;
import io.chimera.dataset.job.OnBadSplit;
import io.chimera.dataset.job.RejectLimits;
import io.chimera.dataset.job.SplitStrategies;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.dataset.plan.WholeJobLimits;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.Retries;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.testkit.store.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.agrona.CloseHelper;

/** Programs and disk of a simulated job, and the results of a local run without faults. One thread. */
final class JobWorld implements AutoCloseable {
    private static final long WINDOW_NS = 1_000_000_000L;
    private static final long SPLIT_LENGTH = 500;

    /** Length of the ranges that are read ahead, and of a block of a copy: a split has some of them. */
    static final int RANGE_LENGTH = 300;

    /** Maximum number of rejected events that are kept, as in {@link #REJECT_LIMITS}. */
    static final int REJECTS_MAX = 5;

    private static final RejectLimits REJECT_LIMITS = new RejectLimits(2, REJECTS_MAX, 40);
    private static final TextFormat CSV = TextFormat.csv(
            TextOptions.DEFAULT,
            CsvOptions.DEFAULT,
            new RowMapping(
                    MetricName.constant("load"),
                    new TimeColumn("time", TimeFormat.of("ns", ZoneOffset.UTC)),
                    List.of(new TagColumn("host", "host")),
                    List.of(new FieldColumn("value", "value", FieldType.DOUBLE))));

    /** Limits of copies: with the smaller one, some blocks of most seeds find no room. */
    private static final List<Long> COPIES_MAX = List.of(9_000L, 1_000_000L);

    /** Offset of the first block in a file of copies. */
    private static final int BLOCKS_AT = 4096;

    private static final Duration COPIES_KEPT = Duration.ofSeconds(30);
    private static final List<StrategyWish> WISHES = List.of(StrategyWish.values());

    private final ManualClock clock;
    private final Kind kind;
    private final Map<String, CopyStore> copies = new TreeMap<>();
    private final FileSystem disk = Jimfs.newFileSystem(
            Configuration.unix().toBuilder().setAttributeViews("basic").build());

    /** Stores give up after some pauses: the simulation must not wait within a step. */
    private static final int STORE_PAUSES = 3;

    /**
     * Kind of the jobs.
     *
     * @param onBadSplit treatment of bad splits
     * @param hasIndependentSplits whether a split can be read without the splits before it, as in most formats
     * @param strategy the strategy
     * @param copiesMax maximum length of the copies of a worker in bytes
     */
    record Kind(OnBadSplit onBadSplit, boolean hasIndependentSplits, StrategyWish strategy, long copiesMax) {
        /** Draws a kind. */
        static Kind draw(SplittableRandom random) {
            return new Kind(
                    random.nextBoolean() ? OnBadSplit.SKIP : OnBadSplit.FAIL,
                    random.nextInt(3) > 0,
                    WISHES.get(random.nextInt(WISHES.size())),
                    COPIES_MAX.get(random.nextInt(COPIES_MAX.size())));
        }
    }

    /**
     * Lines of CSV.
     *
     * @param source knows the damaged splits
     * @param hasIndependentSplits false as in an object with frames: only the reader of a split can prove where the
     *     next one begins
     */
    private record SimFormat(SimDataSource source, boolean hasIndependentSplits) implements EventFormat {
        @Override
        public List<ByteRange> splits(ObjectBytes object, long targetLength) throws IOException {
            return CSV.splits(object, targetLength);
        }

        @Override
        public EventReader open(ObjectBytes object, ByteRange range) throws IOException {
            if (source.isBad(object.path(), range)) {
                throw new FormatException(object.path() + " is damaged", null);
            }
            return CSV.open(object, range);
        }

        @Override
        public boolean hasIndependentSplits(String path) {
            return hasIndependentSplits;
        }

        @Override
        public boolean readsInOrder() {
            return CSV.readsInOrder();
        }
    }

    JobWorld(ManualClock clock, Kind kind) {
        this.clock = clock;
        this.kind = kind;
    }

    Path folder(String name) {
        return disk.getPath("/", name);
    }

    /**
     * Makes a program of a worker with copies.
     *
     * @param worker name of the worker
     * @param definition the functions, separated by commas
     * @param source knows the damaged splits
     * @param far the source or its replicas, as this worker reads them
     * @param store receives the rows
     */
    JobPrograms.OpenedProgram program(
            String worker, String definition, SimDataSource source, DataSource far, MemoryStore store) {
        CopySource near = new CopySource(far, "", copies(worker), clock);
        Reception reception = reception();
        JobProgram program = new JobProgram(
                input(source, far, reception, Optional.of(near)),
                () -> pipelines(definition, store),
                settings(definition, true),
                new StrategyRules(kind.strategy(), Prices.NONE, WholeJobLimits.NONE, COPIES_KEPT),
                clock,
                pauses());
        return new JobPrograms.OpenedProgram(program, List.of(reception, near, far));
    }

    /** Returns the copies of a worker; a worker that starts again still has them. */
    private CopyStore copies(String worker) {
        return copies.computeIfAbsent(worker, name -> {
            try {
                return CopyStore.open(
                        folder("copies-" + name), new CopyLimits(kind.copiesMax(), COPIES_KEPT, RANGE_LENGTH), clock);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Changes a byte of a block in the copies of all workers, if there are some. */
    void damageCopies(SplittableRandom random) {
        for (CopyStore store : copies.values()) {
            try (Stream<Path> all = Files.walk(store.folder())) {
                List<Path> files = all.filter(file -> file.toString().endsWith(".copy1"))
                        .sorted()
                        .toList();
                if (!files.isEmpty()) {
                    Path file = files.get(random.nextInt(files.size()));
                    byte[] content = Files.readAllBytes(file);
                    int blocks = content.length - BLOCKS_AT;
                    if (blocks > 0) {
                        content[BLOCKS_AT + random.nextInt(blocks)] ^= 1; // another digit
                        Files.write(file, content);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Reception reception() {
        Retries retries = new Retries(
                new Retries.Limits(2, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMinutes(1)),
                clock,
                () -> 1L,
                pause -> {});
        return new Reception(new InlineThreads(), retries);
    }

    private JobInput input(SimDataSource source, DataSource far, Reception reception, Optional<CopySource> near) {
        EventFormat format = new SimFormat(source, kind.hasIndependentSplits());
        return new JobInput(
                far, List.of("*.csv"), format, reception, new BadInput(kind.onBadSplit(), REJECT_LIMITS), near);
    }

    private static JobSettings settings(String definition, boolean hasCopies) {
        return new JobSettings(
                DefinitionDigest.of(definition),
                new Windows(WINDOW_NS),
                SPLIT_LENGTH,
                1,
                JobSettings.BYTES_PER_WORKER_MIN,
                new ReadAhead.Depth(RANGE_LENGTH, 2, hasCopies));
    }

    private static Retries.Pauses pauses() {
        int[] pauses = new int[1];
        return pause -> {
            if (++pauses[0] % STORE_PAUSES == 0) {
                throw new InterruptedException("the store is away");
            }
        };
    }

    private static List<JobPipeline> pipelines(String definition, MemoryStore store) {
        PipelineConfig stored = Sections.of(
                PipelineConfig.class,
                "aggregate",
                Sections.of(AggregateConfig.class, "by", List.of("host"), "functions", List.of(definition.split(","))),
                "stores",
                List.of("table"),
                "delivery",
                PipelineConfig.Delivery.EXACTLY_ONCE);
        PipelineConfig listed = Sections.of(
                PipelineConfig.class, "aggregate", Sections.of(AggregateConfig.class, "functions", List.of("sum")));
        return Pipeline.of(
                        new TreeMap<>(Map.of("listed", listed, "stored", stored)),
                        Map.of("table", new NamedStore("table", store)),
                        PluginHost.ofClassPath())
                .stream()
                .map(pipeline -> JobPipeline.of(pipeline, "*"))
                .toList();
    }

    /**
     * Results of a job.
     *
     * @param stored rows in the store as texts
     * @param listed text of the file with the rows of pipelines without stores
     * @param skipped text of the file with the skipped splits
     * @param rejected text of the file with the first rejected events
     * @param counts counts of the job
     */
    record Given(Set<String> stored, String listed, String skipped, String rejected, JobProgress.Snapshot counts) {}

    /** Runs the job without a cluster and without faults that end. */
    Given undisturbed(String definition, SimDataSource source) {
        MemoryStore store = new MemoryStore();
        try (JobFolder folder = JobFolder.open(folder("undisturbed"));
                Reception reception = reception()) {
            LocalJob job = new LocalJob(
                    folder,
                    input(source, source, reception, Optional.empty()),
                    () -> pipelines(definition, store),
                    settings(definition, false),
                    SplitStrategies.always(Strategy.STREAM),
                    clock,
                    pauses());
            job.run();
            return new Given(
                    texts(store),
                    Files.readString(folder.rows(), UTF_8),
                    Files.readString(folder.skippedSplits(), UTF_8),
                    Files.readString(folder.rejectedEvents(), UTF_8),
                    job.progress().snapshot());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Set<String> texts(MemoryStore store) {
        Set<String> texts = new TreeSet<>();
        for (Row row : store.rows()) {
            texts.add(row.metric() + " " + row.tags() + " " + row.timeMs() + " " + row.isLong() + " " + row.bits());
        }
        return texts;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(copies.values());
        try {
            disk.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
