package io.chimera.faults.sim;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.check.RowOverlap;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.BeforeConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.coordinator.conductor.Conductor;
import io.chimera.coordinator.conductor.ConductorSettings;
import io.chimera.coordinator.plan.RecoveryPlan;
import io.chimera.processor.FlushRules;
import io.chimera.processor.ProcessorEnvironment;
import io.chimera.processor.ProcessorIdentity;
import io.chimera.processor.ProcessorNode;
import io.chimera.queue.QueueEnvironment;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.QueueNode;
import io.chimera.queue.QueuePorts;
import io.chimera.queue.QueueSettings;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.peer.LocalNode;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.channel.MemoryTransport;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.concurrent.Agent;

/**
 * The processes of a cluster with production code, wired to network, coordinator's store, disks and database in memory.
 * Starts and ends processes; the {@link Scheduler} decides the order of their work.
 */
final class SimCluster {
    static final List<String> FUNCTIONS = List.of("count", "sum", "max");
    /** A small limit, so most series of a cycle are pre-aggregated in one pipeline but not in the other. */
    private static final int COMBINE_AFTER = 2;

    /** Far beyond every step of a clock: only points from the distant past are late. */
    private static final Duration LATE_AFTER = Duration.ofDays(30);

    private static final AggregateConfig BY_SERIES_AGGREGATE = Sections.of(
            AggregateConfig.class,
            "by",
            List.of(),
            "functions",
            FUNCTIONS,
            "late_after",
            LATE_AFTER,
            "combine_after",
            COMBINE_AFTER);

    private final PluginHost plugins;
    private static final ConfigurationDigest DIGEST = new ConfigurationDigest("same");

    /** Digest of the alternative configuration; a run may change to the alternative and back. */
    static final ConfigurationDigest OTHER = new ConfigurationDigest("other");

    /** Pipeline with separate rows for each series. */
    static final String BY_SERIES = "series";

    static final String NAME = "sim";

    /** Minimum size of a ring, so the rings fill up soon. */
    private static final int RING_SLOTS = 2;

    private static final Duration GRACE = Duration.ofMillis(200);

    /** Existing folder without writes: the simulation sends no bad points. */
    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"));

    private final Swarm swarm;
    private final Timetable timetable;
    private final ManualClock time;
    private final Scheduler scheduler;
    private final MemoryNetwork network;
    private final MemoryCluster cluster;
    private final SimStores stores;
    private final Consumer<Throwable> errors;
    private final boolean sameStream;
    private final Integer maxGroups;
    private final SortedMap<String, PipelineConfig> pipelines;
    private final SortedMap<String, PipelineConfig> otherPipelines;
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<Counters<ProcessorCounter>> processorCounters = new ArrayList<>();
    private final Map<String, SimClock> clocks = new HashMap<>();
    private final TreeMap<String, MemoryJournal> disks = new TreeMap<>();
    private boolean hasOther;
    private boolean hasChanged;
    private long sessions;

    SimCluster(
            Swarm swarm,
            SimLayout layout,
            Timetable timetable,
            ManualClock time,
            Scheduler scheduler,
            MemoryNetwork network,
            MemoryCluster cluster,
            SimStores stores,
            Consumer<Throwable> errors,
            boolean sameStream,
            Integer maxGroups) {
        this.swarm = swarm;
        this.timetable = timetable;
        this.time = time;
        this.scheduler = scheduler;
        this.network = network;
        this.cluster = cluster;
        this.stores = stores;
        this.errors = errors;
        this.sameStream = sameStream;
        this.maxGroups = maxGroups;
        pipelines = told(pipelines(swarm.delivery(), layout), layout);
        otherPipelines = told(otherPipelines(swarm.delivery(), layout), layout);
        plugins = PluginHost.unfenced(PluginRegistry.with(List.of(new SlidingType(swarm.windowMs(), layout))));
    }

    /**
     * Returns the pipelines with the stores and the row names of the layout. A node would refuse pipelines that can
     * write the same row.
     */
    private static SortedMap<String, PipelineConfig> told(Map<String, PipelineConfig> all, SimLayout layout) {
        SortedMap<String, PipelineConfig> told = new TreeMap<>();
        all.forEach((name, config) -> told.put(
                name,
                new PipelineConfig(
                        config.inputs(),
                        config.where(),
                        config.before(),
                        config.after(),
                        config.aggregate(),
                        layout.stores(name),
                        layout.rows(name),
                        config.delivery())));
        List<RowOverlap> overlaps = RowOverlap.of(told, Map.of());
        if (!overlaps.isEmpty()) {
            throw new IllegalStateException(overlaps.toString());
        }
        return told;
    }

