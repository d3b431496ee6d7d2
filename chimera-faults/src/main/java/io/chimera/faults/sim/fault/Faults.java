package io.chimera.faults.sim.fault;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.coordinator.plan.RecoveryPlan;
import io.chimera.coordinator.plan.Removal;
import io.chimera.faults.sim.oracle.SimOracle;
import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimFaultKind;
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
import java.util.ArrayList;
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

    /**
     * Minimum time between losses of disks: a replaced disk must have been filled again, which takes time in any
     * system.
     */
    private static final long DISK_LOST_EVERY_NS = 12_000 * MS;

    /** Time within which an operator removes a dead node; afterwards the node restarts. */
    private static final long REMOVE_WITHIN_NS = 8_000 * MS;

    private final Swarm swarm;
    private final SimCluster cluster;
    private final Timetable timetable;
    private final SimOracle oracle;
    private final Trace trace;
    private final SplittableRandom random;
    private final ActiveFaults active;
    private final NetworkFaults inNetwork;
    private final ZooKeeperFaults inZooKeeper;
    private final StoreFaults inStores;
    private final Map<SimFaultKind, Integer> injected = new EnumMap<>(SimFaultKind.class);
    private long diskLostNs = -DISK_LOST_EVERY_NS;

    /** Time of the last removal of a queue node; a removal demands copies, so another removal may follow at once. */
    private long removedNs = -DISK_LOST_EVERY_NS;

    private int joined;
    private boolean isAnyLeaving;

    /** Processes asked to leave that have neither left nor died. */
    private final List<SimProcess> leaving = new ArrayList<>();

    /** Queue nodes among them that leave for good. */
    private final List<SimProcess> leavingForGood = new ArrayList<>();

    /** Queue nodes asked to leave for good at the same time. */
    private List<SimProcess> pair = List.of();

    private int removedOfPair;
    private boolean isZooKeeperLost;
    private int losses;
    private int limits;
    private int groupsKilled;
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
        this.trace = trace;
        random = timetable.random();
        active = new ActiveFaults(cluster, timetable, trace);
        inNetwork = new NetworkFaults(active, timetable, network);
        inZooKeeper = new ZooKeeperFaults(active, swarm, cluster, random);
        inStores = new StoreFaults(active, timetable, stores, oracle);
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
            case PROCESSOR_LEAVES -> leaves(SimProcess.Role.PROCESSOR);
            case QUEUE_LEAVES -> leaves(SimProcess.Role.QUEUE);
            case QUEUE_REMOVED -> removed();
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
        restartLater(process);
        return true;
    }

    private void restartLater(SimProcess process) {
        active.lasting(50 + random.nextLong(6_000), () -> start(process.role(), process.id()));
    }

    /** Starts a node, unless the node is running. */
    public void start(SimProcess.Role role, String id) {
        if (cluster.isRunning(id)) {
            return;
        }
        trace.note(timetable.nowNs(), id, "starts");
        switch (role) {
            case QUEUE -> cluster.startQueue(id, (member, disk) -> disk.watch(oracle.watcher(member)));
            case PROCESSOR -> cluster.startProcessor(id);
            case COORDINATOR -> cluster.startCoordinator(id);
        }
    }

    private boolean diskLost() {
        SimProcess queue = active.any(SimProcess.Role.QUEUE);
        if (queue == null
                || isDiskMissing()
                || swarm.copies().least() < 2
                || !oracle.canLose(members(queue.id()))
                || !oracle.canLosePast(members(queue.id()))) {
            return false;
        }
        active.note(queue, "killed, its disk is lost");
        diskLostNs = timetable.nowNs();
        cluster.kill(queue);
        cluster.disks(queue.id()).forEach(oracle::lostDisk);
        cluster.loseDisk(queue.id());
        oracle.shrunk();
        restartLater(queue);
        return true;
    }

    /** An operator removes a dead queue node without giving up points. */
    private boolean removed() {
        SimProcess queue = active.any(SimProcess.Role.QUEUE);
        if (queue == null) {
            return false;
        }
        active.note(queue, "killed, to be removed");
        cluster.kill(queue);
        removeWhenPermitted(queue, timetable.nowNs() + REMOVE_WITHIN_NS);
        return true;
    }

    private void removeWhenPermitted(SimProcess queue, long untilNs) {
        timetable.in(50 * MS, () -> {
            if (active.isOver() || timetable.nowNs() >= untilNs || cluster.isRunning(queue.id())) {
                start(queue.role(), queue.id());
            } else if (!isRemovalPermitted(queue) || !oracle.canLosePast(members(queue.id()))) {
                removeWhenPermitted(queue, untilNs);
            } else {
                active.note(queue, "removed");
                removeFromGroup(queue.id());
                returnEmpty(queue);
            }
        });
    }

    /**
     * Starts a removed node with an empty journal. Another node may die at the same moment: it may have acknowledged
     * points while the first node was away, and the first node has not copied them yet.
     */
    private void returnEmpty(SimProcess removed) {
        long ms = 50 + random.nextLong(3_000);
        active.lasting(ms, () -> start(removed.role(), removed.id()));
        if (random.nextInt(4) > 0) {
            timetable.in((ms - 20 + random.nextLong(60)) * MS, () -> {
                if (!active.isOver()) {
                    removed();
                }
            });
        }
    }

    private boolean isRemovalPermitted(SimProcess queue) {
        return members(queue.id()).stream()
                .allMatch(member -> Removal.refusal(cluster.truth(), swarm.copies(), member, false)
                        .isEmpty());
    }

    /** Returns whether copies may be missing after a recent loss or removal of disks. */
    private boolean isDiskMissing() {
        return timetable.nowNs() - Math.max(diskLostNs, removedNs) < DISK_LOST_EVERY_NS;
    }

    private boolean powerCut() {
        if (swarm.sync() == SyncPolicy.NONE) {
            return false; // without syncs there is no guarantee after a power loss
        }
        for (SimProcess queue : cluster.processes(SimProcess.Role.QUEUE).toList()) {
            cluster.kill(queue);
            restartLater(queue);
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
        start(role, prefix + (10 - joined));
        return true;
    }

    private boolean leaves(SimProcess.Role role) {
        SimProcess process = active.any(role);
        if (process == null || cluster.processes(role).count() < 2) {
            return false;
        }
        boolean isQueue = role == SimProcess.Role.QUEUE;
        if (isQueue && isAnyLeavingForGood()) {
            // An operator lets queue nodes leave one after the other; otherwise no node would remain to copy the last.
            return false;
        }
        boolean forGood = isQueue && random.nextBoolean() && !isAnyLeaving;
        isAnyLeaving |= isQueue;
        active.note(process, forGood ? "asked to leave for good" : "asked to leave");
        leave(process, forGood);
        return true;
    }

    private void leave(SimProcess process, boolean forGood) {
        leaving.add(process);
        if (forGood) {
            leavingForGood.add(process);
        }
        process.leave();
        closeWhenReady(process, forGood);
    }

    /** Returns the running processes whose drain has not ended. */
    public List<SimProcess> leaving() {
        leaving.removeIf(SimProcess::isDead);
        return leaving;
    }

    private boolean isAnyLeavingForGood() {
        leavingForGood.removeIf(SimProcess::isDead);
        return !leavingForGood.isEmpty();
    }

    /**
     * Asks two queue nodes at the same time to leave for good, as two operators would: two nodes of a journal group, if
     * there are such. At least one other queue node stays. Neither may count on the journal of the other.
     *
     * @param choice decides about the nodes
     */
    public void leaveInPairs(SplittableRandom choice) {
        List<SimProcess> queues = cluster.processes(SimProcess.Role.QUEUE).toList();
        if (active.isOver() || isAnyLeaving || queues.size() < 3) {
            return;
        }
        SimProcess first = queues.get(choice.nextInt(queues.size()));
        List<SimProcess> others = new ArrayList<>(queues);
        others.remove(first);
        List<SimProcess> ofGroup = others.stream()
                .filter(other -> groupOf(other).equals(groupOf(first)))
                .toList();
        List<SimProcess> second = ofGroup.isEmpty() ? others : ofGroup;
        pair = List.of(first, second.get(choice.nextInt(second.size())));
        isAnyLeaving = true;
        pair.forEach(process -> {
            active.note(process, "asked to leave for good in a pair");
            leave(process, true);
        });
    }

    private JournalGroup groupOf(SimProcess queue) {
        return cluster.topology().groupOf(queue.id());
    }

    /** Returns the number of pairs of queue nodes that left together and were removed. */
    public int pairsRemoved() {
        return removedOfPair / 2;
    }

    /** Waits for the drain, also after the end of the faults. */
    private void closeWhenReady(SimProcess process, boolean forGood) {
        timetable.in(20 * MS, () -> {
            if (process.isDead()) {
                return;
            }
            if (process.isPaused() || process.awaits().isPresent() || (forGood && !mayUnregister(process))) {
                closeWhenReady(process, forGood);
                return;
            }
            active.note(process, forGood ? "has left for good" : "has left");
            cluster.close(process);
            if (forGood && timetable.nowNs() - diskLostNs >= DISK_LOST_EVERY_NS && mayBeRemoved(process.id())) {
                removedOfPair += pair.contains(process) ? 1 : 0;
                removeFromGroup(process.id());
            } else if (active.isOver()) {
                start(process.role(), process.id());
            } else {
                restartLater(process);
            }
        });
    }

    /** Returns whether a drained process may end its registration, which needs ZooKeeper. */
    private static boolean mayUnregister(SimProcess process) {
        return process.isRemovable() && !process.session().isObstructed();
    }

    /**
     * Returns whether the disks of a process may be removed: another node has the past cycles, or the disks hold the
     * only copy of a record, and then the product must not permit the removal.
     */
    private boolean mayBeRemoved(String process) {
        return oracle.canLosePast(members(process)) || !oracle.canLose(members(process));
    }

    private List<String> members(String process) {
        return cluster.topology().queueMembers(process);
    }

    private void removeFromGroup(String id) {
        removedNs = timetable.nowNs();
        cluster.disks(id).forEach(oracle::lostDisk);
        cluster.removeFromGroup(id);
        oracle.shrunk();
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
        if (active.isOver() || isZooKeeperLost || !isKnown || isDiskMissing()) {
            return false;
        }
        active.noteOutside("ZooKeeper's data is lost");
        diskLostNs = timetable.nowNs();
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
            diskLostNs = timetable.nowNs();
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
                    restartLater(queue);
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
