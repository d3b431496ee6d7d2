package io.chimera.faults.sim;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.faults.sim.fault.Adversary;
import io.chimera.faults.sim.fault.Faults;
import io.chimera.faults.sim.job.JobRun;
import io.chimera.faults.sim.mutant.Mutant;
import io.chimera.faults.sim.oracle.GroupOracle;
import io.chimera.faults.sim.oracle.SimOracle;
import io.chimera.faults.sim.world.Scheduler;
import io.chimera.faults.sim.world.SimAdaptation;
import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimExchange;
import io.chimera.faults.sim.world.SimLayout;
import io.chimera.faults.sim.world.SimMember;
import io.chimera.faults.sim.world.SimPoint;
import io.chimera.faults.sim.world.SimProcess;
import io.chimera.faults.sim.world.SimStores;
import io.chimera.faults.sim.world.SimTopology;
import io.chimera.faults.sim.world.Swarm;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.faults.sim.world.Trace;
import io.chimera.faults.sim.world.Violation;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Run of a cluster: the cluster starts and takes requests during faults; then the faults end, nodes return, and all
 * acknowledged points must be stored.
 */
public final class SeedRun {
    private static final long MS = 1_000_000;

    /** Separate generator for names and stores, so that swarm and faults of a seed stay unchanged. */
    private static final long LAYOUT = 0x9E3779B97F4A7C15L;

    /** Separate generator for rows that a store refuses permanently. */
    private static final long STORES = 0x5704E5L;

    /** Separates the choice of the kind of stores. */
    private static final long SHARDS = 0x5_4A2DL;

    /** Time for the nodes to join before the first request. */
    private static final long WARM_UP_NS = 1_500 * MS;

    /** Time limit after the end of the faults: three times the longest time-out of any node (30 s). */
    private static final long SETTLE_NS = 90_000 * MS;

    /** History of the first tree. */
    private static final String HISTORY = "history-0";

    private static final long ADAPTATION = 0xADA_97L;

    private static final long ADVERSARY = 0xAD5E_75A2L;

    private final long seed;
    private final Mutant mutant;
    private final ManualClock time = new ManualClock();
    private final Swarm swarm;
    private final SimTopology topology;
    private final Timetable timetable;
    private final Trace trace;
    private final MemoryCluster zooKeeper = MemoryCluster.stepped();
    private final Scheduler scheduler;
    private final SimCluster cluster;
    private final SimOracle oracle;
    private final Faults faults;
    private final List<SimExchange> requests = new ArrayList<>();
    private final MemoryNetwork network = new MemoryNetwork();
    private Adversary adversary;
    private Throwable reported;
    private int changes;
    private final JobRun job;
    private long jobEvents;
    private boolean hasChanges;

    /**
     * Creates a run.
     *
     * @param seed decides all random choices
     * @param mutant defect of the nodes, or null
     * @param out destination of the trace; null for none
     */
    public SeedRun(long seed, Mutant mutant, PrintWriter out) {
        this.seed = seed;
        this.mutant = mutant;
        job = new JobRun(seed);
        SplittableRandom random = new SplittableRandom(seed);
        swarm = Swarm.draw(random);
        timetable = new Timetable(time, random);
        trace = new Trace(out);
        boolean isHostile = mutant == null || mutant.needsHostileNames();
        SimLayout layout = isHostile ? SimLayout.draw(new SplittableRandom(seed ^ LAYOUT)) : SimLayout.PLAIN;
        SimStores stores =
                new SimStores(swarm.batchRowsMax(), layout, writesShards(), new SplittableRandom(seed ^ STORES));
        zooKeeper.begin(HISTORY);
        stores.first().append(mutant == Mutant.APPENDING_STORE);
        scheduler = new Scheduler(time, timetable, network, zooKeeper, swarm, trace);
        SimAdaptation adaptation = adaptation();
        topology = topology();
        cluster = new SimCluster(
                swarm,
                topology,
                layout,
                timetable,
                time,
                scheduler,
                network,
                zooKeeper,
                stores,
                thrown -> reported = thrown,
                mutant == Mutant.STREAM_CONTINUED,
                maxGroups(),
                adaptation);
        oracle = new SimOracle(
                time,
                stores,
                layout,
                cluster.disks(),
                new GroupOracle(topology, cluster::groupOf),
                swarm.copies(),
                swarm.delivery() == PipelineConfig.Delivery.EXACTLY_ONCE,
                swarm.windowMs());
        faults = new Faults(swarm, cluster, timetable, network, stores, oracle, trace);
        trace.note(0, "-", "%s", swarm);
        trace.note(0, "-", "%s", topology);
        trace.note(0, "-", "%s", layout);
        trace.note(0, "-", "stores write shards as a whole: %s", stores.writeShards());
        trace.note(0, "-", "%s", adaptation);
    }

