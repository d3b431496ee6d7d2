package io.chimera.queue;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CutRange;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.letters.LetterSpace;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.queue.dispatch.ChannelManager;
import io.chimera.queue.dispatch.Cycles;
import io.chimera.queue.dispatch.Routing;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.append.BatchAppender;
import io.chimera.queue.journal.append.CopiedStreams;
import io.chimera.queue.journal.append.JournalTruncator;
import io.chimera.queue.journal.append.Journaler;
import io.chimera.queue.journal.append.OwnStream;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.queue.replay.CycleReader;
import io.chimera.queue.replication.Acknowledger;
import io.chimera.queue.replication.Followers;
import io.chimera.queue.replication.Replicator;
import io.chimera.queue.replication.WaitLimits;
import io.chimera.queue.source.KernelDrops;
import io.chimera.queue.source.SeriesTracker;
import io.chimera.queue.source.SourceEnvironment;
import io.chimera.queue.source.reject.DeadLetters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.CompositeAgent;

/**
 * A queue node (Chimera 2017, III-C and Figure 2), from the inputs to the channels. {@link #start} runs its agents on
 * threads. A simulation calls {@link #listen} and runs {@link #agents} itself.
 */
public final class QueueNode implements DrainableNode, AutoCloseable {
    /**
     * Maximum wait for answers at the end. Longer than a request waits for room in the ring; a peer that has not copied
     * by then is unlikely to copy soon.
     */
    private static final long ANSWER_MS_MAX = 6_000;

    private final QueueSettings settings;
    private final QueueEnvironment surroundings;
    private final Journal journal;
    private final ReplicationPolicy copies;
    private final Inputs inputs;
    private final BatchRing ring;
    private final Journaler journaler;
    private final Replicator replicator;
    private final KeptCluster kept;
    private final PositionAnnouncer announcer;
    private final CopyProof proof;
    private final QueueDrain drain;
    private final Agent journaling;
    private final Agent sending;
    private final DeadLetters deadLetters;
    private volatile KernelDrops kernelDrops;

    /** Listen address for peers; set by the start. */
    private volatile Endpoint peers;

    private final ConfigurationRegistry<Routing> held;

    /** Loaded configurations that this node does not announce yet. */
    private final Set<ConfigurationDigest> concealed = ConcurrentHashMap.newKeySet();

    /** Providers of the blocks of the loaded pipelines, by digest. */
    private final Map<ConfigurationDigest, PluginHost> hosts = new ConcurrentHashMap<>();

    private final AgentThreads threads;

    /**
     * Wires a queue node without starting any thread.
     *
     * @param identity identity of the node
     * @param given environment of the node
     * @param journal journal of the node; closed with the node
     * @param settings configuration of the node
     */
    public QueueNode(QueueIdentity identity, QueueEnvironment given, Journal journal, QueueSettings settings) {
        this.settings = settings;
        InputPorts ports = new InputPorts(given.listeners(), given.ports().access());
        kept = new KeptCluster(identity.node(), given.cluster(), journal.control(), given.clock());
        surroundings = given.with(ports).with(new GroupCluster(kept, identity.group()));
        this.journal = journal;
        QueueConfig config = settings.queue();
        copies = new ReplicationPolicy(config.acks(), config.minAcks());
        var clock = surroundings.clock();
        var cluster = surroundings.cluster();
        var counters = surroundings.counters();
        PeerNetwork network =
                new PeerNetwork(identity.node(), cluster, surroundings.ports().transport(), clock);

        // inputs -> parsers -> [ring] <- replicator
        ring = new BatchRing(config.ringSlots(), BatchLayout.LENGTH_MAX);
        deadLetters = new DeadLetters(identity.dataFolder(), counters, clock);
        inputs = new Inputs(
                ports,
                new SourceEnvironment(ring, deadLetters, counters, clock, surroundings.errors()),
                surroundings.plugins(),
                identity.session(),
                surroundings.errors());
        Followers followers = new Followers();
        replicator = new Replicator(network, journal, ring, followers, counters);

        held = new ConfigurationRegistry<>(identity.digest(), routing(settings.pipelines(), surroundings.plugins()));
        hosts.put(identity.digest(), surroundings.plugins());

        // [ring] -> journaler -> journal; acknowledger -> inputs
        Acknowledger acknowledger = new Acknowledger(network, journal, followers, copies, WaitLimits.DEFAULT, counters);
        BatchAppender appender = new BatchAppender(journal, clock, counters);
        journaler = new Journaler(
                ring,
                appender,
                new OwnStream(appender, identity.stream(), acknowledger),
                new CopiedStreams(appender, replicator, counters),
                new JournalTruncator(journal, cluster, this::stateHorizonMs, clock, counters));

        // journal -> cycle reader -> channel manager -> processors
        ChannelManager channelManager =
                new ChannelManager(network, new JournaledCycles(new CycleReader(journal)), held, counters);
        proof = new CopyProof(identity, surroundings, journal, acknowledger, copies);
        announcer = new PositionAnnouncer(
                identity,
                settings.cycleEvery(),
                surroundings,
                journal,
                channelManager::unreachable,
                this::announced,
                proof::state);

        drain = new QueueDrain(
                identity,
                surroundings,
                kept,
                new DrainedRecords(ring, journal, replicator::stopFollowing),
                copies,
                announcer);

        journaling = new CompositeAgent(journaler, acknowledger);
        sending = new CompositeAgent(kept, replicator, channelManager, proof, announcer, drain);
        kernelDrops = new KernelDrops(Map.of(), clock);
        threads = new AgentThreads(identity.id(), surroundings.errors());
    }

