package io.chimera.faults.sim.plane;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.membership.ReplicationPolicy;
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
        conductor = new Conductor(store, time, settings(), counters);
    }

    /** Returns settings of a conductor with cycles of 1 s. */
    static ConductorSettings settings() {
        return new ConductorSettings(
                CyclePeriods.fixed(EVERY),
                Long.MAX_VALUE,
                ConductorSettings.IN_FLIGHT_DEFAULT,
                ReplicationPolicy.of(COPIES),
                new ConfigurationDigest(DIGEST),
                new ConductorSettings.Tolerances(
                        ConductorSettings.GRACE_DEFAULT,
                        ConductorSettings.STRAGGLER_AFTER_DEFAULT,
                        ConductorSettings.FINISH_AFTER_DEFAULT,
                        ConductorSettings.CLOCK_STEP_MAX_DEFAULT,
                        ConductorSettings.UNREACHABLE_AFTER_DEFAULT));
    }

    /** Measures the given number of cycles of a cluster. */
    public static PlaneFigures measure(PlaneSize size, int cycles) {
        return new PlaneRun(size).run(cycles);
    }

    private PlaneFigures run(int cycles) {
        coordinator.also(this::conduct);
        coordinator.start(0);
        time.every(0, COORDINATOR_TURN_NS, this::conduct);
        startMembers();
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

    private void startMembers() {
        LightLayout layout = new LightLayout(size, random);
        for (int i = 0; i < size.queues(); i++) {
            PlaneProcess process = process();
            long atNs = random.nextLong(START_NS);
            layout.queues(i, time, shared, process.session()::openCluster, atNs);
            process.also(() -> note(process));
            process.start(atNs);
        }
        for (int i = 0; i < size.processors(); i++) {
            PlaneProcess process = process();
            long atNs = random.nextLong(START_NS);
            List<LightProcessor> lanes = layout.processors(i, time, shared, process.session()::openCluster, atNs);
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
        shared.seen(process, process.session().view().newest(), time.nanoTime());
    }
}
