package io.chimera.processor;

import io.chimera.api.spi.Store;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Replay;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.LaneCount;
import io.chimera.common.config.binding.ProcessorWeight;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PointBytes;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.channel.MemoryTransport;
import io.chimera.testkit.cluster.MemoryCluster;
import io.chimera.testkit.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.agrona.concurrent.Agent;

/** A processor with fake surroundings, driven by the test on a single thread. */
final class ProcessorRig implements AutoCloseable {
    static final long PROCESSOR = 0xF00DL;
    static final String CLUSTER = "test";
    static final ConfigurationDigest DIGEST = new ConfigurationDigest("digest");
    private static final Endpoint ADDRESS = new Endpoint("processor", 9602);
    static final ProcessorConfig CONFIG = config(ProcessorConfig.Warehouse.ON_HEAP, 1_000_000);

    final ManualClock clock = new ManualClock();
    final MemoryNetwork network = new MemoryNetwork();
    final MemoryCluster cluster = MemoryCluster.immediate();
    final MemoryCluster.Lead conductor = cluster.lead();
    private final Map<Long, MemoryCluster.Node> members = new HashMap<>();
    final MemoryCluster.Node link = cluster.join();
    final MemoryStore store;
    final Counters<ProcessorCounter> counters = new Counters<>(ProcessorCounter.class);
    final List<Throwable> errors = new ArrayList<>();
    final ProcessorNode node;
    private final MemoryTransport queues = network.transport("queues");

    ProcessorRig(Path folder) {
        this(folder, CONFIG, pipeline(AggregateConfig.DEFAULT));
    }

    ProcessorRig(Path folder, ProcessorConfig config, SortedMap<String, PipelineConfig> pipelines) {
        this(folder, config, pipelines, new MemoryStore());
    }

    ProcessorRig(Path folder, ProcessorConfig config, SortedMap<String, PipelineConfig> pipelines, MemoryStore store) {
        this(folder, config, pipelines, Map.of("memory", store));
    }

    ProcessorRig(
            Path folder,
            ProcessorConfig config,
            SortedMap<String, PipelineConfig> pipelines,
            Map<String, ? extends Store> stores) {
        this(folder, config, pipelines, PluginHost.ofClassPath(), stores);
    }

    ProcessorRig(
            Path folder,
            ProcessorConfig config,
            SortedMap<String, PipelineConfig> pipelines,
            PluginHost plugins,
            Map<String, ? extends Store> stores) {
        this(folder, config, pipelines, plugins, stores, FlushRules.DEFAULT);
    }

    ProcessorRig(
            Path folder,
            ProcessorConfig config,
            SortedMap<String, PipelineConfig> pipelines,
            PluginHost plugins,
            Map<String, ? extends Store> stores,
            FlushRules rules) {
        store = stores.get("memory") instanceof MemoryStore memory ? memory : null;
        node = new ProcessorNode(
                new ProcessorIdentity(CLUSTER, "p1", PROCESSOR, "processor", "processor:9702", DIGEST, folder),
                new ProcessorEnvironment(clock, link, network.transport("p1"), counters, errors::add, plugins),
                config,
                pipelines,
                new TreeMap<>(stores),
                rules);
        node.listen();
    }

    static ProcessorConfig config(ProcessorConfig.Warehouse warehouse, int maxGroups) {
        return new ProcessorConfig(
                ADDRESS,
                new LaneCount(1),
                List.of(),
                new ProcessorWeight(1),
                warehouse,
                maxGroups,
                ByteSize.ofMebibytes(16),
                8);
    }

    static SortedMap<String, PipelineConfig> pipeline(AggregateConfig aggregate) {
        return new TreeMap<>(
                Map.of("all", Sections.of(PipelineConfig.class, "aggregate", aggregate, "stores", List.of("memory"))));
    }

    /** Returns pipelines named p0, p1, ... in the given order. */
    static SortedMap<String, PipelineConfig> pipelines(AggregateConfig... aggregates) {
        SortedMap<String, PipelineConfig> pipelines = new TreeMap<>();
        for (AggregateConfig aggregate : aggregates) {
            pipelines.put(
                    "p" + pipelines.size(),
                    Sections.of(PipelineConfig.class, "aggregate", aggregate, "stores", List.of("memory")));
        }
        return pipelines;
    }

    static AggregateConfig functions(String... names) {
        return Sections.of(AggregateConfig.class, "functions", List.of(names));
    }

    static AggregateConfig lateAfter(Duration late) {
        return Sections.of(AggregateConfig.class, "functions", List.of("count"), "late_after", late);
    }

    /** Returns a point of metric cpu, field user. */
    static PointBytes point(String host, double value) {
        return Records.of("cpu", Map.of("host", host), Map.of("user", value), timeNs(1));
    }

    static List<PointBytes> points(String host, double... values) {
        List<PointBytes> points = new ArrayList<>();
        for (double value : values) {
            points.add(point(host, value));
        }
        return points;
    }

