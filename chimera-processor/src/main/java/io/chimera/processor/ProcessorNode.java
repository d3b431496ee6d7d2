package io.chimera.processor;

import io.chimera.api.spi.Store;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.cluster.membership.MemberDrain;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.Hello;
import io.chimera.processor.extractor.Extractor;
import io.chimera.processor.flusher.FlusherAgent;
import io.chimera.processor.flusher.FlusherPorts;
import io.chimera.processor.flusher.RowDeadLetters;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.StagingAgent;
import io.chimera.processor.staging.StagingPorts;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;

/**
 * A processor (Chimera 2017, III-D and Figure 3), from the channels to the stores. Two agents do the work, staging and
 * the flusher, with a composer between them for each composition. {@link #start} gives each agent a thread; a
 * simulation calls {@link #listen} and drives {@link #agents} itself.
 */
public final class ProcessorNode implements AutoCloseable {
    private final ProcessorConfig config;
    private final ProcessorEnvironment surroundings;
    private final Map<String, Store> stores;
    private final Map<String, NamedStore> named;
    private final ConfigurationRegistry<List<Pipeline>> held;
    private final Announcement announcement;
    private final MemberDrain farewell;
    private final LetterFiles letters;
    private final BatchRing ring;
    private final Extractor extractor;
    private final StagingAgent staging;
    private final Composers composers;
    private final FlusherAgent flusher;
    private final Wakeup flusherWakeup = new Wakeup();
    private final AgentThreads stagingThread;
    private final AgentThreads flusherThread;
    private Endpoint listening;

    /**
     * Wires a processor; nothing runs yet.
     *
     * @param identity name, session and addresses of the processor
     * @param surroundings environment of the processor
     * @param config addresses and limits
     * @param pipelines by name
     * @param stores by name, opened; closed with the node
     * @throws io.chimera.common.error.ChimeraException when a pipeline names an unknown function or store, or the
     *     configured memory exceeds the limits of the JVM
     */
    public ProcessorNode(
            ProcessorIdentity identity,
            ProcessorEnvironment surroundings,
            ProcessorConfig config,
            SortedMap<String, PipelineConfig> pipelines,
            Map<String, Store> stores) {
        this(identity, surroundings, config, pipelines, stores, FlushRules.DEFAULT);
    }

    /**
     * Wires a processor with rules for rows that stores refuse; nothing runs yet.
     *
     * @param identity name, session and addresses of the processor
     * @param surroundings environment of the processor
     * @param config addresses and limits
     * @param pipelines by name
     * @param stores by name, opened; closed with the node
     * @param rules for refused rows
     * @throws io.chimera.common.error.ChimeraException when a pipeline names an unknown function or store, or the
     *     configured memory exceeds the limits of the JVM
     */
    public ProcessorNode(
            ProcessorIdentity identity,
            ProcessorEnvironment surroundings,
            ProcessorConfig config,
            SortedMap<String, PipelineConfig> pipelines,
            Map<String, Store> stores,
            FlushRules rules) {
        this.config = config;
        this.surroundings = surroundings;
        this.stores = stores;
        named = named(stores);
        held = new ConfigurationRegistry<>(identity.digest(), Pipeline.of(pipelines, named, surroundings.plugins()));
        announcement = new Announcement(identity, config.weight(), surroundings.cluster(), held::digests);
        held.onChange(announcement::renew);
        farewell = new MemberDrain(surroundings.clock(), surroundings.cluster(), identity.session());
        ChunkPool pool = new ChunkPool(
                config.warehouse() == ProcessorConfig.Warehouse.OFF_HEAP,
                MemoryRoom.ofThisJvm().stagingBytes(config),
                config.maxGroups());
        letters = new LetterFiles(identity.dataFolder(), surroundings.counters());
        composers = new Composers(identity, surroundings, pool, letters, flusherWakeup);
        composers.add(held.newest().pipelines());

        // channels -> extractor -> [ring] -> staging -> composers -> flusher -> stores
        ring = new BatchRing(config.ringSlots(), Extractor.SLOT_LENGTH);
        extractor = new Extractor(
                Hello.of(identity.session(), identity.cluster()),
                surroundings.clock(),
                surroundings.cluster(),
                ring,
                surroundings.counters());
        staging = new StagingAgent(
                new StagingPorts(
                        identity.session(),
                        surroundings.clock(),
                        surroundings.cluster(),
                        ring,
                        extractor::sender,
                        composers::handOver,
                        composers::home,
                        composers::desks,
                        composers::makeRoomFor,
                        old -> composers.end(old, held.all()),
                        surroundings.counters(),
                        surroundings.errors()),
                pool,
                held,
                letters);
        flusher = new FlusherAgent(
                new FlusherPorts(
                        identity.session(),
                        surroundings.clock(),
                        surroundings.cluster(),
                        composers::composed,
                        composers::flushed,
                        surroundings.counters(),
                        surroundings.errors()),
                named.values(),
                rules::limitsOf,
                rules.letters().orElseGet(() -> new RowDeadLetters(letters, surroundings.counters())));
        flusher.onStoresOut(announcement::storesOut);
        stagingThread = new AgentThreads(identity.id(), surroundings.errors());
        flusherThread = new AgentThreads(identity.id(), surroundings.errors());
    }

