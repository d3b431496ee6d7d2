package io.chimera.faults.sim.fault;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.coordinator.plan.RecoveryPlan;
import io.chimera.faults.sim.oracle.SimOracle;
import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimFaultKind;
import io.chimera.faults.sim.world.SimMember;
import io.chimera.faults.sim.world.SimPipelines;
import io.chimera.faults.sim.world.SimProcess;
import io.chimera.faults.sim.world.SimStores;
import io.chimera.faults.sim.world.Swarm;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.faults.sim.world.Trace;
import io.chimera.faults.sim.world.Violation;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import io.chimera.testkit.store.MemoryStore;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Injects faults into a cluster, and ends faults. {@link SimFaultKind} explains each kind. */
public final class Faults {
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);
    private static final long MS = 1_000_000;
    private static final long LANES_LOOK_NS = 1_000 * MS;
    private static final long DISKS_LOOK_NS = 700 * MS;

    private final Swarm swarm;
    private final SimCluster cluster;
    private final Timetable timetable;
    private final SimOracle oracle;
    private final SplittableRandom random;
    private final ActiveFaults active;
    private final NetworkFaults inNetwork;
    private final ZooKeeperFaults inZooKeeper;
    private final StoreFaults inStores;
    private final Restarts restarts;
    private final LostDisks lostDisks;
    private final Departures departures;
    private final Map<SimFaultKind, Integer> injected = new EnumMap<>(SimFaultKind.class);
    private int joined;
    private boolean isZooKeeperLost;
    private int losses;
    private int limits;
    private int groupsKilled;
    private int lanesRestored;
    private int disksGivenUp;
    private int replays;

    public Faults(
            Swarm swarm,
            SimCluster cluster,
            Timetable timetable,
            MemoryNetwork network,
            SimStores stores,
            SimOracle oracle,
            Trace trace) {
        this.swarm = swarm;
        this.cluster = cluster;
        this.timetable = timetable;
        this.oracle = oracle;
        random = timetable.random();
        active = new ActiveFaults(cluster, timetable, trace);
        inNetwork = new NetworkFaults(active, timetable, network);
        inZooKeeper = new ZooKeeperFaults(active, swarm, cluster, random);
        inStores = new StoreFaults(active, timetable, stores, oracle);
        restarts = new Restarts(cluster, active, oracle, inNetwork, timetable, trace);
        departures = new Departures(swarm, cluster, active, restarts, oracle, timetable);
        lostDisks = departures.lostDisks();
    }

    /** Plans all faults of the swarm within the time of the load. */
    public void plan(long fromNs) {
        swarm.faults().forEach((kind, count) -> {
            for (int i = 0; i < count; i++) {
                timetable.in(fromNs + random.nextLong(swarm.loadMs() * MS), () -> inject(kind));
            }
        });
    }

    /** Returns the number of injected faults by kind. */
    public Map<SimFaultKind, Integer> injected() {
        return injected;
    }

    /** Ends all active faults at once, and injects no more. */
    public void end() {
        active.end();
        if (cluster.topology().hasUnequalLanes()) {
            restoreLanesWhenNeeded();
        }
    }

    /**
     * Restarts queue processes with all lanes as soon as a lane is on too few queue nodes, like an operator who follows
     * the status. A node alone in its group acknowledges points on one journal; once another node is registered, points
     * of a lane that only one of them has wait for this restart.
     */
    private void restoreLanesWhenNeeded() {
        timetable.in(LANES_LOOK_NS, () -> {
            if (isLaneOnTooFewNodes()) {
                lanesRestored++;
                active.noteOutside("all queue processes get the same lanes");
                cluster.equalLanes();
                restartWithFewerLanes();
            } else {
                restoreLanesWhenNeeded();
            }
        });
    }

    private boolean isLaneOnTooFewNodes() {
        ClusterView view = cluster.truth();
        return view.groups().stream()
                .map(view::in)
                .anyMatch(group -> group.members() > 0
                        && group.members() < swarm.copies().needed(group.registered(), group.members()));
    }

    private void restartWithFewerLanes() {
        cluster.processes(SimProcess.Role.QUEUE)
                .filter(queue -> queue.members().size()
                        < cluster.topology().queueMembers(queue.id()).size())
                .toList()
                .forEach(queue -> {
                    active.note(queue, "killed for its lanes");
                    cluster.kill(queue);
                    restarts.start(queue.role(), queue.id());
                });
    }

    /** Returns how often missing lanes were restored. */
    public int lanesRestored() {
        return lanesRestored;
    }

    private void inject(SimFaultKind kind) {
        if (!active.isOver() && happens(kind)) {
            injected.merge(kind, 1, Integer::sum);
        }
    }

    private boolean happens(SimFaultKind kind) {
        return switch (kind) {
            case QUEUE_KILLED -> kill(SimProcess.Role.QUEUE);
            case PROCESSOR_KILLED -> kill(SimProcess.Role.PROCESSOR);
            case COORDINATOR_KILLED -> kill(SimProcess.Role.COORDINATOR);
            case DISK_LOST -> diskLost();
            case POWER_CUT -> powerCut();
            case DISK_FULL -> diskFull();
            case PAUSED -> pause();
            case PARTITION -> inNetwork.partition(false);
            case PARTITION_ONE_WAY -> inNetwork.partition(true);
            case CONNECTION_BROKEN -> inNetwork.connectionBroken();
            case DELAY -> inNetwork.delay();
            case FRAMES_LOST -> inNetwork.framesLost();
            case ZOOKEEPER_CUT -> inZooKeeper.cut();
            case ZOOKEEPER_OUTAGE -> inZooKeeper.outage();
            case SESSION_EXPIRED -> inZooKeeper.sessionExpired();
            case REPLY_LOST -> inZooKeeper.onLead(MemoryCluster.Lead::loseNextReply);
            case OVERTAKEN -> inZooKeeper.onLead(MemoryCluster.Lead::overtake);
            case STORE_OUTAGE -> inStores.store(MemoryStore.Outcome.FAILED);
            case STORE_LATE -> inStores.store(MemoryStore.Outcome.LATE, MemoryStore.Outcome.LATE_BUT_FAILED);
            case STORE_FORGETS ->
                swarm.delivery() == PipelineConfig.Delivery.EXACTLY_ONCE
                        && inStores.store(MemoryStore.Outcome.FORGOTTEN);
            case STORE_FALSE_ERROR -> inStores.store(MemoryStore.Outcome.WRITTEN_BUT_FAILED);
            case STORE_REFUSES -> inStores.refuses(1);
            case STORE_REFUSES_SOME -> inStores.refuses(2 + random.nextInt(3));
            case SECOND_STORE_REFUSES -> inStores.secondRefuses();
            case PROCESSOR_JOINS -> joins(SimProcess.Role.PROCESSOR, "p");
            case QUEUE_JOINS -> joins(SimProcess.Role.QUEUE, "q");
            case PROCESSOR_LEAVES -> departures.leaves(SimProcess.Role.PROCESSOR);
            case QUEUE_LEAVES -> departures.leaves(SimProcess.Role.QUEUE);
            case QUEUE_REMOVED -> departures.removed();
            case CLOCK_STEP -> clockStep();
        };
    }

    // Processes

    private boolean kill(SimProcess.Role role) {
        SimProcess process = active.any(role);
        if (process == null) {
            return false;
        }
        active.note(process, "killed");
        cluster.kill(process);
        restarts.later(process);
        return true;
    }

    /** Starts a node, unless the node is running. */
    public void start(SimProcess.Role role, String id) {
        restarts.start(role, id);
    }

    /** Returns the departures of processes. */
    public Departures departures() {
        return departures;
    }

    private boolean diskLost() {
        SimProcess queue = active.any(SimProcess.Role.QUEUE);
        if (queue == null
                || lostDisks.isAnyMissing()
                || swarm.copies().least() < 2
                || !oracle.canLose(cluster.topology().queueMembers(queue.id()))
                || !oracle.canLosePast(cluster.topology().queueMembers(queue.id()))) {
            return false;
        }
        active.note(queue, "killed, its disk is lost");
        lostDisks.lost();
        cluster.kill(queue);
        cluster.disks(queue.id()).forEach(oracle::lostDisk);
        cluster.loseDisk(queue.id());
        oracle.shrunk();
        restarts.later(queue);
        giveUpRefused(queue.id());
        return true;
    }

    /**
     * Waits until the members of a queue process have joined with their empty disks. The cluster refuses a member whose
     * lost disk may have had the only copy of points: an operator, who knows of the loss, gives this disk up.
     */
    private void giveUpRefused(String id) {
        timetable.in(DISKS_LOOK_NS, () -> {
            List<SimMember> members = cluster.processes(SimProcess.Role.QUEUE)
                    .filter(queue -> queue.id().equals(id))
                    .flatMap(queue -> queue.members().stream())
                    .toList();
            List<String> refused = members.stream()
                    .filter(member -> member.node().isJournalRefused())
                    .map(SimMember::id)
                    .toList();
            if (!refused.isEmpty()) {
                disksGivenUp++;
                active.noteOutside("lost disks of %s are given up", refused);
                cluster.giveUpDisks(refused);
            }
            if (members.isEmpty()
                    || !members.stream().allMatch(member -> member.node().hasJoined())) {
                giveUpRefused(id);
            }
        });
    }

    /** Returns how often an operator gave up lost disks, because the cluster waited for their points. */
    public int disksGivenUp() {
        return disksGivenUp;
    }

    private boolean powerCut() {
        if (swarm.sync() == SyncPolicy.NONE) {
            return false; // without syncs there is no guarantee after a power loss
        }
        for (SimProcess queue : cluster.processes(SimProcess.Role.QUEUE).toList()) {
            cluster.kill(queue);
            restarts.later(queue);
        }
        for (MemoryJournal disk : cluster.disks().values()) {
            disk.crash(random.nextInt(disk.unsynced() + 1));
        }
        active.noteOutside("power cut of all queue nodes");
        return true;
    }

    private boolean diskFull() {
        SimProcess queue = active.any(SimProcess.Role.QUEUE);
        if (queue == null) {
            return false;
        }
        List<MemoryJournal> disks = cluster.disks(queue.id());
        boolean hangs = random.nextBoolean();
        active.note(queue, "disk full");
        disks.forEach(disk -> disk.refuse(true));
        disks.forEach(disk -> disk.failToSync(hangs));
        active.lasting(100 + random.nextLong(8_000), () -> {
            disks.forEach(disk -> disk.refuse(false));
            disks.forEach(disk -> disk.failToSync(false));
        });
        return true;
    }

    private boolean pause() {
        SimProcess process = active.any(null);
        if (process == null || process.isPaused()) {
            return false;
        }
        active.note(process, "paused");
        cluster.pause(process, true);
        process.session().obstruct(false, true);
        active.lasting(50 + random.nextLong(3 * swarm.sessionMs()), () -> {
            if (!process.isDead()) {
                active.note(process, "goes on");
                cluster.pause(process, false);
                process.session().clear();
            }
        });
        return true;
    }

    private boolean joins(SimProcess.Role role, String prefix) {
        if (joined == 2) {
            return false;
        }
        joined++;
        restarts.start(role, prefix + (10 - joined));
        return true;
    }

    private boolean clockStep() {
        SimProcess process = active.any(null);
        if (process == null) {
            return false;
        }
        if (random.nextInt(4) == 0) {
            long jumpMs = random.nextBoolean() ? DAY_MS : -DAY_MS;
            active.note(process, "clock jumps by " + jumpMs + " ms for a while");
            process.clock().step(jumpMs * MS);
            active.lasting(9_000, () -> process.clock().step(-jumpMs * MS));
            return true;
        }
        long stepMs = random.nextLong(20_000) - 10_000;
        active.note(process, "clock steps by " + stepMs + " ms");
        process.clock().step(stepMs * MS);
        return true;
    }

    /**
     * Deletes all of ZooKeeper's data; an operator recovers the data some seconds later. Never together with a loss of
     * a queue node's disk: points sent only from the lost disk would be lost with the only copy of their cycle.
     *
     * @return whether the loss happened
     */
    public boolean loseZooKeeper() {
        boolean isKnown = cluster.disks().values().stream()
                .noneMatch(disk -> disk.control().kept().mark().isEmpty());
        if (active.isOver() || isZooKeeperLost || !isKnown || lostDisks.isAnyMissing()) {
            return false;
        }
        active.noteOutside("ZooKeeper's data is lost");
        lostDisks.lost();
        isZooKeeperLost = true;
        losses++;
        oracle.lostZooKeeper();
        cluster.loseZooKeeper("history-" + losses);
        active.lasting(100 + random.nextLong(8_000), () -> {
            RecoveryPlan.Plan plan = cluster.recoverZooKeeper();
            active.noteOutside("ZooKeeper is recovered: %s", plan.state().mark());
            Violation.unless(plan.refusals().isEmpty(), "Recoverable", () -> plan.refusals()
                    .toString());
            isZooKeeperLost = false;
            lostDisks.lost();
            oracle.recoveredZooKeeper(plan.state());
        });
        return true;
    }

    /** Limits the journal of a queue node for a while; the journal accepts points again after cycles are verified. */
    public void limitJournal() {
        SimProcess queue = active.any(SimProcess.Role.QUEUE);
        if (active.isOver() || queue == null) {
            return;
        }
        List<MemoryJournal> disks = cluster.disks(queue.id());
        active.note(queue, "journal limited");
        long bytes = 2_000 + random.nextLong(30_000);
        disks.forEach(disk -> disk.limit(bytes));
        limits++;
        active.lasting(500 + random.nextLong(8_000), () -> disks.forEach(disk -> disk.limit(Long.MAX_VALUE)));
    }

    /** Kills all queue processes of a journal group at once; the other groups go on. */
    public void killGroup() {
        SimProcess any = active.any(SimProcess.Role.QUEUE);
        if (active.isOver() || any == null) {
            return;
        }
        JournalGroup group = cluster.topology().groupOf(any.id());
        active.noteOutside("group %s killed", group);
        groupsKilled++;
        cluster.processes(SimProcess.Role.QUEUE)
                .filter(queue -> cluster.topology().groupOf(queue.id()).equals(group))
                .toList()
                .forEach(queue -> {
                    cluster.kill(queue);
                    restarts.later(queue);
                });
    }

    /** Returns the number of killed groups. */
    public int groupsKilled() {
        return groupsKilled;
    }

    /** Returns the number of limited journals. */
    public int limits() {
        return limits;
    }

    /**
     * Requests, as an operator, the replay of some past cycles held by a journal. The replay covers a pipeline whose
     * rows do not depend on the order of records, because the order depends on the number of queue nodes, which may
     * have changed.
     */
    public void replay() {
        SimProcess queue = active.any(SimProcess.Role.QUEUE);
        if (active.isOver() || isZooKeeperLost || queue == null) {
            return;
        }
        SortedMap<Long, PastCycle> held = cluster.pastCycles(queue.id());
        List<PastCycle> wanted =
                held.values().stream().filter(past -> random.nextBoolean()).toList();
        if (!wanted.isEmpty()) {
            replays++;
            active.noteOutside("replay of %d cycles", wanted.size());
            cluster.requestReplay(new ReplayRequest("r" + replays, SimPipelines.BY_SERIES, wanted));
        }
    }

    /** Returns the number of requested replays. */
    public int replays() {
        return replays;
    }

    /** Returns the number of losses of ZooKeeper's data. */
    public int losses() {
        return losses;
    }
}
