package io.chimera.node.dataset.worker;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Store;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.plugin.PluginHost;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobPrograms;
import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.copy.CopyStore;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.definition.SourceConfig;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.meter.MeteredSource;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.replica.ReplicaSource;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.store.kairosdb.KairosDbStore;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.agrona.CloseHelper;

/** Makes the programs of jobs within the limits of the operator of this node. Any thread. */
final class NodePrograms implements JobPrograms {
    private final SourceRules sources;
    private final Optional<CopyStore> copies;
    private final int threads;
    private final Supplier<PluginHost> plugins;
    private final NodeStores stores;
    private final Clock clock;

    /** Stores of the node's configuration, which jobs use by name. */
    interface NodeStores {
        /**
         * Creates and opens a store for a job.
         *
         * @param name name in the configuration of the node
         * @return empty for an unknown name, or a store that has a single writer
         */
        Optional<Store> open(String name);
    }

    NodePrograms(
            SourceRules sources,
            Optional<CopyStore> copies,
            int threads,
            Supplier<PluginHost> plugins,
            NodeStores stores,
            Clock clock) {
        this.sources = sources;
        this.copies = copies;
        this.threads = threads;
        this.plugins = plugins;
        this.stores = stores;
        this.clock = clock;
    }

    @Override
    public OpenedProgram open(JobOrder order) throws IOException {
        List<AutoCloseable> opened = new ArrayList<>();
        try {
            JobConfig config = ClusterDefinition.parse(order.id().name(), order.definition());
            if (config.memory().bytes() > sources.rules().memory().bytes()) {
                throw new JobException(
                        "memory is " + config.memory() + ", but datasets.memory of this node is "
                                + sources.rules().memory() + "; use shorter windows, or ask the operator for more",
                        null);
            }
            checkStrategy(config.strategy());
            List<MeteredSource> metered = new ArrayList<>();
            for (SourceConfig each : config.source().each()) {
                metered.add(new MeteredSource(sources.open(each, clock), clock));
                opened.add(metered.get(metered.size() - 1));
            }
            DataSource source = ReplicaSource.of(metered, clock);
            Optional<CopySource> near = near(source, config.source().credentials());
            near.ifPresent(opened::add);
            JobWiring wiring = JobWiring.of(
                    config,
                    new JobWiring.Surroundings(source, near, stores(config, opened), plugins.get(), threads),
                    clock);
            opened.add(0, wiring.input().reception()); // closed before the source
            JobProgram program = new JobProgram(
                    wiring.input(),
                    wiring.pipelines(),
                    wiring.settings(),
                    JobWiring.rules(config),
                    clock,
                    wiring.pauses());
            metered.forEach(program.meters()::add);
            return new OpenedProgram(program, opened);
        } catch (IOException e) {
            CloseHelper.quietCloseAll(opened);
            throw e;
        } catch (ChimeraException | IllegalArgumentException e) {
            CloseHelper.quietCloseAll(opened);
            throw new JobException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) { // the worker logs the defect, and fails the job
            CloseHelper.quietCloseAll(opened);
            throw e;
        }
    }

    private void checkStrategy(StrategyWish wish) throws JobException {
        Optional<Strategy> strategy = wish.fixed();
        if (copies.isEmpty() && strategy.isPresent() && strategy.get() != Strategy.STREAM) {
            throw new JobException(
                    "strategy is " + strategy.get().label()
                            + ", but this node keeps no copies; the operator adds datasets.copies to its configuration,"
                            + " or the job has strategy: stream or auto",
                    null);
        }
    }

    private Optional<CopySource> near(DataSource source, String credentials) {
        copies.ifPresent(CopyStore::deleteOld);
        return copies.map(store -> new CopySource(source, credentials, store, clock));
    }

    private Map<String, NamedStore> stores(JobConfig config, List<AutoCloseable> opened) throws IOException {
        Map<String, NamedStore> all = new TreeMap<>();
        TreeSet<String> names = new TreeSet<>();
        config.pipelines().values().forEach(pipeline -> names.addAll(pipeline.stores()));
        for (String name : names) {
            StoreConfig own = config.stores().get(name);
            Store store = own == null ? ofNode(name) : ofJob(name, own);
            opened.add(store);
            all.put(name, new NamedStore(name, store));
        }
        return all;
    }

    private Store ofNode(String name) throws JobException {
        return stores.open(name)
                .orElseThrow(() -> new JobException(
                        "the store " + name + " is neither in the job nor, as kairosdb, postgresql or plugin, in"
                                + " the configuration of this node",
                        null));
    }

    private Store ofJob(String name, StoreConfig config) throws IOException {
        URI address = URI.create(config.url());
        int port =
                address.getPort() >= 0 ? address.getPort() : address.getScheme().equals("https") ? 443 : 80;
        sources.hosts().check(address.getHost(), port);
        Store store =
                new KairosDbStore(config.url(), config.batchRows(), config.timeout(), config.gzip(), Optional.empty());
        store.open(new PluginContext(name, config.settings().asMap()));
        return store;
    }
}