    private Routing routing(SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        return new Routing(
                pipelines,
                settings.inputs().keySet(),
                plugins.blocks(),
                surroundings.counters(),
                (point, reason) -> deadLetters.offerPoint("journal", point, reason));
    }

    /**
     * Loads further pipelines beside the active pipelines, and announces their digest. Each cycle is sent with the
     * pipelines of its own digest. The inputs stay unchanged from the start of the node.
     *
     * @param digest digest announced by all members with the same configuration
     * @param pipelines pipelines by name
     * @param plugins provider of the blocks; not closed by the node
     * @throws io.chimera.common.error.ChimeraException when too many loaded configurations wait for activation, or a
     *     composition is invalid
     */
    public void hold(ConfigurationDigest digest, SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        load(digest, pipelines, plugins);
        announce(digest);
    }

    /**
     * Does the first step of {@link #hold}, so that no lane of a node announces a configuration before all lanes have
     * loaded the configuration.
     *
     * @param digest digest announced by all members with the same configuration
     * @param pipelines pipelines by name
     * @param plugins provider of the blocks; not closed by the node
     * @throws io.chimera.common.error.ChimeraException when too many loaded configurations wait for activation, or a
     *     composition is invalid
     */
    public void load(ConfigurationDigest digest, SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        if (held.find(digest) == null) {
            concealed.add(digest);
        }
        held.hold(digest, () -> {
            Routing made = routing(pipelines, plugins);
            hosts.put(digest, plugins);
            return made;
        });
    }

    /** Does the second step of {@link #hold}. */
    public void announce(ConfigurationDigest loaded) {
        concealed.remove(loaded);
    }

    /** Returns the digests of the loaded configurations, newest first, without concealed ones. */
    private List<ConfigurationDigest> announced() {
        return held.digests().stream()
                .filter(digest -> !concealed.contains(digest))
                .toList();
    }

    /** Providers of the blocks of the loaded pipelines. Any thread. */
    public Set<PluginHost> plugins() {
        hosts.keySet().retainAll(held.digests());
        return Set.copyOf(hosts.values());
    }

    /** Longest state horizon of the loaded pipelines; 0 without state. Any thread. */
    public long stateHorizonMs() {
        long longest = 0;
        for (Routing routing : held.all()) {
            longest = Math.max(longest, routing.horizonMs());
        }
        return longest;
    }

    /**
     * Listens for peers, opens the inputs and announces the node.
     *
     * @return addresses of the inputs, by {@code input/protocol}
     */
    public Map<String, Endpoint> listen() {
        peers = replicator.listen(settings.queue().address());
        Map<String, Endpoint> addresses = openInputs();
        join();
        return addresses;
    }

    /**
     * Opens the inputs of a node started by {@link #startWithoutInputs}.
     *
     * @return addresses of the inputs, by {@code input/protocol}
     */
    public Map<String, Endpoint> openInputs() {
        return inputs.open(settings.inputs(), settings.lane() == 0);
    }

    /** Runs each agent on a new thread, and listens for peers. */
    public void startWithoutInputs() {
        // both wait for peers, whose positions decide about answers to senders: a rest would delay the answers
        threads.start(journaling);
        threads.start(sending);
        threads.startControl(deadLetters, deadLetters.wakeup());
        peers = replicator.listen(settings.queue().address());
    }

