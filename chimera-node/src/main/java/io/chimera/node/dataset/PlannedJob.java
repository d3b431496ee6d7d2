package io.chimera.node.dataset;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.plugin.PluginHost;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.definition.Formats;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.definition.SourceConfig;
import io.chimera.dataset.definition.Sources;
import io.chimera.dataset.fetch.ObjectLists;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.job.BadInput;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobFolder;
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.plan.Advice;
import io.chimera.dataset.plan.Adviser;
import io.chimera.dataset.plan.DataSetExtent;
import io.chimera.dataset.plan.FailureRisk;
import io.chimera.dataset.plan.Measurements;
import io.chimera.dataset.plan.PlanInput;
import io.chimera.dataset.sample.JobSampler;
import io.chimera.dataset.sample.SampleLimits;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.replica.ReplicaSource;
import io.chimera.node.dataset.worker.JobWiring;
import io.chimera.processor.pipeline.NamedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.CloseHelper;

/**
 * A job that is sampled and not run. Only the splits of the first object are searched; a job that ran before keeps its
 * splits, and the plan is for the rest of it. One thread.
 */
final class PlannedJob implements AutoCloseable {
    private final JobConfig config;
    private final Path states;
    private final SystemClock clock = new SystemClock();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Retries.Pauses pauses = pause -> Thread.sleep(pause.toMillis());
    private final PluginHost plugins = PluginHost.ofClassPath();
    private final DataSource source;
    private final EventFormat format;
    private final Reception reception;
    private final Map<String, NamedStore> stores;
    private final JobSettings settings;

    private static final double NS_PER_SECOND = 1e9;

    /**
     * The rest of a job.
     *
     * @param splits splits to compute
     * @param extent amount of data; may be more than that of the known splits
     * @param planSeconds time that the job will take for its plan; 0 for a job that has one
     */
    private record Rest(List<Split> splits, DataSetExtent extent, double planSeconds) {}

    /**
     * Wires a job; opens no connection to the source.
     *
     * @param config the job
     * @param base folder of relative paths
     * @param states folder of the states of jobs
     * @param allowed hosts that the source may redirect to
     * @throws IllegalArgumentException when a value of the job is wrong
     */
    PlannedJob(JobConfig config, Path base, Path states, List<String> allowed) {
        this.config = config;
        this.states = states;
        try {
            opened.add(plugins);
            List<DataSource> each = new ArrayList<>();
            for (SourceConfig one : config.source().each()) {
                each.add(Sources.open(one, base, LocalRun.allowedHosts(one, allowed), clock));
            }
            source = ReplicaSource.of(each, clock);
            opened.add(source);
            format = Formats.of(config.format(), name -> JobWiring.parsers(name, plugins));
            int workers = config.workers() > 0
                    ? config.workers()
                    : Runtime.getRuntime().availableProcessors();
            ReadAhead.Depth depth = ReadAhead.Depth.DEFAULT;
            reception = new Reception(
                    "receive",
                    depth.ranges(),
                    new Retries(
                            Retries.Limits.DEFAULT,
                            clock,
                            () -> ThreadLocalRandom.current().nextLong(),
                            pauses));
            opened.add(reception);
            stores = LocalRun.stores(config, plugins, opened);
            settings = new JobSettings(
                    JobWiring.definition(config),
                    new Windows(config.window().toNanos()),
                    config.split().bytes(),
                    workers,
                    config.memory().bytes(),
                    depth);
        } catch (RuntimeException e) {
            CloseHelper.quietCloseAll(opened);
            throw e;
        }
    }

    /**
     * Samples the job and advises.
     *
     * @throws JobException when nothing is left to compute, or another process runs the job
     * @throws IOException when the source or the folder of the copies fails
     */
    Advice advise() throws IOException {
        Rest rest = rest();
        Files.createDirectories(states);
        Measurements measured = new JobSampler(SampleLimits.DEFAULT, clock, pauses)
                .sample(
                        new JobInput(source, config.objects(), format, reception, BadInput.DEFAULT),
                        rest.splits(),
                        () -> JobWiring.pipelines(config, stores, plugins),
                        settings,
                        states)
                .planned(rest.planSeconds());
        PlanInput input = new PlanInput(
                rest.extent(),
                measured,
                config.prices().prices(),
                config.limits().limits().at(clock.epochMs()),
                FailureRisk.NONE,
                config.copies().keepFor());
        return new Adviser().advise(input);
    }

    private Rest rest() throws IOException {
        Path folder = states.resolve(config.name()).toAbsolutePath();
        if (Files.exists(folder.resolve("plan.json"))) {
            try (JobFolder state = JobFolder.open(folder)) {
                JobPlan plan = state.plan().orElseThrow();
                if (settings.definition().isOf(plan)) {
                    return restOf(plan, state);
                }
            }
        }
        return restOfObjects();
    }

    private static Rest restOf(JobPlan plan, JobFolder state) throws IOException {
        List<Split> missing = plan.splits().stream()
                .filter(split -> !state.isComputed(split.number()))
                .toList();
        long bytes = missing.stream().mapToLong(split -> split.range().length()).sum();
        if (bytes == 0) {
            throw new JobException("all splits of the job are computed; run the job to store the rows", null);
        }
        return new Rest(missing, new DataSetExtent(bytes, Math.max(1, bytes / missing.size()), 0), 0);
    }

    /** Lists the objects, and searches the splits of the first one; the time of the others is estimated. */
    private Rest restOfObjects() throws IOException {
        long startNs = clock.nanoTime();
        SortedMap<String, DataObject> objects = ObjectLists.of(source, config.objects(), reception);
        objects.values().removeIf(object -> object.length() == 0);
        if (objects.isEmpty()) {
            throw new JobException(
                    "no object with content matches " + config.objects() + " at " + source.place()
                            + "; correct the patterns of the job",
                    null);
        }
        List<Split> splits = new ArrayList<>();
        double planSeconds = (clock.nanoTime() - startNs) / NS_PER_SECOND;
        for (DataObject object : objects.values()) {
            if (splits.isEmpty()) {
                long searchNs = clock.nanoTime();
                for (ByteRange range : ranges(object)) {
                    splits.add(new Split(splits.size(), object, range));
                }
                planSeconds += objects.size() * (clock.nanoTime() - searchNs) / NS_PER_SECOND;
            } else {
                splits.add(new Split(splits.size(), object, new ByteRange(0, object.length())));
            }
        }
        long bytes = objects.values().stream().mapToLong(DataObject::length).sum();
        long splitBytes = splits.get(0).range().length();
        return new Rest(splits, new DataSetExtent(bytes, Math.max(1, splitBytes), 0), planSeconds);
    }

    private List<ByteRange> ranges(DataObject object) throws IOException {
        ReadAhead.Depth one = new ReadAhead.Depth(settings.depth().rangeLength(), 1);
        try (ReadAhead bytes = new ReadAhead(source, object, new ByteRange(0, object.length()), one, reception)) {
            return format.splits(bytes, settings.splitLength());
        }
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(opened);
    }
}
