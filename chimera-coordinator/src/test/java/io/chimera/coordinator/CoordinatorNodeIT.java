package io.chimera.coordinator;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.conductor.ConductorSettings;
import io.chimera.coordinator.watch.Standstill;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import io.chimera.coordinator.zookeeper.server.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests coordinators on a real server under failures, with nodes that journal and commit at full speed. */
final class CoordinatorNodeIT {
    private static final Duration EVERY = Duration.ofMillis(100);
    private static final Duration GRACE = Duration.ofMillis(200);

    /** Shortest session timeout of the embedded server. */
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(1);

    @TempDir
    Path directory;

    private final SystemClock clock = new SystemClock();
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private EmbeddedZooKeeper server;
    private GrowingQueue queue;

    @BeforeEach
    void start() {
        server = new EmbeddedZooKeeper(directory.resolve("zookeeper"), new Endpoint("127.0.0.1", 0));
        running.push(server);
    }

    @AfterEach
    void stop() {
        running.forEach(CloseHelper::quietClose);
        assertThat(errors).isEmpty();
    }

    @Test
    void beginsAndClosesCyclesAndTellsOfThem() throws IOException {
        CoordinatorNode node = coordinator("c1", server.address());
        nodes();
        processor("p2", 22, server.address());

        until(() -> node.view().low().cycle() >= 20);

        System.out.println("Begin seen by a queue node after the start of the period: " + queue.latency());
        JsonNode status = new ObjectMapper().valueToTree(node.status());
        assertThat(status.path("cluster").textValue()).isEqualTo("test");
        assertThat(status.path("conductor").textValue()).isEqualTo("c1");
        assertThat(status.path("leading").booleanValue()).isTrue();
        assertThat(status.path("connected").booleanValue()).isTrue();
        assertThat(status.path("problem").textValue()).isEmpty();
        assertThat(status.path("members").findValuesAsText("id")).containsExactly("q1", "q2", "p1", "p2");
        assertThat(status.path("members").findValuesAsText("session")).containsExactly("b", "c", "15", "16");
        assertThat(status.path("registered").intValue()).isEqualTo(2);
        assertThat(status.path("committed").size()).isGreaterThanOrEqualTo(20);
        assertThat(status.path("committed").get(5).path("points").longValue()).isPositive();
        assertThat(status.path("committed").get(5).path("commit_latency_ms").longValue())
                .isBetween(0L, 5_000L);
        assertThat(status.path("totals").path("points").longValue()).isPositive();
        assertThat(status.path("unaccounted").longValue()).isZero();
        assertThat(node.counters().get(CoordinatorCounter.CYCLES_COMMITTED)).isGreaterThanOrEqualTo(20);
        assertThat(node.isLeading()).isTrue();
    }

    @Test
    void statusNamesTheCauseOfAStandstill() {
        CoordinatorNode node = coordinator("c1", server.address());
        queue = queue("q1", 11, server.address());
        queue("q2", 12, server.address());
        until(() -> {
            Standstill standstill = node.status().waiting();
            return standstill != null && standstill.cause() == Standstill.Cause.NO_PROCESSOR;
        });

        JsonNode waiting = new ObjectMapper().valueToTree(node.status()).path("waiting");
        assertThat(waiting.path("cause").textValue()).isEqualTo("no_processor");
        assertThat(waiting.path("cycle").longValue()).isEqualTo(1);
        assertThat(waiting.path("text").textValue()).isNotBlank();

        processor("p1", 21, server.address());
        until(() -> node.view().low().cycle() >= 2 && node.status().waiting() == null);
    }

    @Test
    void givesTheWorkOfAKilledProcessorToAnother() {
        Relay relay = relay();
        CoordinatorNode node = coordinator("c1", server.address());
        nodes();
        EagerProcessor victim = processor("p2", 22, relay.address());
        until(() -> node.view().low().cycle() >= 3 && node.view().processor(22).isPresent());

        victim.idle();
        relay.freeze();
        long killedNs = clock.nanoTime();
        until(() -> node.view().processor(22).isEmpty());
        long expiredNs = clock.nanoTime();
        until(() -> node.counters().get(CoordinatorCounter.SHARDS_REASSIGNED) > 0);
        long reassignedNs = clock.nanoTime();

        System.out.printf(
                "Killed processor (session timeout %d ms, grace %d ms): gone after %d ms, reassigned after %d ms%n",
                SESSION_TIMEOUT.toMillis(),
                GRACE.toMillis(),
                (expiredNs - killedNs) / 1_000_000,
                (reassignedNs - killedNs) / 1_000_000);
        // Not before the grace. The delay after the grace depends on the machine; the test prints the delay without a
        // check.
        assertThat(Duration.ofNanos(reassignedNs - expiredNs)).isGreaterThan(GRACE.dividedBy(2));
        long cycle = node.view().low().cycle();
        until(() -> node.view().low().cycle() >= cycle + 5);
        assertThat(node.view().low().totals().unaccounted()).isZero();
    }