    /** Announces a node started by {@link #startWithoutInputs}: it joins the cluster. */
    public void join() {
        announcer.listening(peers);
    }

    /**
     * Runs each agent on a new thread, listens and joins the cluster. All addresses are bound before the node joins, so
     * a start without a free address leaves no trace in the cluster.
     */
    public Map<String, Endpoint> start() {
        startWithoutInputs();
        Map<String, Endpoint> addresses = openInputs();
        join();
        kernelDrops = new KernelDrops(addresses, surroundings.clock());
        if (!kernelDrops.inputs().isEmpty()) {
            threads.startControl(kernelDrops, new Wakeup());
        }
        return addresses;
    }

    /** Agents for a caller without threads, such as a simulation; each agent must be run by a single thread. */
    public List<Agent> agents() {
        return List.of(journaling, sending, deadLetters);
    }

    @Override
    public void leave() {
        drain.begin();
    }

    @Override
    public Optional<String> awaits() {
        return drain.awaits();
    }

    @Override
    public boolean isCopied() {
        return drain.isCopied();
    }

    @Override
    public boolean hasOpenRecords() {
        return drain.hasOpenRecords();
    }

    @Override
    public boolean isRemovable() {
        return drain.isRemovable();
    }

    /** Returns the view that this node acts on: the newest one with a durable copy. Any thread. */
    public ClusterView viewInUse() {
        return kept.view();
    }

    @Override
    public JournalLosses losses() {
        return surroundings.cluster().view().journals().losses();
    }

    @Override
    public RemovalNote noteRemoval() {
        return proof.noteRemoval();
    }

    /** Series state of each listening input, by name. Any thread. */
    public Map<String, SeriesTracker.Status> series() {
        return inputs.series();
    }

    /** Disk usage of the dead-letter files. Any thread. */
    public LetterSpace deadLetters() {
        return deadLetters.space();
    }

    /**
     * Warnings about data rejected by inputs or dropped by the kernel within the last minutes, as sentences. Any
     * thread.
     */
    public List<String> inputWarnings() {
        List<String> warnings = new ArrayList<>(deadLetters.warnings());
        warnings.addAll(kernelDrops.warnings());
        return warnings;
    }

    /** Datagrams dropped by the kernel at UDP inputs. Any thread. */
    public KernelDrops kernelDrops() {
        return kernelDrops;
    }

    /** Current status. Any thread. */
    public QueueStatus status() {
        ClusterView view = surroundings.cluster().view();
        return new QueueStatus(
                kept.problem().or(announcer::notReady),
                new QueueStatus.RingStatus(ring.used(), ring.capacity()),
                new QueueStatus.JournalStatus(
                        journaler.isReady(), journal.bytes(), journal.retained().bytes()),
                copies.missing(view),
                copies.alarm(view).or(kept::alarm));
    }

    /** Control state in the copy on this node's disk. Any thread. */
    public ControlState kept() {
        return kept.kept();
    }

    /**
     * Returns the committed cycles whose records are still in this node's journal. Any thread.
     *
     * @param from number of the first cycle
     * @param to number of the last cycle
     * @return cycles in ascending order
     */
    public List<PastCycle> pastCycles(long from, long to) {
        long last = Math.min(to, surroundings.cluster().view().low().cycle());
        return last < from
                ? List.of()
                : List.copyOf(journal.retained().cycles().subMap(from, last + 1).values());
    }

    /**
     * Closes the inputs, answers accepted requests, journals the points, and stops. Requests that wait for copies get
     * some seconds; then their senders are told to retry.
     */
    @Override
    public void close() {
        surroundings.listeners().stop();
        threads.awaitUntil(() -> surroundings.listeners().unanswered() == 0, ANSWER_MS_MAX);
        threads.close();
        CloseHelper.close(surroundings.errors(), surroundings.listeners());
        CloseHelper.close(surroundings.errors(), journal);
    }

    /**
     * Adapter between cycle reader and channel manager, because the packages of sibling stages must not import each
     * other.
     */
    private record JournaledCycles(CycleReader reader) implements Cycles {
        @Override
        public boolean covers(CutRange records) {
            return reader.covers(records);
        }

        @Override
        public SortedMap<Long, PastCycle> past() {
            return reader.past();
        }

        @Override
        public BatchFeed open(CutRange records) {
            return reader.open(records);
        }
    }
}