    /** Returns the store's name for the row of such a point. */
    static String row(String function, String host, long cycle) {
        return "cpu.user." + function + "{host=" + host + "}@" + timeMs(cycle);
    }

    /** Announces a live queue node. */
    void announce(long session, CycleSpan... past) {
        members.computeIfAbsent(session, key -> cluster.join()).announce(member(session, past));
    }

    /** Announces a live queue node of a journal group. */
    void announce(JournalGroup group, long session, CycleSpan... past) {
        members.computeIfAbsent(session, key -> cluster.join()).announce(member(group, session, past));
    }

    /** Returns the announcement of a queue node. */
    static QueueMember member(long session, CycleSpan... past) {
        return member(JournalGroup.DEFAULT, session, past);
    }

    private static QueueMember member(JournalGroup group, long session, CycleSpan... past) {
        return new QueueMember(
                "q" + session,
                group,
                session,
                "q" + session + ":1",
                "",
                0xA000 + session,
                List.of(DIGEST),
                Positions.NONE,
                Positions.NONE,
                false,
                List.of(),
                0,
                List.of(past));
    }

    /** Announces and connects a queue node. */
    QueueNodeFake queue(long session) {
        announce(session);
        QueueNodeFake queue = new QueueNodeFake(session, Hello.of(session, CLUSTER)).connect(queues, ADDRESS);
        run();
        return queue;
    }

    /** Connects with a custom HELLO. */
    QueueNodeFake queue(Hello hello) {
        return new QueueNodeFake(hello.session(), hello).connect(queues, ADDRESS);
    }

    /** Begins the next cycle with the given owners of parts and processors of shards. */
    void begin(long number, List<Long> owners, List<Long> processors) {
        Cycle cycle = new Cycle(number, conductor.epoch(), timeMs(number), Positions.NONE, owners, processors);
        if (!conductor.begin(cycle, new Assignment(0, owners, processors))) {
            throw new IllegalStateException("Cycle " + number + " does not begin.");
        }
    }

    /** Begins a cycle with a single part, owned by the queue node, and a single shard on the processor. */
    void begin(long number, QueueNodeFake owner) {
        begin(number, List.of(owner.session()), List.of(PROCESSOR));
    }

    /** Begins a cycle with a single part and shard, and the pipelines of a digest. */
    void begin(long number, QueueNodeFake owner, ConfigurationDigest digest) {
        List<Long> owners = List.of(owner.session());
        List<Long> processors = List.of(PROCESSOR);
        Cycle cycle = new Cycle(number, conductor.epoch(), timeMs(number), Positions.NONE, owners, processors);
        if (!conductor.begin(cycle, new Assignment(0, digest, owners, processors))) {
            throw new IllegalStateException("Cycle " + number + " does not begin.");
        }
    }

    /** Begins the replay of a cycle by a single pipeline, with a single part and shard. */
    void beginReplay(long number, long past, String pipeline, QueueNodeFake owner) {
        List<Long> owners = List.of(owner.session());
        List<Long> processors = List.of(PROCESSOR);
        Cycle cycle = new Cycle(
                number,
                conductor.epoch(),
                new CycleTime(timeMs(past), timeMs(past)),
                Positions.NONE,
                owners,
                processors,
                Optional.of(new Replay("r1", past, Positions.NONE, pipeline)));
        if (!conductor.begin(cycle, new Assignment(0, owners, processors))) {
            throw new IllegalStateException("The replay of cycle " + past + " does not begin.");
        }
    }

    void assign(long cycle, int version, List<Long> owners, List<Long> processors) {
        if (!conductor.assign(cycle, new Assignment(version, owners, processors))) {
            throw new IllegalStateException("Cycle " + cycle + " is not assigned anew.");
        }
    }

    static long timeMs(long cycle) {
        return 1_767_225_600_000L + 10_000 * cycle;
    }

    static long timeNs(long cycle) {
        return 1_000_000 * timeMs(cycle);
    }

    ShardCommit commit(long cycle, int shard) {
        return cluster.truth().cycles().get(cycle).commits().get(shard);
    }

    long count(ProcessorCounter counter) {
        return counters.get(counter);
    }

    /** Runs network and agents until all are idle. */
    void run() {
        boolean hasMoved = true;
        for (int i = 0; hasMoved; i++) {
            hasMoved = network.step();
            for (Agent agent : node.agents()) {
                hasMoved |= work(agent) > 0;
            }
            if (i > 1_000_000) {
                throw new IllegalStateException("The processor does not come to rest.");
            }
        }
    }

    private static int work(Agent agent) {
        try {
            return agent.doWork();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Advances time in steps of 100 ms and runs after each step. */
    void run(Duration time) {
        for (long ms = 0; ms < time.toMillis(); ms += 100) {
            clock.advanceMs(100);
            run();
        }
    }

    @Override
    public void close() {
        node.agents().forEach(Agent::onClose);
        node.close();
    }
}
