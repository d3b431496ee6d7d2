package io.chimera.faults.sim.world;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.identity.LaneId;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.coordinator.conductor.Conductor;
import io.chimera.coordinator.conductor.ConductorSettings;
import io.chimera.coordinator.plan.RecoveryPlan;
import io.chimera.node.replay.HeldCycles;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.concurrent.Agent;

/**
 * The processes of a cluster with production code, wired to network, coordinator's store, disks and database in memory.
 * Starts and ends processes; the {@link Scheduler} decides the order of their work.
 */
public final class SimCluster {
    /** Maximum number of open cycles. */
    public static final int WINDOW = 3;

    public static final String NAME = "sim";

    /** Port of lane 0 for other nodes; the lanes follow. */
    private static final int PEER_PORT = 1;

    private static final int INPUT_PORT = 100;

    /** Minimum size of a ring, so the rings fill up soon. */
    private static final int RING_SLOTS = 2;

    private static final Duration GRACE = Duration.ofMillis(200);

    /** Existing folder without writes: the simulation sends no bad points. */
    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"));

    private final PluginHost plugins;
    private final Swarm swarm;
    private SimTopology topology;
    private final Timetable timetable;
    private final ManualClock time;
    private final Scheduler scheduler;
    private final MemoryNetwork network;
    private final MemoryCluster cluster;
    private final SimStores stores;
    private final Consumer<Throwable> errors;
    private final boolean sameStream;
    private final Integer maxGroups;
    private final SimAdaptation adaptation;
    private final SimPipelines pipelines;
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<Counters<ProcessorCounter>> processorCounters = new ArrayList<>();
    private final Map<String, SimClock> clocks = new HashMap<>();
    private final TreeMap<String, MemoryJournal> disks = new TreeMap<>();

    /** Journal groups of all streams and sessions of queue nodes so far. */
    private final Map<Long, JournalGroup> groups = new HashMap<>();

    private boolean hasOther;
    private boolean hasChanged;
    private long sessions;

    public SimCluster(
            Swarm swarm,
            SimTopology topology,
            SimLayout layout,
            Timetable timetable,
            ManualClock time,
            Scheduler scheduler,
            MemoryNetwork network,
            MemoryCluster cluster,
            SimStores stores,
            Consumer<Throwable> errors,
            boolean sameStream,
            Integer maxGroups,
            SimAdaptation adaptation) {
        this.swarm = swarm;
        this.topology = topology;
        this.timetable = timetable;
        this.time = time;
        this.scheduler = scheduler;
        this.network = network;
        this.cluster = cluster;
        this.stores = stores;
        this.errors = errors;
        this.sameStream = sameStream;
        this.maxGroups = maxGroups;
        this.adaptation = adaptation;
        pipelines = new SimPipelines(swarm.delivery(), layout);
        plugins = PluginHost.unfenced(PluginRegistry.with(List.of(new SlidingType(swarm.windowMs(), layout))));
    }

    /** Returns the running processes in the order of their start. */
    public List<SimProcess> processes() {
        return processes;
    }

    /** Returns the running processes of a role. */
    public Stream<SimProcess> processes(SimProcess.Role role) {
        return processes.stream().filter(process -> process.role() == role);
    }

    public boolean isRunning(String id) {
        return processes.stream().anyMatch(process -> process.id().equals(id));
    }

    /** Returns the sum of a counter over all processors, including ended processors. */
    public int count(ProcessorCounter counter) {
        return (int) processorCounters.stream()
                .mapToLong(counters -> counters.get(counter))
                .sum();
    }

    /** Returns the journal group of a stream or session, as configured; null for an unknown one. */
    public JournalGroup groupOf(long streamOrSession) {
        return groups.get(streamOrSession);
    }

    /** Gives queue processes that start from now on as many lanes as the process with most lanes, like an operator. */
    public void equalLanes() {
        topology = topology.withEqualLanes();
    }

    /** Returns the groups and lanes. */
    public SimTopology topology() {
        return topology;
    }

    /** Returns the journals of a queue process, one per lane. */
    public List<MemoryJournal> disks(String process) {
        return topology.queueMembers(process).stream()
                .flatMap(member -> Stream.ofNullable(disks.get(member)))
                .toList();
    }

    /** Returns the journals by queue node, including stopped nodes. */
    public SortedMap<String, MemoryJournal> disks() {
        return disks;
    }

    public void startCoordinator(String id) {
        MemoryCluster.Lead lead = cluster.lead();
        ConductorSettings settings = new ConductorSettings(
                adaptation.periods(swarm.cycleMs()),
                swarm.pointsMax(),
                WINDOW,
                swarm.copies(),
                SimPipelines.DIGEST,
                new ConductorSettings.Tolerances(
                        GRACE,
                        Duration.ofMillis(swarm.stragglerMs()),
                        Duration.ofMillis(2 * swarm.sessionMs()),
                        ConductorSettings.CLOCK_STEP_MAX_DEFAULT,
                        ConductorSettings.UNREACHABLE_AFTER_DEFAULT));
        Conductor conductor = new Conductor(lead, clock(id), settings, new Counters<>(CoordinatorCounter.class));
        add(
                id,
                SimProcess.Role.COORDINATOR,
                List.of(new SimMember(
                        id,
                        null,
                        List.of(conductor),
                        null,
                        lead,
                        null,
                        isOther -> conductor.want(SimPipelines.digest(isOther)))));
    }