    @Test
    void handsOverToTheOtherCoordinatorWhenTheConductorIsStopped() {
        Relay relay = relay();
        CoordinatorNode first = coordinator("c1", relay.address());
        until(first::isLeading);
        CoordinatorNode second = coordinator("c2", server.address());
        nodes();
        until(() -> second.view().low().cycle() >= 3);
        assertThat(second.isLeading()).isFalse();
        long epoch = first.status().epoch();

        relay.freeze();
        long stoppedNs = clock.nanoTime();
        until(second::isLeading);
        long leadsNs = clock.nanoTime();
        long cycle = second.view().low().cycle();
        until(() -> second.view().low().cycle() >= cycle + 5);

        System.out.printf(
                "Stopped conductor (session timeout %d ms): the other one leads after %d ms%n",
                SESSION_TIMEOUT.toMillis(), (leadsNs - stoppedNs) / 1_000_000);
        assertThat(second.status().epoch()).isGreaterThan(epoch);
        assertThat(first.isLeading()).isFalse();
        relay.thaw();
        until(() -> first.view().connected() && first.status().conductor().equals("c2"));
        long later = second.view().low().cycle();
        until(() -> first.view().low().cycle() >= later + 5);
        assertThat(first.isLeading()).isFalse();
        assertThat(first.view().cycles().values())
                .allSatisfy(open -> assertThat(open.cycle().epoch()).isGreaterThan(epoch));
        assertThat(second.view().low().totals().unaccounted()).isZero();
    }

    @Test
    void namesThePluginThatANodeHasInAnotherEdition() {
        CoordinatorNode node = coordinator("c1", server.address());
        nodes();
        String theirs = ConfigurationDigest.of("d", new TreeMap<>(Map.of("hello", "1.1 (feed)")))
                .text();
        connect("p2", server.address()).cluster().announce(new ProcessorMember("p2", 22, "a:1", "h:1", theirs, false));

        until(() -> node.view().low().cycle() >= 3 && node.counters().get(CoordinatorCounter.MEMBERS_EXCLUDED) == 1);

        assertThat(node.status().members())
                .filteredOn(ClusterStatus.Member::excluded)
                .singleElement()
                .satisfies(member -> {
                    assertThat(member.id()).isEqualTo("p2");
                    assertThat(member.difference())
                            .isEqualTo("uses plugin hello 1.1 (feed), but this coordinator does not");
                });
    }

    @Test
    void carriesOnWithItsDataAfterARestart() {
        Path own = directory.resolve("own");
        CoordinatorNode before = embedding(own, new Endpoint("127.0.0.1", 0));
        Endpoint address = Endpoint.parse(before.zooKeeper().connect());
        queue("q1", 11, address);
        processor("p1", 21, address);
        until(() -> before.view().low().cycle() >= 3);
        running.remove(before);
        before.close();
        long epoch = before.status().epoch();
        long cycle = before.view().low().cycle();

        CoordinatorNode after = embedding(own, address);

        until(() -> after.view().low().cycle() >= cycle + 3);
        assertThat(after.status().epoch()).isGreaterThan(epoch);
        assertThat(after.view().registered()).isEqualTo(1);
        assertThat(after.view().low().totals().unaccounted()).isZero();
    }

    private void nodes() {
        queue = queue("q1", 11, server.address());
        queue("q2", 12, server.address());
        processor("p1", 21, server.address());
    }

    private CoordinatorNode coordinator(String id, Endpoint zooKeeper) {
        return start(new CoordinatorSettings(id, Optional.empty(), settings(zooKeeper), conductor()));
    }

    private CoordinatorNode embedding(Path own, Endpoint address) {
        return start(new CoordinatorSettings(
                "c1",
                Optional.of(new CoordinatorSettings.Embedded(own, address, AccessControl.open(new SystemClock()))),
                settings(address),
                conductor()));
    }

    private CoordinatorNode start(CoordinatorSettings settings) {
        CoordinatorNode node = new CoordinatorNode(settings, clock, errors::add);
        running.push(node);
        return node;
    }

    private GrowingQueue queue(String id, long session, Endpoint zooKeeper) {
        GrowingQueue node = new GrowingQueue(connect(id, zooKeeper).cluster(), clock, id, session);
        run(id, node);
        return node;
    }

    private EagerProcessor processor(String id, long session, Endpoint zooKeeper) {
        EagerProcessor node = new EagerProcessor(connect(id, zooKeeper).cluster(), id, session);
        run(id, node);
        return node;
    }

    private void run(String id, Agent agent) {
        AgentThreads threads = new AgentThreads(id, errors::add);
        threads.start(agent);
        running.push(threads);
    }

    private ZooKeeperSession connect(String id, Endpoint zooKeeper) {
        ZooKeeperSession session =
                new ZooKeeperSession(settings(zooKeeper), id, clock, new Counters<>(ClusterCounter.class), errors::add);
        running.push(session);
        return session;
    }

    private Relay relay() {
        Relay relay = new Relay(server.address());
        running.push(relay);
        return relay;
    }

    private static ZooKeeperSettings settings(Endpoint zooKeeper) {
        return new ZooKeeperSettings(zooKeeper.toString(), "/chimera", "test", SESSION_TIMEOUT);
    }

    private static ConductorSettings conductor() {
        return new ConductorSettings(
                CyclePeriods.fixed(EVERY),
                1_000_000,
                3,
                ReplicationPolicy.of(2),
                new ConfigurationDigest("d"),
                new ConductorSettings.Tolerances(
                        GRACE,
                        ConductorSettings.STRAGGLER_AFTER_DEFAULT,
                        ConductorSettings.FINISH_AFTER_DEFAULT,
                        ConductorSettings.CLOCK_STEP_MAX_DEFAULT,
                        ConductorSettings.UNREACHABLE_AFTER_DEFAULT));
    }

    private static void until(BooleanSupplier condition) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(condition::getAsBoolean);
    }
}
