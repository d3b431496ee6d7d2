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
import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.copy.CopyLimits;
import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.copy.CopyStore;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
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
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.plan.JobLimits;
import io.chimera.dataset.plan.Prices;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.plan.StrategyWish;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.agrona.CloseHelper;

/** Data set, programs and disk of a simulated job, and the rows that an undisturbed run gives. One thread. */
final class JobWorld implements AutoCloseable {
    private static final long WINDOW_NS = 1_000_000_000L;
    private static final long SPLIT_LENGTH = 500;
    private static final TextFormat CSV = TextFormat.csv(
            TextOptions.DEFAULT,
            CsvOptions.DEFAULT,
            new RowMapping(
                    MetricName.constant("load"),
                    new TimeColumn("time", TimeFormat.of("ns", ZoneOffset.UTC)),
                    List.of(new TagColumn("host", "host")),
                    List.of(new FieldColumn("value", "value", FieldType.DOUBLE))));

    /** Length of a range and of a block: a split has some of them. */
    private static final int BLOCK = 300;

    /** Limits of copies: with the smaller one, some blocks of most seeds find no room. */
    private static final List<Long> COPIES_MAX = List.of(9_000L, 1_000_000L);

    /** Offset of the first block in a file of copies. */
    private static final int BLOCKS_AT = 4096;

    private static final Duration COPIES_KEPT = Duration.ofSeconds(30);
    private static final List<StrategyWish> WISHES = List.of(StrategyWish.values());

    private final ManualClock clock;
    private final Map<String, CopyStore> copies = new TreeMap<>();
    private final StrategyWish wish;
    private final long copiesMax;
    private final FileSystem disk = Jimfs.newFileSystem(
            Configuration.unix().toBuilder().setAttributeViews("basic").build());

    /** Stores give up after some pauses: the simulation must not wait within a step. */
    private static final int STORE_PAUSES = 3;

    JobWorld(ManualClock clock, SplittableRandom random) {
        this.clock = clock;
        wish = WISHES.get(random.nextInt(WISHES.size()));
        copiesMax = COPIES_MAX.get(random.nextInt(COPIES_MAX.size()));
    }

    Path folder(String name) {
        return disk.getPath("/", name);
    }

    /** Makes a program of a worker with copies; the definition is the functions, separated by commas. */
    JobPrograms.OpenedProgram program(String worker, String definition, SimDataSource source, MemoryStore store) {
        CopySource near = new CopySource(source, "", copies(worker), clock);
        return program(definition, source, store, Optional.of(near), wish);
    }

    /** Returns the copies of a worker; a worker that starts again still has them. */
    private CopyStore copies(String worker) {
        return copies.computeIfAbsent(worker, name -> {
            try {
                return CopyStore.open(folder("copies-" + name), new CopyLimits(copiesMax, COPIES_KEPT, BLOCK), clock);
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

    private JobPrograms.OpenedProgram program(
            String definition,
            SimDataSource source,
            MemoryStore store,
            Optional<CopySource> near,
            StrategyWish strategy) {
        int[] pauses = new int[1];
        Retries.Pauses some = pause -> {
            if (++pauses[0] % STORE_PAUSES == 0) {
                throw new InterruptedException("the store is away");
            }
        };
        Retries retries = new Retries(
                new Retries.Limits(2, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMinutes(1)),
                clock,
                () -> 1L,
                pause -> {});
        Reception reception = new Reception(new InlineThreads(), retries);
        JobProgram program = new JobProgram(
                new JobInput(source, List.of("*.csv"), CSV, reception, BadInput.DEFAULT, near),
                () -> pipelines(definition, store),
                new JobSettings(
                        definition,
                        new Windows(WINDOW_NS),
                        SPLIT_LENGTH,
                        1,
                        JobSettings.BYTES_PER_WORKER_MIN,
                        new ReadAhead.Depth(BLOCK, 2, near.isPresent())),
                new StrategyRules(strategy, Prices.NONE, JobLimits.NONE, COPIES_KEPT),
                clock,
                some);
        List<AutoCloseable> resources = new ArrayList<>();
        resources.add(reception);
        near.ifPresent(resources::add);
        return new JobPrograms.OpenedProgram(program, resources);
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
     * Rows of a job.
     *
     * @param stored rows in the store as texts
     * @param listed text of the file with the rows of pipelines without stores
     */
    record Rows(Set<String> stored, String listed) {}

    /** Runs the job without a cluster and without faults. */
    Rows undisturbed(String definition, SimDataSource source) {
        MemoryStore store = new MemoryStore();
        Path splits = folder("undisturbed");
        try (JobPrograms.OpenedProgram opened =
                program(definition, source, store, Optional.empty(), StrategyWish.STREAM)) {
            Files.createDirectories(splits);
            JobProgram program = opened.program();
            JobPlan plan = program.plan();
            for (Split split : plan.splits()) {
                program.compute(split, Strategy.STREAM, splits.resolve("" + split.number()), program.newProgress());
            }
            Path listed = splits.resolve("rows");
            program.merge(
                    plan,
                    split -> Optional.of(PieceFile.open(splits.resolve("" + split.number()))),
                    startNs -> true,
                    listed,
                    program.newProgress());
            return new Rows(texts(store), Files.readString(listed, UTF_8));
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
