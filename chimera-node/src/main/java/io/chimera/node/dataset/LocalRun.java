package io.chimera.node.dataset;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Store;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.dataset.choice.AutoBasis;
import io.chimera.dataset.choice.MeasuredStrategies;
import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.copy.CopyStore;
import io.chimera.dataset.definition.CopySettings;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.definition.SourceConfig;
import io.chimera.dataset.definition.Sources;
import io.chimera.dataset.job.JobFolder;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.job.LocalJob;
import io.chimera.dataset.job.SplitStrategies;
import io.chimera.dataset.meter.MeteredSource;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.replica.ReplicaSource;
import io.chimera.node.dataset.worker.JobWiring;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.store.kairosdb.KairosDbStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.agrona.CloseHelper;

/** A job wired for this process: source, format, pipelines and stores. {@link #call} on one thread. */
final class LocalRun implements Callable<Boolean>, AutoCloseable {
    private final JobConfig config;
    private final JobFolder state;
    private final LocalJob job;
    private final List<AutoCloseable> opened;

    private LocalRun(JobConfig config, JobFolder state, LocalJob job, List<AutoCloseable> opened) {
        this.config = config;
        this.state = state;
        this.job = job;
        this.opened = opened;
    }

    /**
     * Wires a job.
     *
     * @param config the job
     * @param base folder of relative paths
     * @param states folder of the states of jobs
     * @param allowed hosts that the source may redirect to
     * @throws IOException when the folder of the job cannot be created
     * @throws IllegalArgumentException when a value of the job is wrong
     */
    static LocalRun open(JobConfig config, Path base, Path states, List<String> allowed) throws IOException {
        List<AutoCloseable> opened = new ArrayList<>();
        try {
            if (!config.source().credentials().isEmpty()) {
                throw new IllegalArgumentException(
                        "source.credentials names credentials of the nodes of a cluster; with"
                                + " --local give user and password, or token");
            }
            SystemClock clock = new SystemClock();
            PluginHost plugins = PluginHost.ofClassPath();
            opened.add(plugins);
            List<MeteredSource> metered = new ArrayList<>();
            for (SourceConfig each : config.source().each()) {
                metered.add(new MeteredSource(Sources.open(each, base, allowedHosts(each, allowed), clock), clock));
                opened.add(metered.get(metered.size() - 1));
            }
            DataSource source = ReplicaSource.of(metered, clock);
            int workers = config.workers() > 0
                    ? config.workers()
                    : Runtime.getRuntime().availableProcessors();
            Map<String, NamedStore> stores = stores(config, plugins, opened);
            Path folder = config.copies().folder(base, states);
            Optional<CopySource> copies = copies(config, folder, source, clock, opened);
            JobWiring wiring =
                    JobWiring.of(config, new JobWiring.Surroundings(source, copies, stores, plugins, workers), clock);
            opened.add(0, wiring.input().reception()); // closed before the copies
            JobFolder state = JobFolder.open(states.resolve(config.name()).toAbsolutePath());
            opened.add(state);
            LocalJob job = new LocalJob(
                    state,
                    wiring.input(),
                    wiring.pipelines(),
                    wiring.settings(),
                    strategies(config, wiring, folder, clock),
                    clock,
                    wiring.pauses());
            metered.forEach(job.progress().meters()::add);
            return new LocalRun(config, state, job, opened);
        } catch (IOException | RuntimeException e) {
            CloseHelper.quietCloseAll(opened);
            throw e;
        }
    }

    /** Opens the copies; a job that makes none reads the copies of earlier jobs, if there are some. */
    private static Optional<CopySource> copies(
            JobConfig config, Path folder, DataSource source, Clock clock, List<AutoCloseable> opened)
            throws IOException {
        if (config.strategy() == StrategyWish.STREAM && !Files.isDirectory(folder)) {
            return Optional.empty();
        }
        CopyStore store = CopyStore.open(folder, CopySettings.limits(config.copies()), clock);
        opened.add(0, store);
        CopySource copies = new CopySource(source, "", store, clock);
        opened.add(0, copies); // closed before the store
        return Optional.of(copies);
    }

    private static SplitStrategies strategies(JobConfig config, JobWiring wiring, Path folder, Clock clock) {
        return config.strategy()
                .fixed()
                .map(SplitStrategies::always)
                .orElseGet(() -> new MeasuredStrategies(
                        new AutoBasis(
                                wiring.input(), wiring.pipelines(), wiring.settings(), folder, JobWiring.rules(config)),
                        clock,
                        wiring.pauses()));
    }

    /** The host of the source is allowed: the user of this command named the address. */
    static AllowedHosts allowedHosts(SourceConfig source, List<String> allowed) {
        List<String> hosts = new ArrayList<>(allowed);
        for (String address : List.of(source.url(), source.endpoint())) {
            int scheme = address.indexOf("://");
            if (scheme > 0) {
                String host =
                        URI.create("x" + source(address.substring(scheme))).getHost();
                if (host != null) {
                    hosts.add(host);
                }
            }
        }
        return new AllowedHosts(hosts);
    }

    /** Returns the address up to its path. */
    private static String source(String address) {
        int slash = address.indexOf('/', "://".length());
        return slash < 0 ? address : address.substring(0, slash);
    }

    static Map<String, NamedStore> stores(JobConfig config, PluginHost plugins, List<AutoCloseable> opened) {
        Map<String, NamedStore> stores = new TreeMap<>();
        config.stores().forEach((name, store) -> {
            Store made = store(name, store, plugins);
            opened.add(made);
            made.open(new PluginContext(name, store.settings().asMap()));
            stores.put(name, new NamedStore(name, made));
        });
        return stores;
    }

    private static Store store(String name, StoreConfig config, PluginHost plugins) {
        if (config.type().equals(StoreConfig.KAIROSDB)) {
            return new KairosDbStore(
                    config.url(), config.batchRows(), config.timeout(), config.gzip(), Optional.empty());
        }
        return plugins.context(Store.class, config.type(), name, config.settings())
                .flatMap(context -> plugins.store(config.type(), context, config.timeout()))
                .orElseThrow(() -> new IllegalArgumentException("stores." + name + ".type is " + config.type()
                        + "; expected kairosdb, or an installed store plugin"));
    }

    /** Runs the job to its end. */
    @Override
    public Boolean call() throws IOException {
        job.run();
        return true;
    }

    /** Returns the progress. Any thread. */
    JobProgress progress() {
        return job.progress();
    }

    String name() {
        return config.name();
    }

    /** Returns the folder with the state of the job. */
    Path folder() {
        return state.path();
    }

    /** Returns whether a pipeline has no store. */
    boolean hasRowFile() {
        return config.pipelines().values().stream()
                .anyMatch(pipeline -> pipeline.stores().isEmpty());
    }

    /** Returns the file with the rows of pipelines without stores. */
    Path rowFile() {
        return state.rows();
    }

    /** Returns the report of the splits without rows. */
    Path skippedSplits() {
        return state.skippedSplits();
    }

    /** Returns the file with the first rejected events. */
    Path rejectedEvents() {
        return state.rejectedEvents();
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(opened);
    }
}