    private static Map<String, NamedStore> named(Map<String, Store> stores) {
        Map<String, NamedStore> named = new TreeMap<>();
        stores.forEach((name, store) -> named.put(name, new NamedStore(name, store)));
        return named;
    }

    /**
     * Listens for queue nodes and announces the processor.
     *
     * @return the listening address
     */
    public Endpoint listen() {
        listening = surroundings.transport().listen(config.address(), extractor::accept);
        announcement.announce(listening.port(), false);
        return listening;
    }

    /** Listens, and starts a thread for each agent. */
    public Endpoint start() {
        surroundings.cluster().onView(ring.wakeup()::wake);
        stagingThread.start(staging, ring.wakeup());
        composers.start();
        surroundings.cluster().onView(flusherWakeup::wake);
        flusherThread.startControl(flusher, flusherWakeup);
        return listen();
    }

    /** Returns the agents, for a caller that drives them without threads; one thread per agent. */
    public List<Agent> agents() {
        return List.of(staging, composers, flusher);
    }

    /**
     * Holds the pipelines of a further configuration next to those in force, and announces the digest. Each cycle is
     * processed with the pipelines of its own digest. The stores are the ones opened at the start of the node.
     *
     * @param digest announced by all members with the same pipelines
     * @param pipelines by name
     * @param plugins source of the functions; not closed by the node
     * @throws io.chimera.common.error.ChimeraException when a pipeline names an unknown function or store, or too many
     *     configurations wait for their changeover
     */
    public void hold(ConfigurationDigest digest, SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        load(digest, pipelines, plugins);
        announce(digest);
    }

    /**
     * Does the first step of {@link #hold}, so that no lane of a node announces a configuration before all lanes have
     * loaded the configuration.
     *
     * @param digest announced by all members with the same pipelines
     * @param pipelines by name
     * @param plugins source of the functions; not closed by the node
     * @throws io.chimera.common.error.ChimeraException when a pipeline names an unknown function or store, or too many
     *     configurations wait for their changeover
     */
    public void load(ConfigurationDigest digest, SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        if (held.find(digest) == null) {
            announcement.conceal(digest);
        }
        held.hold(digest, () -> {
            List<Pipeline> made = Pipeline.of(pipelines, named, plugins, held.all());
            composers.add(made);
            return made;
        });
    }

    /** Does the second step of {@link #hold}. */
    public void announce(ConfigurationDigest loaded) {
        announcement.reveal(loaded);
    }

    /** Returns the plugin hosts of the held pipelines. Any thread. */
    public Set<PluginHost> plugins() {
        return held.all().stream().flatMap(List::stream).map(Pipeline::plugins).collect(Collectors.toSet());
    }

    /** Asks to leave: the processor gets no shard of later cycles and finishes its present shards. */
    public void leave() {
        announcement.announce(listening.port(), true);
    }

    /**
     * After {@link #leave}: reason why the drain has not finished, phrased to complete "waits for …"; empty once the
     * node may stop. One thread.
     */
    public Optional<String> awaits() {
        return farewell.awaits();
    }

    /** Returns the dead-letter files of the node. Any thread. */
    public LetterFiles letters() {
        return letters;
    }

    /** Returns the present state of the processor. Any thread. */
    public ProcessorStatus status() {
        return new ProcessorStatus(
                announcement.notReady(),
                flusher.outage(),
                flusher.storesOut(),
                flusher.outageMs(),
                extractor.connections(),
                ring.used(),
                staging.stagedCycles(),
                staging.warehouseBytes(),
                flusher.pending(),
                flusher.verifying(),
                composers.rebuilding(),
                composers.pools(),
                flusher.heaviest());
    }

    /**
     * Stops the threads, then closes the stores. The staging thread ends last, because the other threads read memory
     * owned by staging.
     */
    @Override
    public void close() {
        flusherThread.close();
        composers.close();
        stagingThread.close();
        CloseHelper.closeAll(surroundings.errors(), stores.values());
    }
}
