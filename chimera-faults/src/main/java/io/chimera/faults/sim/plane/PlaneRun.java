package io.chimera.faults.sim.plane;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.identity.LaneId;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.conductor.Conductor;
import io.chimera.coordinator.conductor.ConductorSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs one cluster on this thread in virtual time: the real coordinator, and the real sessions of light members over
 * the model of {@link PlaneServers}. Cycles begin every second. Deterministic except for the measured CPU time.
 */
public final class PlaneRun {
    static final String DIGEST = "0123456789abcdef0123456789abcdef";

    /** Queue nodes of a journal group. */
    private static final int GROUP = 3;

    private static final int COPIES = 2;
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final long CYCLE_NS = EVERY.toNanos();

    /** Time within which all processes start. */
    private static final long START_NS = 2 * CYCLE_NS;

    /** Cycles before the measurement: members have joined, and the JVM has compiled the code. */
    private static final int WARM_UP = 10;

    private static final long COORDINATOR_TURN_NS = 5_000_000;

    private final PlaneSize size;
    private final SplittableRandom random = new SplittableRandom(1);
    private final PlaneTime time = new PlaneTime();
    private final PlaneServers servers = new PlaneServers(time);
    private final LightCluster shared = new LightCluster();
    private final Counters<CoordinatorCounter> counters = new Counters<>(CoordinatorCounter.class);
    private final List<PlaneProcess> members = new ArrayList<>();
    private final List<Long> beganNs = new ArrayList<>();
    private final PlaneProcess coordinator;
    private final CycleStore store;
    private final Conductor conductor;

    private PlaneRun(PlaneSize size) {
        this.size = size;
        coordinator = new PlaneProcess(servers, random.nextLong(), 0);
        store = coordinator.session().conductorship("c1");
        conductor = new Conductor(
                store,
                time,
                new ConductorSettings(
                        EVERY,
                        Long.MAX_VALUE,
                        ConductorSettings.IN_FLIGHT_DEFAULT,
                        ReplicationPolicy.of(COPIES),
                        new ConfigurationDigest(DIGEST),
                        new ConductorSettings.Tolerances(
                                ConductorSettings.GRACE_DEFAULT,
                                ConductorSettings.STRAGGLER_AFTER_DEFAULT,
                                ConductorSettings.FINISH_AFTER_DEFAULT,
                                ConductorSettings.CLOCK_STEP_MAX_DEFAULT,
                                ConductorSettings.UNREACHABLE_AFTER_DEFAULT)),
                counters);
    }

    /** Measures the given number of cycles of a cluster. */
    public static PlaneFigures measure(PlaneSize size, int cycles) {
        return new PlaneRun(size).run(cycles);
    }

    private PlaneFigures run(int cycles) {
        coordinator.also(this::conduct);
        coordinator.start(0);
        time.every(0, COORDINATOR_TURN_NS, this::conduct);
        startQueues();
        startProcessors();
        time.runUntil(START_NS + WARM_UP * CYCLE_NS + CYCLE_NS / 2); // cycles begin at full seconds
        PlaneCounts before = servers.counts();
        long conductorBeforeNs = coordinator.cpuNs();
        long membersBeforeNs = membersNs();
        int first = beganNs.size();
        time.runUntil(time.nanoTime() + cycles * CYCLE_NS);
        PlaneCounts counts = servers.counts().minus(before);
        long conductorNs = coordinator.cpuNs() - conductorBeforeNs;
        long memberNs = membersNs() - membersBeforeNs;
        int begun = beganNs.size() - first;
        time.runUntil(time.nanoTime() + 2 * CYCLE_NS); // all processes see the last measured cycle
        return new PlaneFigures(
                size,
                begun,
                cycles * CYCLE_NS,
                counts,
                conductorNs,
                memberNs,
                convergeNs(first, begun),
                servers.bytesBelow("/chimera/c"));
    }

    private long membersNs() {
        return members.stream().mapToLong(PlaneProcess::cpuNs).sum();
    }

    private long convergeNs(int first, int begun) {
        long longestNs = 0;
        for (int i = first; i < first + begun; i++) {
            long cycle = i + 1L;
            if (shared.seenBy(cycle) < members.size()) {
                return Long.MAX_VALUE;
            }
            longestNs = Math.max(longestNs, shared.seenLastNs(cycle) - beganNs.get(i));
        }
        return longestNs;
    }

    /** Runs the conductor unless it waits for ZooKeeper. */
    private void conduct() {
        if (time.nanoTime() < coordinator.client().waitsUntilNs()) {
            return;
        }
        long begunBefore = counters.get(CoordinatorCounter.CYCLES_BEGUN);
        coordinator.runOnce(conductor);
        if (counters.get(CoordinatorCounter.CYCLES_BEGUN) > begunBefore) {
            beganNs.add(time.nanoTime());
        }
        if (coordinator.client().waitsUntilNs() > time.nanoTime()) {
            time.at(coordinator.client().waitsUntilNs(), this::conduct);
        }
    }

    private void startQueues() {
        int count = size.queues();
        long[][] streams = new long[size.lanes()][count];
        for (long[] lane : streams) {
            for (int i = 0; i < count; i++) {
                lane[i] = random.nextLong();
            }
        }
        for (int i = 0; i < count; i++) {
            PlaneProcess process = process();
            long atNs = random.nextLong(START_NS);
            for (int lane = 0; lane < size.lanes(); lane++) {
                int group = group(i);
                new LightQueue(
                                LaneId.of("q" + i, lane),
                                new JournalGroup("g" + group).lane(lane),
                                random.nextLong(),
                                streams[lane][i],
                                ofGroup(streams[lane], group),
                                time,
                                shared,
                                process.session().openCluster())
                        .start(atNs + random.nextLong(LightQueue.ANNOUNCE_NS));
            }
            process.also(() -> note(process));
            process.start(atNs);
        }
    }

    /** Returns the journal group of a queue node; the last group takes the rest. */
    private int group(int number) {
        return Math.min(number / GROUP, Math.max(1, size.queues() / GROUP) - 1);
    }

    /** Returns the streams of the queue nodes of a group. */
    private List<Long> ofGroup(long[] streams, int group) {
        List<Long> copied = new ArrayList<>();
        for (int i = 0; i < streams.length; i++) {
            if (group(i) == group) {
                copied.add(streams[i]);
            }
        }
        return copied;
    }

    private void startProcessors() {
        for (int i = 0; i < size.processors(); i++) {
            PlaneProcess process = process();
            long atNs = random.nextLong(START_NS);
            List<LightProcessor> lanes = new ArrayList<>();
            for (int lane = 0; lane < size.lanes(); lane++) {
                LightProcessor processor = new LightProcessor(
                        LaneId.of("p" + i, lane),
                        random.nextLong(),
                        time,
                        shared,
                        process.session().openCluster());
                processor.start(atNs);
                lanes.add(processor);
            }
            process.also(() -> {
                lanes.forEach(LightProcessor::look);
                note(process);
            });
            process.start(atNs);
        }
    }

    private PlaneProcess process() {
        PlaneProcess process = new PlaneProcess(servers, random.nextLong(), members.size() + 1);
        members.add(process);
        return process;
    }

    private void note(PlaneProcess process) {
        ClusterView view = process.session().view();
        for (long cycle = process.seenTo(view.newest()); cycle <= view.newest(); cycle++) {
            shared.seen(cycle, time.nanoTime());
        }
    }
}
