package io.chimera.coordinator.conductor;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.watch.ClusterEvent;
import io.chimera.coordinator.watch.Standstill;
import io.chimera.testkit.cluster.MemoryCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/**
 * Conductor over an in-memory store, with queue nodes q1 and q2 (sessions 11 and 12), processors p1 and p2 (sessions 21
 * and 22), and a clock moved by the test.
 */
class ConductorRig {
    protected static final Duration EVERY = Duration.ofSeconds(10);
    protected static final Duration GRACE = Duration.ofMillis(500);
    protected static final Duration STRAGGLER_AFTER = Duration.ofSeconds(10);
    protected static final Duration FINISH_AFTER = Duration.ofSeconds(4);
    protected static final long A = 0xaL;
    protected static final long B = 0xbL;
    protected static final long MAX_POINTS = 1000;

    protected final MemoryCluster cluster = MemoryCluster.immediate();
    protected final ManualClock clock = new ManualClock();
    protected final Counters<CoordinatorCounter> counters = new Counters<>(CoordinatorCounter.class);
    protected final Map<String, MemoryCluster.Node> nodes = new HashMap<>();
    protected final List<ClusterEvent> events = new ArrayList<>();
    protected MemoryCluster.Lead lead;
    protected Conductor conductor;

    @BeforeEach
    void start() {
        clock.advance(Duration.ofMillis(3)); // not on the boundary of a period
        lead = cluster.lead();
        conductor = conductor(lead, 2);
    }

    protected void members() {
        announce(processor("p1", 21, "d", false));
        announce(processor("p2", 22, "d", false));
        announce("q1", Positions.NONE);
        announce("q2", Positions.NONE);
        conductor.doWork();
    }

    /** Announces that both queue nodes hold a stream durably up to a record. */
    protected void journal(long stream, long upTo) {
        announce("q1", Positions.of(stream, upTo));
        announce("q2", Positions.of(stream, upTo));
    }

    protected void announce(String id, Positions positions) {
        if (id.startsWith("p")) {
            announce(processor(id, 20 + Long.parseLong(id.substring(1)), "d", false));
        } else {
            announce(queue(id, 10 + Long.parseLong(id.substring(1)), Positions.NONE, positions));
        }
    }

    protected void truncated(String id, Positions bases, Positions positions) {
        announce(queue(id, 10 + Long.parseLong(id.substring(1)), bases, positions));
    }

    protected void announce(QueueMember member) {
        nodes.computeIfAbsent(member.id(), id -> cluster.join()).announce(member);
    }

    protected void announce(ProcessorMember member) {
        nodes.computeIfAbsent(member.id(), id -> cluster.join()).announce(member);
    }

    protected void kill(String id) {
        MemoryCluster.Node node = nodes.remove(id);
        node.disconnect();
        node.expire();
    }

    /** Commits every open shard, with all points of a cycle in shard 0, and runs the conductor. */
    protected void commitAll() {
        view().cycles().keySet().forEach(this::commit);
        run(Duration.ofMillis(200));
    }

    protected void commit(long number) {
        OpenCycle open = cluster.truth().cycles().get(number);
        long points = open.cycle()
                .cut()
                .recordsSince(cluster.truth().cutBefore(number).orElseThrow());
        for (int shard = 0; shard < open.cycle().shards(); shard++) {
            long counted = shard == 0 ? points : 0;
            cluster.join()
                    .commit(
                            new ShardCommit(number, shard, 21, new ShardCommit.Accounts(counted, 0, 0, 0), counted, 1),
                            open.assignment().version());
        }
    }

    protected void run(Duration duration) {
        Duration step = Duration.ofMillis(10);
        for (long left = duration.toMillis(); left > 0; left -= step.toMillis()) {
            clock.advance(step);
            conductor.doWork();
        }
    }

    protected Standstill waiting() {
        return conductor.status().waiting().orElseThrow();
    }

    protected ClusterView view() {
        return cluster.truth();
    }

    protected Cycle cycle(long number) {
        return view().cycles().get(number).cycle();
    }

    protected Assignment assignment(long number) {
        return view().cycles().get(number).assignment();
    }

    protected Conductor conductor(MemoryCluster.Lead store, int copies) {
        return new Conductor(store, clock, settings(copies), counters, events::add);
    }

    protected static final Duration CLOCK_STEP_MAX = Duration.ofMinutes(1);
    protected static final Duration UNREACHABLE_AFTER = Duration.ofSeconds(14);

    protected static ConductorSettings settings(int copies) {
        return settings(CyclePeriods.fixed(EVERY), copies);
    }

    protected static ConductorSettings settings(CyclePeriods periods, int copies) {
        return new ConductorSettings(
                periods,
                MAX_POINTS,
                3,
                ReplicationPolicy.of(copies),
                new ConfigurationDigest("d"),
                new ConductorSettings.Tolerances(
                        GRACE, STRAGGLER_AFTER, FINISH_AFTER, CLOCK_STEP_MAX, UNREACHABLE_AFTER));
    }

    protected static QueueMember queue(String id, long session, Positions bases, Positions positions) {
        return new QueueMember(id, session, "a", "h", session + 1000, "d", bases, positions, false);
    }

    protected static ProcessorMember processor(String id, long session, String digest, boolean leaving) {
        return new ProcessorMember(id, session, "a", "h", digest, leaving);
    }
}