    private static Map<String, PipelineConfig> pipelines(PipelineConfig.Delivery delivery, SimLayout layout) {
        return Map.of(
                "behind",
                windows(layout.one(), null, delivery, layout),
                "both",
                windows(layout.two(), List.of(layout.group(), layout.series()), delivery, layout),
                "clones",
                clones("", delivery, layout),
                "groups",
                Sections.of(
                        PipelineConfig.class,
                        "where",
                        layout.one(),
                        "aggregate",
                        aggregate(List.of(layout.group()), 0),
                        "delivery",
                        delivery),
                BY_SERIES,
                Sections.of(
                        PipelineConfig.class, "where", "m*", "aggregate", BY_SERIES_AGGREGATE, "delivery", delivery));
    }

    /**
     * Returns the alternative pipelines: one removed and one added, so ordinals change; one with an additional block
     * before the shard; one with unchanged state; and one whose state is built from cycles before the change.
     */
    private static Map<String, PipelineConfig> otherPipelines(PipelineConfig.Delivery delivery, SimLayout layout) {
        String block = "        more: { type: rename, from: some, metric: { \"" + layout.two() + "\": e2 } }\n";
        return Map.of(
                "also",
                windows(layout.two(), null, delivery, layout),
                "behind",
                windows(layout.one(), null, delivery, layout),
                "clones",
                clones(block, delivery, layout),
                BY_SERIES,
                Sections.of(
                        PipelineConfig.class, "where", "m*", "aggregate", BY_SERIES_AGGREGATE, "delivery", delivery));
    }

    /**
     * Returns a pipeline with state beyond a cycle.
     *
     * @param keys keys for spreading the points; null for the group
     */
    private static PipelineConfig windows(
            String metric, List<String> keys, PipelineConfig.Delivery delivery, SimLayout layout) {
        return Sections.of(
                PipelineConfig.class,
                "where",
                metric,
                "after",
                Sections.of(
                        AfterConfig.class,
                        "partitions",
                        ExpectedWindows.PARTITIONS,
                        "keys",
                        keys,
                        "blocks",
                        Map.of("windows", Sections.of(BlockConfig.class, "type", "sliding"))),
                "aggregate",
                Sections.of(AggregateConfig.class, "by", List.of(layout.group()), "functions", List.of("max")),
                "delivery",
                delivery);
    }

    /** Returns a pipeline with two copies of each m2, with separate keys, and without all other points. */
    private static PipelineConfig clones(String more, PipelineConfig.Delivery delivery, SimLayout layout) {
        String yaml = """
            stores: { memory: {} }
            pipelines:
              clones:
                stores: memory
                before:
                  blocks:
                    some: { type: keep, metric: "%1$s" }
                    here: { type: rename, from: some, metric: { "%1$s": c2 } }
                    there: { type: rename, from: some, metric: { "%1$s": d2 }, tags: { "%2$s": h } }
            """.formatted(layout.two(), layout.group()) + more;
        BeforeConfig blocks = new ConfigLoader(Map.of())
                .parse("simulation", yaml, List.of())
                .pipelines()
                .get("clones")
                .before();
        AggregateConfig aggregate = aggregate(List.of(layout.group(), "h"), 0);
        return Sections.of(
                PipelineConfig.class, "where", "*", "before", blocks, "aggregate", aggregate, "delivery", delivery);
    }

    private static AggregateConfig aggregate(List<String> by, int combineAfter) {
        return Sections.of(AggregateConfig.class, "by", by, "functions", FUNCTIONS, "combine_after", combineAfter);
    }

    /** Returns the running processes in the order of their start. */
    List<SimProcess> processes() {
        return processes;
    }

    /** Returns the running processes of a role. */
    Stream<SimProcess> processes(SimProcess.Role role) {
        return processes.stream().filter(process -> process.role() == role);
    }

    boolean isRunning(String id) {
        return processes.stream().anyMatch(process -> process.id().equals(id));
    }