    /**
     * Draws groups and lanes; mutants without relation to groups have to be caught without groups. Separate generator,
     * so that swarm and faults of a seed stay unchanged.
     */
    private SimTopology topology() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x6_2004_95L);
        if (mutant == null) {
            return SimTopology.draw(swarm, random);
        }
        return mutant.isOfGroups() ? SimTopology.drawLarge(swarm, random) : SimTopology.plain(swarm);
    }

    /**
     * Returns the maximum number of groups of a processor; every third seed has a small maximum, so shards are
     * processed in slices. Separate generator, so that swarm and faults of a seed stay unchanged.
     */
    private Integer maxGroups() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x51_1CE5);
        return random.nextInt(3) == 0 ? 8 + random.nextInt(32) : null;
    }

    /**
     * Returns whether the stores write shards as a whole; in every third seed. Mutants without relation to such stores
     * have to be caught with other stores. Separate generator.
     */
    private boolean writesShards() {
        return mutant == null ? new SplittableRandom(seed ^ SHARDS).nextInt(3) == 0 : mutant.isOfShardStores();
    }

    /** Draws the choices of the conductor; separate generator. */
    private SimAdaptation adaptation() {
        if (mutant == null) {
            return SimAdaptation.draw(new SplittableRandom(seed ^ ADAPTATION));
        }
        return mutant.isOfShares() ? SimAdaptation.BY_ID : SimAdaptation.NONE;
    }

    /** Runs to the end, or to the first violated invariant. */
    public SeedResult run() {
        try {
            if (mutant == null || !mutant.isOfJobs()) {
                start();
                live();
                settle();
                if (!oracle.owners().isTainted()) {
                    oracle.checkEnd();
                }
            }
            if (mutant == null || mutant.isOfJobs()) {
                jobEvents = job.run();
            }
            return result("", "");
        } catch (Violation e) {
            trace.note(timetable.nowNs(), "-", "%s: %s", e.invariant(), e.getMessage());
            return result(e.invariant(), e.getMessage());
        } catch (LinkageError e) {
            throw e; // not a caught defect: the mutant no longer matches the code
        } catch (RuntimeException | Error e) {
            trace.note(timetable.nowNs(), "-", "%s", e);
            return result(
                    "NoError",
                    e + " at " + List.of(e.getStackTrace()).subList(0, Math.min(6, e.getStackTrace().length)));
        }
    }

    private void start() {
        for (int i = 1; i <= swarm.coordinators(); i++) {
            faults.start(SimProcess.Role.COORDINATOR, "c" + i);
        }
        for (int i = 1; i <= topology.queues().size(); i++) {
            faults.start(SimProcess.Role.QUEUE, "q" + i);
        }
        for (int i = 1; i <= swarm.processors(); i++) {
            faults.start(SimProcess.Role.PROCESSOR, "p" + i);
        }
        faults.plan(WARM_UP_NS);
        planChanges();
        planAdversary();
        planLosses();
        planLimits();
        planReplays();
        planGroupDeaths();
        planPairs();
        planRemovals();
        for (int i = 0; i < swarm.requests(); i++) {
            timetable.in(WARM_UP_NS + timetable.random().nextLong(swarm.loadMs() * MS), this::send);
        }
    }

    /**
     * Plans changes of the configuration in every other seed. Separate generator, so that swarm and faults of a seed
     * stay unchanged.
     */
    private void planChanges() {
        SplittableRandom random = new SplittableRandom(~seed);
        hasChanges = mutant == null ? random.nextBoolean() : mutant.isOfChanges();
        if (hasChanges) {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                timetable.in(WARM_UP_NS + random.nextLong(swarm.loadMs() * MS), () -> {
                    trace.note(timetable.nowNs(), "-", "the configuration changes");
                    cluster.change(random);
                    changes++;
                });
            }
        }
    }

    /** Plans an adversary in every other seed; separate generator. */
    private void planAdversary() {
        SplittableRandom random = new SplittableRandom(Long.rotateLeft(seed, 32) ^ ADVERSARY);
        if (mutant == null ? random.nextBoolean() : mutant.needsAdversary()) {
            adversary = new Adversary(cluster, timetable, network, zooKeeper, oracle, random);
            adversary.plan(WARM_UP_NS, swarm.loadMs() * MS);
        }
    }

    /** Plans one or two losses of ZooKeeper's data in every fourth seed; separate generator. */
    private void planLosses() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5bd1e995L);
        if (mutant == null ? random.nextInt(4) == 0 : mutant.isOfLosses()) {
            for (int i = 1 + random.nextInt(2); i > 0; i--) {
                timetable.in(WARM_UP_NS + random.nextLong(swarm.loadMs() * MS), faults::loseZooKeeper);
            }
        }
    }

    /** Plans limits of journal sizes in every fourth seed; separate generator. */
    private void planLimits() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x11_317L);
        if (mutant == null && random.nextInt(4) == 0) {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                timetable.in(WARM_UP_NS + random.nextLong(swarm.loadMs() * MS), faults::limitJournal);
            }
        }
    }

    /**
     * Plans replays of past cycles in every fourth seed; separate generator. Not in seeds with changes of the
     * configuration, because a replay writes rows of the present pipelines.
     */
    private void planReplays() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x2E_91A7L);
        boolean isWanted = random.nextInt(4) == 0;
        if (mutant == null ? isWanted && !hasChanges : mutant.isOfReplays()) {
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                timetable.in(WARM_UP_NS + random.nextLong(swarm.loadMs() * MS), faults::replay);
            }
        }
    }

    /** Plans the end of a whole journal group in every third seed with groups or lanes; separate generator. */
    private void planGroupDeaths() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x6_DEADL);
        if (mutant == null && topology.hasGroups() && random.nextInt(3) == 0) {
            timetable.in(WARM_UP_NS + random.nextLong(swarm.loadMs() * MS), faults::killGroup);
        }
    }

    /** Plans that two queue nodes leave for good at the same time, in every third seed; separate generator. */
    private void planPairs() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x2_1EA7E5L);
        if (mutant == null ? random.nextInt(3) == 0 : mutant.isOfPairs()) {
            timetable.in(WARM_UP_NS + random.nextLong(swarm.loadMs() * MS), () -> faults.departures()
                    .leaveInPairs(random));
        }
    }

    /** Plans removals of dead queue nodes in every fourth seed; separate generator. */
    private void planRemovals() {
        SplittableRandom random = new SplittableRandom(seed ^ 0x4E_D0FFL);
        if (mutant == null ? random.nextInt(4) == 0 : mutant.isOfRemovals()) {
            for (int i = 2 + random.nextInt(3); i > 0; i--) {
                timetable.in(WARM_UP_NS + random.nextLong(swarm.loadMs() * MS), faults.departures()::remove);
            }
        }
    }

    private void send() {
        List<SimPoint> points = new ArrayList<>();
        SplittableRandom random = timetable.random();
        for (int i = 1 + random.nextInt(swarm.pointsPerRequestMax()); i > 0; i--) {
            points.add(oracle.newPoint(random.nextInt(1 << 16), random.nextInt(1 << 16)));
        }
        List<SimMember> queues = cluster.processes(SimProcess.Role.QUEUE)
                .flatMap(process -> process.members().stream())
                .filter(member -> member.listeners().isOpen())
                .toList();
        SimMember queue = queues.isEmpty() ? null : queues.get(random.nextInt(queues.size()));
        SimExchange request = new SimExchange(
                points,
                accepted -> oracle.accepted(accepted, queue.id(), queue.node().view()));
        requests.add(request);
        if (queue != null) {
            queue.listeners().send(request);
            scheduler.wake(queue);
        }
    }

    private void live() {
        long untilNs = WARM_UP_NS + swarm.loadMs() * MS;
        while (timetable.nowNs() < untilNs && !oracle.owners().isTainted()) {
            step();
        }
        trace.note(timetable.nowNs(), "-", "the faults end");
        faults.end();
    }

    private void settle() {
        long untilNs = timetable.nowNs() + SETTLE_NS;
        while (!oracle.owners().isTainted() && (!step() || !isSettled())) {
            Violation.unless(
                    timetable.nowNs() < untilNs,
                    "Live",
                    () -> String.format(
                            "%d s after the end of the faults, some acknowledged points are not stored, or some"
                                    + " nodes have not left. %s %s",
                            SETTLE_NS / 1_000 / MS,
                            timetable.nowNs() < untilNs ? "" : oracle.unsettled(),
                            faults.departures().leaving().stream()
                                    .map(process -> process + " waits for " + process.awaits())
                                    .toList()));
        }
    }

    /** Returns whether all points are stored, all requests answered, and all drains finished. */
    private boolean isSettled() {
        return oracle.isSettled()
                && areAllAnswered()
                && faults.departures().leaving().isEmpty();
    }

    /** Returns whether all requests accepted by live nodes are answered. */
    private boolean areAllAnswered() {
        return cluster.processes(SimProcess.Role.QUEUE)
                .flatMap(process -> process.members().stream())
                .allMatch(queue -> queue.listeners().unanswered() == 0);
    }

    private boolean step() {
        boolean isIdle = scheduler.step();
        if (oracle.violation() != null) {
            throw oracle.violation();
        }
        if (reported != null) {
            throw new Violation("NoError", reported);
        }
        oracle.look(
                zooKeeper.truth(),
                zooKeeper.epoch(),
                cluster.processes(SimProcess.Role.COORDINATOR)
                        .map(conductor -> conductor.session().view())
                        .toList());
        return isIdle;
    }

    private SeedResult result(String invariant, String seen) {
        Map<String, Integer> byLabel = new TreeMap<>();
        faults.injected().forEach((kind, count) -> byLabel.put(kind.label(), count));
        if (adversary != null) {
            byLabel.putAll(adversary.done());
        }
        if (changes > 0) {
            byLabel.put("configuration-changed", changes);
        }
        if (faults.losses() > 0) {
            byLabel.put("zookeeper-data-lost", faults.losses());
        }
        if (faults.groupsKilled() > 0) {
            byLabel.put("group-killed", faults.groupsKilled());
        }
        if (topology.hasGroups() || topology.processorLanes() > 1) {
            byLabel.put("groups-or-lanes", 1);
        }
        if (topology.hasUnequalLanes()) {
            byLabel.put("unequal-lanes", 1);
        }
        if (faults.departures().pairsRemoved() > 0) {
            byLabel.put("pair-removed", faults.departures().pairsRemoved());
        }
        if (faults.departures().removedDead() > 0) {
            byLabel.put("dead-removed", faults.departures().removedDead());
        }
        if (faults.departures().removedAlive() > 0) {
            byLabel.put("alive-removed", faults.departures().removedAlive());
        }
        if (faults.lanesRestored() > 0) {
            byLabel.put("lanes-restored", faults.lanesRestored());
        }
        if (faults.disksGivenUp() > 0) {
            byLabel.put("disks-given-up", faults.disksGivenUp());
        }
        if (faults.limits() > 0) {
            byLabel.put("journal-limited", faults.limits());
        }
        if (faults.replays() > 0) {
            byLabel.put("replay-requested", faults.replays());
        }
        if (oracle.changeovers() > 0) {
            byLabel.put("pipelines-changed", oracle.changeovers());
        }
        if (cluster.count(ProcessorCounter.STAGING_SHARDS_DIVIDED) > 0) {
            byLabel.put("shards-divided", cluster.count(ProcessorCounter.STAGING_SHARDS_DIVIDED));
        }
        byLabel.putAll(job.replicaFaults());
        return new SeedResult(
                seed,
                scheduler.events() + jobEvents,
                timetable.nowNs() / MS,
                oracle.points(),
                oracle.acknowledged(),
                oracle.cycles(),
                byLabel,
                trace.digest(),
                invariant,
                seen);
    }
}
