package io.chimera.queue;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlState;
import io.chimera.common.cluster.Copies;
import io.chimera.common.cluster.Held;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.PipelineConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.letters.LetterSpace;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.Hello;
import io.chimera.queue.dispatch.ChannelManager;
import io.chimera.queue.dispatch.Cycles;
import io.chimera.queue.dispatch.Routing;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.Journaler;
import io.chimera.queue.replay.CycleReader;
import io.chimera.queue.replication.Acknowledger;
import io.chimera.queue.replication.Followers;
import io.chimera.queue.replication.Replicator;
import io.chimera.queue.source.DeadLetters;
import io.chimera.queue.source.KernelDrops;
import io.chimera.queue.source.SeriesTracker;
import java.time.Duration;
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
 * A queue node (Chimera 2017, III-C and Figure 2), from the inputs to the channels. {@link #start} gives its agents
 * threads; a simulation listens and drives {@link #agents} itself.
 */
public final class QueueNode implements AutoCloseable {
    /** Longer than a request waits for room in the ring; a peer that does not copy by then will not do so soon. */
    private static final long ANSWER_MS_MAX = 6_000;

    private final QueueConfig config;
    private final SortedMap<String, InputConfig> inputConfigs;
    private final QueueSurroundings surroundings;
    private final Journal journal;
    private final Copies copies;
    private final Inputs inputs;
    private final BatchRing ring;
    private final Journaler journaler;
    private final Replicator replicator;
    private final KeptCluster kept;
    private final Announcer announcer;
    private final Departure departure;
    private final Agent journaling;
    private final Agent sending;
    private final DeadLetters deadLetters;
    private volatile KernelDrops kernelDrops;
    private final Held<Routing> held;

    /** By digest, where the blocks of pipelines that are held come from. */
    private final Map<String, PluginHost> hosts = new ConcurrentHashMap<>();

    private final AgentThreads threads;

    /**
     * Wires a queue node; nothing runs yet.
     *
     * @param identity who it is
     * @param given what it lives in
     * @param journal its journal; closed with the node
     * @param config addresses and limits
     * @param cycleEvery time from one cycle to the next
     * @param inputConfigs by name
     * @param pipelines by name
     */
    public QueueNode(
            QueueIdentity identity,
            QueueSurroundings given,
            Journal journal,
            QueueConfig config,
            Duration cycleEvery,
            SortedMap<String, InputConfig> inputConfigs,
            SortedMap<String, PipelineConfig> pipelines) {
        this.config = config;
        this.inputConfigs = inputConfigs;
        InputPorts ports = new InputPorts(given.listeners(), given.access());
        kept = new KeptCluster(given.cluster(), journal.control(), given.clock());
        surroundings = given.with(ports).with(kept);
        this.journal = journal;
        copies = new Copies(config.acks(), config.minAcks());
        Hello self = Hello.of(identity.session(), identity.cluster());
        var clock = surroundings.clock();
        var cluster = surroundings.cluster();
        var counters = surroundings.counters();

        // inputs -> parsers -> [ring] <- replicator
        ring = new BatchRing(config.ringSlots(), BatchLayout.LENGTH_MAX);
        deadLetters = new DeadLetters(identity.dataFolder(), counters, clock);
        inputs = new Inputs(
                ports,
                ring,
                deadLetters,
                counters,
                clock,
                surroundings.plugins(),
                identity.session(),
                surroundings.errors());
        Followers followers = new Followers();
        replicator = new Replicator(
                self, identity.stream(), surroundings.transport(), cluster, journal, ring, followers, clock, counters);

        held = new Held<>(identity.digest(), routing(pipelines, surroundings.plugins()));
        hosts.put(identity.digest(), surroundings.plugins());

        // [ring] -> journaler -> journal; acknowledger -> inputs
        Acknowledger acknowledger = new Acknowledger(
                journal,
                cluster,
                followers,
                identity.stream(),
                identity.session(),
                copies,
                Acknowledger.TIMEOUT_MS_DEFAULT,
                Acknowledger.CAPACITY_DEFAULT,
                clock,
                counters);
        journaler = new Journaler(
                journal,
                ring,
                cluster,
                identity.stream(),
                acknowledger,
                replicator,
                this::stateHorizonMs,
                clock,
                counters);

        // journal -> cycle reader -> channel manager -> processors
        ChannelManager channelManager = new ChannelManager(
                self,
                clock,
                cluster,
                surroundings.transport(),
                new JournaledCycles(new CycleReader(journal)),
                held,
                counters);
        announcer = new Announcer(
                identity, cycleEvery, clock, cluster, journal, channelManager::unreachable, held::digests);

        departure = new Departure(identity, surroundings, ring, journal, copies, announcer);

        journaling = new CompositeAgent(journaler, acknowledger);
        sending = new CompositeAgent(kept, replicator, channelManager, announcer, departure);
        kernelDrops = new KernelDrops(Map.of(), clock);
        threads = new AgentThreads(identity.id(), surroundings.errors());
    }

    private Routing routing(SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        return new Routing(
                pipelines,
                inputConfigs.keySet(),
                plugins.blocks(),
                surroundings.counters(),
                (point, reason) -> deadLetters.offerPoint("journal", point, reason));
    }

    /**
     * Holds other pipelines beside those in force, and says so; cycles are sent with what each names. Inputs are those that the node
     * was started with.
     *
     * @param digest what members announce that have the same
     * @param pipelines by name
     * @param plugins where their blocks are found; not closed by the node
     * @throws io.chimera.common.error.ChimeraException when too many wait to be taken up, or a composition is not possible
     */
    public void hold(String digest, SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        held.hold(digest, () -> {
            Routing made = routing(pipelines, plugins);
            hosts.put(digest, plugins);
            return made;
        });
    }

    /** Where the blocks of the pipelines that are held come from. Any thread. */
    public Set<PluginHost> plugins() {
        hosts.keySet().retainAll(held.digests());
        return Set.copyOf(hosts.values());
    }

    /** How far back the state of the pipelines that are held reaches; 0 when there is none. Any thread. */
    public long stateHorizonMs() {
        long longest = 0;
        for (Routing routing : held.all()) {
            longest = Math.max(longest, routing.horizonMs());
        }
        return longest;
    }

    /**
     * Listens for peers, announces the node, opens the inputs.
     *
     * @return the inputs' addresses, by {@code input/protocol}
     */
    public Map<String, Endpoint> listen() {
        announcer.listening(replicator.listen(config.address()));
        return inputs.open(inputConfigs);
    }

    /** Listens, and runs the agents on threads of their own. */
    public Map<String, Endpoint> start() {
        threads.start(journaling);
        threads.start(sending);
        threads.startControl(deadLetters, deadLetters.wakeup());
        Map<String, Endpoint> addresses = listen();
        kernelDrops = new KernelDrops(addresses, surroundings.clock());
        if (!kernelDrops.inputs().isEmpty()) {
            threads.startControl(kernelDrops, new Wakeup());
        }
        return addresses;
    }

    /** The agents, for whoever drives them by hand; each by one thread. */
    public List<Agent> agents() {
        return List.of(journaling, sending, deadLetters);
    }

    /** Asks to leave: the node gets no part of later cycles, finishes what it has, then closes its inputs. */
    public void leave() {
        departure.begin();
    }

    /** After {@link #leave}: what it waits for, in words that follow "waits for"; empty when it may be closed. */
    public Optional<String> awaits() {
        return departure.awaits();
    }

    /** After {@link #leave}: whether others hold all of the journal that is needed, so that it may go with the node. */
    public boolean isCopied() {
        return departure.isCopied();
    }

    /** What each listening input knows of series, by name. Any thread. */
    public Map<String, SeriesTracker.Status> series() {
        return inputs.series();
    }

    /** Space of the dead-letter files. Any thread. */
    public LetterSpace deadLetters() {
        return deadLetters.space();
    }

    /** Sentences about the data that inputs rejected, and the kernel dropped, within the last minutes. Any thread. */
    public List<String> inputWarnings() {
        List<String> warnings = new ArrayList<>(deadLetters.warnings());
        warnings.addAll(kernelDrops.warnings());
        return warnings;
    }

    /** Datagrams that the kernel dropped at UDP inputs. Any thread. */
    public KernelDrops kernelDrops() {
        return kernelDrops;
    }

    /** What the node is doing. Any thread. */
    public QueueStatus status() {
        ClusterView view = surroundings.cluster().view();
        return new QueueStatus(
                kept.problem().or(announcer::notReady),
                journaler.isReady(),
                ring.used(),
                ring.capacity(),
                journal.bytes(),
                journal.retained().bytes(),
                copies.missing(view),
                copies.alarm(view).or(kept::alarm));
    }

    /** The control state of which this node's disk has a copy. Any thread. */
    public ControlState kept() {
        return kept.kept();
    }

    /**
     * Committed cycles whose records this node's journal still holds. Any thread.
     *
     * @param from number of the first
     * @param to number of the last
     * @return ascending by number
     */
    public List<PastCycle> pastCycles(long from, long to) {
        long last = Math.min(to, surroundings.cluster().view().low().cycle());
        return last < from
                ? List.of()
                : List.copyOf(journal.retained().cycles().subMap(from, last + 1).values());
    }

    /**
     * Closes the inputs, answers what they accepted, brings it into the journal, stops. Requests that wait for copies are
     * given some seconds, then told to be sent again.
     */
    @Override
    public void close() {
        surroundings.listeners().stop();
        threads.awaitUntil(() -> surroundings.listeners().unanswered() == 0, ANSWER_MS_MAX);
        threads.close();
        CloseHelper.close(surroundings.errors(), surroundings.listeners());
        CloseHelper.close(surroundings.errors(), journal);
    }

    /** The cycle reader as the channel manager sees it: siblings do not see each other. */
    private record JournaledCycles(CycleReader reader) implements Cycles {
        @Override
        public boolean covers(SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
            return reader.covers(before, cut);
        }

        @Override
        public SortedMap<Long, PastCycle> past() {
            return reader.past();
        }

        @Override
        public BatchFeed open(SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
            return reader.open(before, cut);
        }
    }
}