    /** Returns the sum of a counter over all processors, including ended processors. */
    int count(ProcessorCounter counter) {
        return (int) processorCounters.stream()
                .mapToLong(counters -> counters.get(counter))
                .sum();
    }

    /** Returns the journals by queue node, including stopped nodes. */
    SortedMap<String, MemoryJournal> disks() {
        return disks;
    }

    void startCoordinator(String id) {
        MemoryCluster.Lead lead = cluster.lead();
        ConductorSettings settings = new ConductorSettings(
                Duration.ofMillis(swarm.cycleMs()),
                swarm.pointsMax(),
                SimOracle.WINDOW,
                swarm.copies(),
                DIGEST,
                new ConductorSettings.Tolerances(
                        GRACE,
                        Duration.ofMillis(swarm.stragglerMs()),
                        Duration.ofMillis(2 * swarm.sessionMs()),
                        ConductorSettings.CLOCK_STEP_MAX_DEFAULT,
                        ConductorSettings.UNREACHABLE_AFTER_DEFAULT));
        Conductor conductor = new Conductor(lead, clock(id), settings, new Counters<>(CoordinatorCounter.class));
        add(new SimProcess(
                        id, SimProcess.Role.COORDINATOR, null, List.of(conductor), null, session(lead), clock(id), null)
                .reloadedBy(isOther -> conductor.want(isOther ? OTHER : DIGEST)));
    }

    void startQueue(String id, Consumer<MemoryJournal> newDisk) {
        MemoryTransport transport = network.transport(id);
        MemoryCluster.Node connection = cluster.join();
        SimListeners listeners = new SimListeners();
        QueueEnvironment surroundings = new QueueEnvironment(
                clock(id),
                connection,
                QueuePorts.open(transport, listeners, clock(id)),
                new Counters<>(QueueCounter.class),
                errors::accept,
                plugins);
        long stream = sameStream ? id.hashCode() : timetable.random().nextLong() | 1;
        QueueIdentity identity = new QueueIdentity(new LocalNode(NAME, id, ++sessions, stream), id, "", DIGEST, FOLDER);
        MemoryJournal journal = disks.computeIfAbsent(id, key -> {
            MemoryJournal disk = new MemoryJournal(swarm.sync(), swarm.syncEveryMs(), clock(id));
            disk.retain(true);
            newDisk.accept(disk);
            return disk;
        });
        journal.reopen();
        QueueNode node = new QueueNode(
                identity,
                surroundings,
                journal,
                new QueueSettings(
                        Sections.of(
                                QueueConfig.class,
                                "address",
                                new Endpoint(id, 1),
                                "ring_slots",
                                RING_SLOTS,
                                "acks",
                                swarm.copies().wanted(),
                                "min_acks",
                                swarm.copies().least()),
                        Duration.ofMillis(swarm.cycleMs()),
                        new TreeMap<>(Map.of(
                                "influx",
                                Sections.of(
                                        InputConfig.class, "type", InputConfig.INFLUX, "http", new Endpoint(id, 2)))),
                        pipelines));
        node.listen();
        SimProcess.Node leaver = new SimProcess.Node() {
            @Override
            public void leave() {
                node.leave();
            }

            @Override
            public Optional<String> awaits() {
                return node.awaits();
            }

            @Override
            public boolean isCopied() {
                return node.isCopied();
            }
        };
        add(new SimProcess(
                        id,
                        SimProcess.Role.QUEUE,
                        leaver,
                        node.agents(),
                        transport,
                        session(connection),
                        clock(id),
                        listeners)
                .reloadedBy(isOther -> node.hold(digest(isOther), pipelines(isOther), plugins)));
    }