    /**
     * Starts a queue process with all of its lanes.
     *
     * @param newDisk receives the id of a member with a new disk, and the disk
     */
    public void startQueue(String id, BiConsumer<String, MemoryJournal> newDisk) {
        List<SimMember> members = new ArrayList<>();
        for (int lane = 0; lane < topology.queueMembers(id).size(); lane++) {
            members.add(queueLane(id, lane, newDisk));
        }
        add(id, SimProcess.Role.QUEUE, members);
    }

    private SimMember queueLane(String process, int lane, BiConsumer<String, MemoryJournal> newDisk) {
        String id = LaneId.of(process, lane);
        JournalGroup group = topology.groupOf(process).lane(lane);
        MemoryTransport transport = network.transport(process);
        MemoryCluster.Node connection = cluster.join();
        SimListeners listeners = new SimListeners(() -> lane == 0 || hasEveryNodeTheLane(connection.view(), id, group));
        QueueEnvironment surroundings = new QueueEnvironment(
                clock(process),
                connection,
                QueuePorts.open(transport, listeners, clock(process)),
                new Counters<>(QueueCounter.class),
                errors::accept,
                plugins);
        long stream = sameStream ? id.hashCode() : timetable.random().nextLong() | 1;
        groups.put(stream, group);
        groups.put(++sessions, group);
        QueueIdentity identity = new QueueIdentity(
                new LocalNode(NAME, id, group, sessions, stream), process, "", SimPipelines.DIGEST, FOLDER);
        MemoryJournal journal = disks.computeIfAbsent(id, key -> {
            MemoryJournal disk = new MemoryJournal(swarm.sync(), swarm.syncEveryMs(), clock(process));
            disk.retain(true);
            newDisk.accept(id, disk);
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
                                address(process, lane),
                                "ring_slots",
                                RING_SLOTS,
                                "acks",
                                swarm.copies().wanted(),
                                "min_acks",
                                swarm.copies().least()),
                        adaptation.periods(swarm.cycleMs()),
                        new TreeMap<>(Map.of(
                                "influx",
                                Sections.of(
                                        InputConfig.class,
                                        "type",
                                        InputConfig.INFLUX,
                                        "http",
                                        new Endpoint(id, INPUT_PORT)))),
                        pipelines.of(false)));
        node.listen();
        SimMember.Node leaver = new SimMember.Node() {
            @Override
            public boolean hasJoined() {
                return cluster.truth().queue(identity.session()).isPresent();
            }

            @Override
            public ClusterView view() {
                return node.viewInUse();
            }

            @Override
            public boolean isJournalRefused() {
                return connection.isJournalRefused();
            }

            @Override
            public void leave() {
                node.leave();
            }

            @Override
            public Optional<String> awaits() {
                return node.awaits();
            }

            @Override
            public boolean isRemovable() {
                return node.isRemovable();
            }
        };
        return new SimMember(
                id,
                leaver,
                node.agents(),
                transport,
                connection,
                listeners,
                isOther -> node.hold(SimPipelines.digest(isOther), pipelines.of(isOther), plugins));
    }

    /** Returns whether every registered queue node of a group has a lane, as a real node demands for its inputs. */
    private static boolean hasEveryNodeTheLane(ClusterView view, String member, JournalGroup group) {
        return view.roster().groups().containsKey(member)
                && view.roster().lacking(group).isEmpty();
    }

    /** Returns the address of a member for other nodes. */
    public static Endpoint address(String process, int lane) {
        return new Endpoint(process, PEER_PORT + lane);
    }

    /** Starts a processor process with all of its lanes. */
    public void startProcessor(String id) {
        List<SimMember> members = new ArrayList<>();
        for (int lane = 0; lane < topology.processorLanes(); lane++) {
            members.add(processorLane(id, lane));
        }
        add(id, SimProcess.Role.PROCESSOR, members);
    }

    private SimMember processorLane(String process, int lane) {
        String id = LaneId.of(process, lane);
        MemoryTransport transport = network.transport(process);
        MemoryCluster.Node connection = cluster.join();
        Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
        processorCounters.add(counters);
        ProcessorEnvironment surroundings =
                new ProcessorEnvironment(clock(process), connection, transport, counters, errors::accept, plugins);
        ProcessorIdentity identity =
                new ProcessorIdentity(NAME, id, ++sessions, process, "", SimPipelines.DIGEST, FOLDER);
        ProcessorNode node = new ProcessorNode(
                identity,
                surroundings,
                Sections.of(
                        ProcessorConfig.class,
                        "address",
                        address(process, lane),
                        "weight",
                        adaptation.weight(process),
                        "warehouse",
                        swarm.warehouse(),
                        "max_groups",
                        maxGroups,
                        "ring_slots",
                        RING_SLOTS),
                pipelines.of(false),
                stores.byName(),
                new FlushRules(Map.of(), Optional.of(stores)));
        node.listen();
        SimMember.Node leaver = new SimMember.Node() {
            @Override
            public boolean hasJoined() {
                return cluster.truth().processor(identity.session()).isPresent();
            }

            @Override
            public ClusterView view() {
                return connection.view();
            }

            @Override
            public boolean isJournalRefused() {
                return false;
            }

            @Override
            public void leave() {
                node.leave();
            }

            @Override
            public Optional<String> awaits() {
                return node.awaits();
            }

            @Override
            public boolean isRemovable() {
                return true;
            }
        };
        return new SimMember(
                id,
                leaver,
                node.agents(),
                transport,
                connection,
                null,
                isOther -> node.hold(SimPipelines.digest(isOther), pipelines.of(isOther), plugins));
    }

    /**
     * Changes the configuration: new processes start with the new configuration, running processes reload one after the
     * other within seconds.
     */
    public void change(SplittableRandom random) {
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

    private void add(String id, SimProcess.Role role, List<SimMember> members) {
        SimSession session = new SimSession(
                members.stream().map(SimMember::client).toList(), timetable, swarm.sessionMs() * 1_000_000);
        SimProcess process = new SimProcess(id, role, members, session, clock(id));
        if (hasChanged) { // either configuration may be in force
            process.reload(!hasOther);
            process.reload(hasOther);
        }
        processes.add(process);
        scheduler.add(process);
    }

    /** Ends a process with all of its lanes like kill -9: its connections break, its session expires later. */
    public void kill(SimProcess process) {
        end(process);
        process.session().die();
    }

    /** Ends a process after a drain. */
    public void close(SimProcess process) {
        process.members().forEach(member -> member.agents().forEach(Agent::onClose));
        end(process);
        process.session().close();
    }

    private void end(SimProcess process) {
        process.died();
        processes.remove(process);
        scheduler.remove(process);
        if (process.hasTransport()) {
            process.members().forEach(member -> network.crash(member.transport()));
        }
    }

    /** Pauses or resumes the connections of a process. */
    public void pause(SimProcess process, boolean isPaused) {
        process.paused(isPaused);
        if (process.hasTransport()) {
            process.members().forEach(member -> network.pause(member.transport(), isPaused));
        }
    }

    /** Returns the present state of ZooKeeper. */
    public ClusterView truth() {
        return cluster.truth();
    }

    /** Removes queue members whose disks were lost from their groups. */
    public void giveUpDisks(List<String> members) {
        cluster.unregister(members, cluster.truth().journals().losses());
    }

    /** Removes a stopped queue process from its groups, with its disks. */
    public void removeFromGroup(String process) {
        loseDisk(process);
        cluster.unregister(
                topology.queueMembers(process), cluster.truth().journals().losses());
    }

    /**
     * Returns the past cycles of the whole cluster like an operator's command: the cycles of a queue process, with the
     * bounds that the journals of all groups hold. A cycle of which a group lacks its bounds is left out.
     */
    public SortedMap<Long, PastCycle> pastCycles(String process) {
        Set<Long> held = new TreeSet<>();
        SortedMap<JournalGroup, SortedMap<Long, PastCycle>> byGroup = new TreeMap<>();
        disks.forEach(
                (member, disk) -> byGroup.computeIfAbsent(topology.groupOfMember(member), group -> new TreeMap<>())
                        .putAll(disk.retained().cycles()));
        SortedMap<Long, PastCycle> complete = HeldCycles.complete(byGroup);
        disks(process).forEach(disk -> held.addAll(disk.retained().cycles().keySet()));
        complete.keySet().retainAll(held);
        return complete;
    }

    /** Requests a replay like an operator. */
    public void requestReplay(ReplayRequest request) {
        cluster.requestReplay(request);
    }

    /** Deletes ZooKeeper's data: a new tree begins, and all sessions expire. */
    public void loseZooKeeper(String history) {
        cluster.lose(history);
        List.copyOf(processes).forEach(process -> process.session().expire());
    }

    /**
     * Rebuilds the tree from the copies on the queue nodes' disks, like an operator who gives up nodes without a copy.
     */
    public RecoveryPlan.Plan recoverZooKeeper() {
        ClusterView now = cluster.truth();
        List<RecoveryPlan.Source> sources = new ArrayList<>();
        Set<String> group = new TreeSet<>();
        disks.forEach((id, disk) -> {
            ControlState copy = disk.control().kept();
            SortedMap<Long, PastCycle> noted = disk.retained().cycles();
            sources.add(new RecoveryPlan.Source(
                    id,
                    copy.roster().groups().getOrDefault(id, JournalGroup.DEFAULT),
                    copy,
                    disk.bases(),
                    disk.durables(),
                    new TreeMap<>(),
                    noted.isEmpty() ? 0 : noted.lastKey()));
            group.addAll(copy.roster().ids());
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

    /** Deletes the disks of a stopped queue process. */
    public void loseDisk(String process) {
        disks.keySet().removeAll(topology.queueMembers(process));
    }
}
