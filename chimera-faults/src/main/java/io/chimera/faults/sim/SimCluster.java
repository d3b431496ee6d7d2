package io.chimera.faults.sim;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.MemoryNetwork;
import io.chimera.common.channel.MemoryTransport;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Copies;
import io.chimera.common.cluster.MemoryCluster;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.PipelineConfig;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.coordinator.Conductor;
import io.chimera.coordinator.ConductorSettings;
import io.chimera.processor.ProcessorIdentity;
import io.chimera.processor.ProcessorNode;
import io.chimera.processor.ProcessorSurroundings;
import io.chimera.processor.store.MemoryStore;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.QueueNode;
import io.chimera.queue.QueueSurroundings;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.agrona.concurrent.Agent;

/**
 * The nodes of a cluster as they run in production, with their agents driven by one thread, the clock moved by hand, and
 * network, coordinator's store, journals and database in memory. Every choice, which agent works next, what arrives, how
 * far the clock moves, comes from the seed.
 */
final class SimCluster {
    private static final String DIGEST = "same";
    private static final int COPIES = 2;

    /** So few that cuts fall into the middle of batches. */
    private static final int POINTS_PER_CYCLE_MAX = 50;

    private final Random random;
    private final Path folder;
    private final ManualClock clock = new ManualClock();
    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryCluster cluster = MemoryCluster.stepped();
    private final MemoryStore store = new MemoryStore();
    private final TreeMap<String, PipelineConfig> pipelines =
            new TreeMap<>(Map.of("all", new PipelineConfig(null, null, null, List.of("memory"), null)));
    private final List<Member> members = new ArrayList<>();
    private final List<SimListeners> inputs = new ArrayList<>();
    private final List<RuntimeException> failures = new ArrayList<>();
    private long sessions;

    /** A running node: what drives it and what ends it. */
    record Member(List<Agent> agents, MemoryTransport transport, MemoryCluster.Node connection) {}

    SimCluster(long seed, Path folder, int queues, int processors) {
        random = new Random(seed);
        this.folder = folder;
        MemoryCluster.Lead lead = cluster.lead();
        ConductorSettings settings = new ConductorSettings(
                Duration.ofSeconds(1),
                POINTS_PER_CYCLE_MAX,
                3,
                Copies.of(COPIES),
                DIGEST,
                Duration.ofMillis(200),
                Duration.ofSeconds(10));
        Conductor conductor = new Conductor(lead, clock, settings, new Counters<>(CoordinatorCounter.class));
        members.add(new Member(List.of(conductor), null, null));
        for (int i = 1; i <= queues; i++) {
            addQueue("q" + i);
        }
        for (int i = 1; i <= processors; i++) {
            addProcessor("p" + i);
        }
    }

    private void addQueue(String id) {
        MemoryTransport transport = network.transport(id);
        MemoryCluster.Node connection = cluster.join();
        SimListeners listeners = new SimListeners();
        QueueSurroundings surroundings = new QueueSurroundings(
                clock, connection, transport, listeners, new Counters<>(QueueCounter.class), this::onError);
        QueueIdentity identity =
                new QueueIdentity("sim", id, ++sessions, random.nextLong() | 1, id, "", DIGEST, folder.resolve(id));
        QueueNode node = new QueueNode(
                identity,
                surroundings,
                new MemoryJournal(SyncPolicy.INTERVAL, 5, clock),
                new QueueConfig(new Endpoint(id, 1), 8, COPIES, null, null),
                new TreeMap<>(Map.of(
                        "influx", new InputConfig(InputConfig.Type.INFLUX, new Endpoint(id, 2), null, null, null))),
                pipelines);
        node.listen();
        inputs.add(listeners);
        members.add(new Member(node.agents(), transport, connection));
    }

    Member addProcessor(String id) {
        MemoryTransport transport = network.transport(id);
        MemoryCluster.Node connection = cluster.join();
        ProcessorSurroundings surroundings = new ProcessorSurroundings(
                clock, connection, transport, new Counters<>(ProcessorCounter.class), this::onError);
        ProcessorIdentity identity = new ProcessorIdentity("sim", id, ++sessions, id, "", DIGEST, folder.resolve(id));
        ProcessorNode node = new ProcessorNode(
                identity,
                surroundings,
                new ProcessorConfig(new Endpoint(id, 1), null, null, null, 8),
                pipelines,
                Map.of("memory", store));
        node.listen();
        Member member = new Member(node.agents(), transport, connection);
        members.add(member);
        return member;
    }

    /** Ends a processor as kill -9 does: its connections break, its session expires a while later. */
    void kill(Member processor) {
        members.remove(processor);
        network.crash(processor.transport());
        processor.connection().disconnect();
        processor.connection().expire();
    }

    void send(SimExchange exchange) {
        inputs.get(random.nextInt(inputs.size())).send(exchange);
    }

    /** One event, chosen by the seed. */
    void step() {
        switch (random.nextInt(8)) {
            case 0 -> clock.advanceNs(random.nextInt(2_000_000));
            case 1 -> cluster.step();
            case 2 -> inputs.get(random.nextInt(inputs.size())).poll();
            case 3, 4 -> network.step(random::nextInt);
            default -> work();
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    private void work() {
        List<Agent> agents = members.get(random.nextInt(members.size())).agents();
        try {
            agents.get(random.nextInt(agents.size())).doWork();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void onError(Throwable thrown) {
        failures.add(new IllegalStateException("A node reported an error.", thrown));
    }

    ClusterView truth() {
        return cluster.truth();
    }

    MemoryStore store() {
        return store;
    }

    Random random() {
        return random;
    }
}