    void startProcessor(String id) {
        MemoryTransport transport = network.transport(id);
        MemoryCluster.Node connection = cluster.join();
        Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
        processorCounters.add(counters);
        ProcessorEnvironment surroundings =
                new ProcessorEnvironment(clock(id), connection, transport, counters, errors::accept, plugins);
        ProcessorIdentity identity = new ProcessorIdentity(NAME, id, ++sessions, id, "", DIGEST, FOLDER);
        ProcessorNode node = new ProcessorNode(
                identity,
                surroundings,
                Sections.of(
                        ProcessorConfig.class,
                        "address",
                        new Endpoint(id, 1),
                        "warehouse",
                        swarm.warehouse(),
                        "max_groups",
                        maxGroups,
                        "ring_slots",
                        RING_SLOTS),
                pipelines,
                stores.byName(),
                new FlushRules(Map.of(), Optional.of(stores)));
        node.listen();
        SimProcess.Node leaver = new SimProcess.Node() {
            @Override
            public void leave() {
                node.leave();
            }

            @Override
            public Optional<String> awaits() {
                return node.awaits();
            }

            @Override
            public boolean isCopied() {
                return true;
            }
        };
        add(new SimProcess(
                        id,
                        SimProcess.Role.PROCESSOR,
                        leaver,
                        node.agents(),
                        transport,
                        session(connection),
                        clock(id),
                        null)
                .reloadedBy(isOther -> node.hold(digest(isOther), pipelines(isOther), plugins)));
    }

    private static ConfigurationDigest digest(boolean isOther) {
        return isOther ? OTHER : DIGEST;
    }

    private SortedMap<String, PipelineConfig> pipelines(boolean isOther) {
        return isOther ? otherPipelines : pipelines;
    }

    /**
     * Changes the configuration: new processes start with the new configuration, running processes reload one after the
     * other within seconds.
     */
    void change(SplittableRandom random) {
        hasOther = !hasOther;
        boolean isOther = hasOther;
        hasChanged = true;
        for (SimProcess process : processes) {
            timetable.in(random.nextLong(3_000_000_000L), () -> process.reload(isOther));
        }
    }

    private SimClock clock(String id) {
        return clocks.computeIfAbsent(id, key -> new SimClock(time));
    }

    private SimSession session(MemoryCluster.Client client) {
        return new SimSession(client, timetable, swarm.sessionMs() * 1_000_000);
    }

    private void add(SimProcess process) {
        if (hasChanged) { // either configuration may be in force
            process.reload(!hasOther);
            process.reload(hasOther);
        }
        processes.add(process);
        scheduler.add(process);
    }

    /** Ends a process like kill -9: its connections break, its session expires later. */
    void kill(SimProcess process) {
        process.died();
        processes.remove(process);
        scheduler.remove(process);
        if (process.transport() != null) {
            network.crash(process.transport());
        }
        process.session().die();
    }

    /** Ends a process after a drain. */
    void close(SimProcess process) {
        process.agents().forEach(Agent::onClose);
        process.died();
        processes.remove(process);
        scheduler.remove(process);
        network.crash(process.transport());
        process.session().close();
    }

    /** Removes a stopped queue node from the group, with its disk. */
    void removeFromGroup(String id) {
        disks.remove(id);
        cluster.unregister(id);
    }

    /** Requests a replay like an operator. */
    void requestReplay(ReplayRequest request) {
        cluster.requestReplay(request);
    }

    /** Deletes ZooKeeper's data: a new tree begins, and all sessions expire. */
    void loseZooKeeper(String history) {
        cluster.lose(history);
        List.copyOf(processes).forEach(process -> process.session().expire());
    }

    /**
     * Rebuilds the tree from the copies on the queue nodes' disks, like an operator who gives up nodes without a copy.
     */
    RecoveryPlan.Plan recoverZooKeeper() {
        ClusterView now = cluster.truth();
        List<RecoveryPlan.Source> sources = new ArrayList<>();
        Set<String> group = new TreeSet<>();
        disks.forEach((id, disk) -> {
            ControlState copy = disk.control().kept();
            SortedMap<Long, PastCycle> noted = disk.retained().cycles();
            sources.add(new RecoveryPlan.Source(
                    id, copy, disk.bases(), disk.durables(), new TreeMap<>(), noted.isEmpty() ? 0 : noted.lastKey()));
            group.addAll(copy.group());
        });
        sources.stream().filter(source -> !source.copy().mark().isEmpty()).forEach(source -> group.remove(source.id()));
        RecoveryPlan.Plan plan = RecoveryPlan.plan(
                ControlState.of(now).atLeast(cluster.epoch()),
                true,
                sources,
                new RecoveryPlan.Choice(group, false, 1, 0));
        if (plan.isNeeded() && plan.refusals().isEmpty()) {
            cluster.recover(plan.state());
        }
        return plan;
    }

    /** Deletes the disk of a stopped queue node. */
    void loseDisk(String id) {
        disks.remove(id);
    }
}
