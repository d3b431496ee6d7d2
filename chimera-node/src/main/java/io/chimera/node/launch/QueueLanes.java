package io.chimera.node.launch;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Roster;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.plugin.PluginHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lanes of a queue node as one node: they start, drain and load configurations together.
 *
 * <p>The lanes above 0 join the cluster after lane 0, so that a node that may not join does not join with its other
 * lanes. If lane 0 was removed without other lanes, these lanes join without inputs, so that they can be drained: the
 * process of a removal may have ended between its lanes. A lane above 0 opens its inputs as soon as every registered
 * queue node of the configured group has the same lane, because earlier its points could have too few copies. Open
 * inputs stay open. The agent of this class does both steps, also with retries; other methods: any thread.
 */
final class QueueLanes implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(QueueLanes.class);

    private final Supplier<ClusterView> view;
    private final LaneCores cores;
    private final List<QueueLane> lanes;

    /** Inputs of the lanes above 0: entry i belongs to lane i + 1. */
    private final List<LaneInputs> inputs;

    private Phase phase = Phase.JOINING;

    /**
     * Phase of the lanes above 0.
     *
     * <pre>
     * from          event                                             to
     * JOINING       the cluster has accepted lane 0                   JOINED
     * JOINING       lanes are registered, and lane 0 is not           HALF_REMOVED
     * HALF_REMOVED  the cluster has accepted lane 0                   JOINED
     * any           the node is asked to leave                        LEAVING
     * </pre>
     */
    private enum Phase {
        JOINING,
        HALF_REMOVED,
        JOINED,
        LEAVING
    }

    /**
     * Takes wired lanes.
     *
     * @param view returns the newest view of the cluster
     * @param lanes lanes by number
     * @param cores cores of the lanes
     * @param clock source of retry times
     */
    QueueLanes(Supplier<ClusterView> view, List<QueueLane> lanes, LaneCores cores, Clock clock) {
        this.view = view;
        this.cores = cores;
        this.lanes = List.copyOf(lanes);
        inputs = lanes.stream()
                .skip(1)
                .map(lane -> new LaneInputs(
                        lane.number(),
                        () -> cores.run(lane.number(), () -> lane.node().openInputs()),
                        clock))
                .toList();
    }

    /** Returns the lanes by number. */
    List<QueueLane> all() {
        return lanes;
    }

    /**
     * Starts all lanes, opens the inputs of lane 0, and lets lane 0 join the cluster. Lane 0 starts last, because a
     * node without a free port for one of its lanes must not join.
     *
     * @return addresses of the inputs of lane 0, which the other lanes share
     */
    Map<String, Endpoint> start() {
        for (QueueLane lane : lanes.subList(1, lanes.size())) {
            cores.run(lane.number(), () -> lane.node().startWithoutInputs());
            LOG.info(
                    "Lane is running: lane={} id={}",
                    lane.number(),
                    lane.identity().id());
        }
        Map<String, Endpoint> addresses =
                cores.start(0, () -> lanes.get(0).node().start());
        addresses.forEach((input, address) -> LOG.info("Input is listening: name={} address={}", input, address));
        return addresses;
    }

    /** Lets the lanes above 0 join, then opens the inputs of the lanes that every queue node of the group has. */
    @Override
    public synchronized int doWork() {
        if (phase == Phase.JOINING || phase == Phase.HALF_REMOVED) {
            return join();
        }
        int opened = 0;
        for (int i = 0; i < inputs.size() && phase == Phase.JOINED; i++) {
            if (nodesWithout(lanes.get(i + 1)).isEmpty()) {
                opened += inputs.get(i).open() ? 1 : 0;
            }
        }
        return opened;
    }

    private int join() {
        Phase before = phase;
        List<QueueLane> joining = lanesToJoin();
        joining.forEach(lane -> lane.node().join());
        return phase == before ? 0 : 1;
    }

    /** Takes the next phase, and returns the lanes above 0 that join with it; none while the phase stays the same. */
    synchronized List<QueueLane> lanesToJoin() {
        ClusterView newest = view.get();
        if (newest.queue(lanes.get(0).identity().session()).isPresent()) {
            phase = Phase.JOINED;
            return lanes.subList(1, lanes.size());
        }
        if (phase == Phase.JOINING && newest.connected() && !isRegistered(newest, lanes.get(0))) {
            List<QueueLane> registered =
                    lanes.stream().filter(lane -> isRegistered(newest, lane)).toList();
            phase = registered.isEmpty() ? phase : Phase.HALF_REMOVED;
            return registered;
        }
        return List.of();
    }

    private static boolean isRegistered(ClusterView view, QueueLane lane) {
        return view.roster().ids().contains(lane.identity().id());
    }

    /**
     * Returns the registered queue nodes of the configured group that do not have a lane. Before the lane of this node
     * is registered, the result is this node.
     */
    private List<String> nodesWithout(QueueLane lane) {
        Roster roster = view.get().roster();
        return roster.groups().containsKey(lane.identity().id())
                ? roster.lacking(lane.identity().node().group())
                : List.of(lanes.get(0).identity().id());
    }

    /** Returns the reasons why inputs of lanes above 0 could not open. */
    List<String> inputProblems() {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            int lane = i + 1;
            inputs.get(i).problem().ifPresent(problem -> problems.add("lane " + lane + ": " + problem));
        }
        return problems;
    }

    /** Returns a warning for each lane that other queue nodes of the group do not have. */
    synchronized List<String> lanesWithoutPeers() {
        List<String> warnings = new ArrayList<>();
        if (phase == Phase.JOINING || phase == Phase.HALF_REMOVED) {
            return warnings; // lane 0 is not registered either, and the session tells the reason
        }
        for (QueueLane lane : lanes) {
            List<String> nodes = lane.number() == 0 ? List.of() : nodesWithout(lane);
            if (!nodes.isEmpty()) {
                warnings.add("Lane " + lane.number() + " is not registered for the queue nodes "
                        + String.join(", ", nodes) + " of its group, so its points may get too few copies for"
                        + " queue.acks. Set the same queue.lanes on all queue nodes of the group, and restart them one"
                        + " after the other.");
            }
        }
        return warnings;
    }

    /** Returns a warning if lanes of this node are registered that this process does not run. */
    List<String> registeredLanesNotRun() {
        String node = lanes.get(0).identity().id();
        List<String> missing = view.get().roster().lanesOf(node).stream()
                .filter(member ->
                        lanes.stream().noneMatch(lane -> lane.identity().id().equals(member)))
                .toList();
        return missing.isEmpty()
                ? List.of()
                : List.of("The cluster waits for the journals of lanes that this node does not run: "
                        + String.join(", ", missing) + ". Set the earlier queue.lanes. To run fewer lanes, remove the"
                        + " node from the cluster (chimera cluster remove " + node
                        + "), then start it with an empty data_dir.");
    }

    /**
     * Asks all lanes to leave.
     *
     * @param forGood whether to remove the lanes from the cluster after the drain
     * @throws io.chimera.common.error.ChimeraException when a lane cannot be removed; then no lane leaves
     */
    void leave(boolean forGood) {
        if (forGood) {
            lanes.forEach(lane -> lane.leave().check()); // all lanes before the first one leaves
        }
        synchronized (this) {
            phase = Phase.LEAVING;
        }
        lanes.forEach(lane -> lane.leave().begin(forGood));
    }

    /** Returns what each draining lane waits for, as sentences; nothing before a drain and after its end. */
    List<String> waits() {
        return collect(lane ->
                lane.leave().awaited().map(what -> "waits for " + what).stream().toList());
    }

    /** After {@link #leave}: reason why the drain has not finished; empty once all lanes may stop. Polling thread. */
    Optional<String> awaits() {
        List<String> all = collect(lane -> lane.leave().awaits().stream().toList());
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", all));
    }

    /** Loads the pipelines of a further configuration on all lanes, then announces the configuration on all lanes. */
    void hold(ConfigurationDigest digest, SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        lanes.forEach(lane -> lane.node().load(digest, pipelines, plugins));
        lanes.forEach(lane -> lane.node().announce(digest));
    }

    /** Returns the plugin hosts of the held pipelines of all lanes. */
    Set<PluginHost> plugins() {
        return lanes.stream().flatMap(lane -> lane.node().plugins().stream()).collect(Collectors.toSet());
    }

    /** Returns the past cycles of the lane of a group, or of all lanes. */
    List<PastCycle> pastCycles(long from, long to, Optional<JournalGroup> group) {
        SortedMap<Long, PastCycle> all = new TreeMap<>();
        for (QueueLane lane : lanes) {
            if (group.isEmpty() || group.get().equals(lane.identity().node().group())) {
                lane.node().pastCycles(from, to).forEach(cycle -> all.merge(cycle.number(), cycle, PastCycle::and));
            }
        }
        return List.copyOf(all.values());
    }

    /** Returns the sentences of all lanes, each sentence once; a sentence of some lanes names these lanes. */
    List<String> collect(Function<QueueLane, List<String>> sentences) {
        return LaneNames.merge(lanes.stream().map(sentences).toList());
    }

    @Override
    public String roleName() {
        return "lanes";
    }
}
