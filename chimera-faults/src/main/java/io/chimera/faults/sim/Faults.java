package io.chimera.faults.sim;

import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.wire.PartFrame;
import io.chimera.coordinator.plan.RecoveryPlan;
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
final class Faults {
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);
    private static final long MS = 1_000_000;

    /** Time after which both ends give up a silent connection, like the real transport. */
    private static final long SILENCE_MS = 10_000;

    /**
     * Minimum time between losses of disks: a replaced disk must have been filled again, which takes time in any
     * system.
     */
    private static final long DISK_LOST_EVERY_NS = 12_000 * MS;

    private final Swarm swarm;
    private final SimCluster cluster;
    private final Timetable timetable;
    private final MemoryNetwork network;
    private final SimStores stores;
    private final MemoryStore store;
    private final SimOracle oracle;
    private final Trace trace;
    private final SplittableRandom random;
    private final Map<SimFaultKind, Integer> injected = new EnumMap<>(SimFaultKind.class);
    private final List<Runnable> undos = new ArrayList<>();
    private long diskLostNs = -DISK_LOST_EVERY_NS;
    private int joined;
    private boolean isAnyLeaving;
    private boolean isOneLeavingForGood;
    private boolean isOver;
    private boolean isZooKeeperLost;
    private int losses;
    private int limits;
    private int replays;

    Faults(
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
        this.network = network;
        this.stores = stores;
        store = stores.first();
        this.oracle = oracle;
        this.trace = trace;
        random = timetable.random();
        healStore();
    }

    /** Plans all faults of the swarm within the time of the load. */
    void plan(long fromNs) {
        swarm.faults().forEach((kind, count) -> {
            for (int i = 0; i < count; i++) {
                timetable.in(fromNs + random.nextLong(swarm.loadMs() * MS), () -> inject(kind));
            }
        });
    }

    /** Returns the number of injected faults by kind. */
    Map<SimFaultKind, Integer> injected() {
        return injected;
    }

    /** Ends all active faults at once, and injects no more. */
    void end() {
        isOver = true;
        List.copyOf(undos).forEach(Runnable::run);
    }

    private void inject(SimFaultKind kind) {
        if (!isOver && happens(kind)) {
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
            case PARTITION -> partition(false);
            case PARTITION_ONE_WAY -> partition(true);
            case CONNECTION_BROKEN -> connectionBroken();
            case DELAY -> delay();
            case FRAMES_LOST -> framesLost();
            case ZOOKEEPER_CUT -> zooKeeperCut();
            case ZOOKEEPER_OUTAGE -> zooKeeperOutage();
            case SESSION_EXPIRED -> sessionExpired();
            case REPLY_LOST -> onLead(MemoryCluster.Lead::loseNextReply);
            case OVERTAKEN -> onLead(MemoryCluster.Lead::overtake);
            case STORE_OUTAGE -> store(MemoryStore.Outcome.FAILED);
            case STORE_LATE -> store(MemoryStore.Outcome.LATE, MemoryStore.Outcome.LATE_BUT_FAILED);
            case STORE_FORGETS ->
                swarm.delivery() == PipelineConfig.Delivery.EXACTLY_ONCE && store(MemoryStore.Outcome.FORGOTTEN);
            case STORE_FALSE_ERROR -> store(MemoryStore.Outcome.WRITTEN_BUT_FAILED);
            case STORE_REFUSES -> refuses(1);
            case STORE_REFUSES_SOME -> refuses(2 + random.nextInt(3));
            case SECOND_STORE_REFUSES -> secondRefuses();
            case PROCESSOR_JOINS -> joins(SimProcess.Role.PROCESSOR, "p");
            case QUEUE_JOINS -> joins(SimProcess.Role.QUEUE, "q");
            case PROCESSOR_LEAVES -> leaves(SimProcess.Role.PROCESSOR);
            case QUEUE_LEAVES -> leaves(SimProcess.Role.QUEUE);
            case CLOCK_STEP -> clockStep();
        };
    }

    // Processes

    private SimProcess any(SimProcess.Role role) {
        List<SimProcess> all =
                role == null ? cluster.processes() : cluster.processes(role).toList();
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private boolean kill(SimProcess.Role role) {
        SimProcess process = any(role);
        if (process == null) {
            return false;
        }
        note(process, "killed");
        cluster.kill(process);
        restartLater(process);
        return true;
    }

    private void restartLater(SimProcess process) {
        lasting(50 + random.nextLong(6_000), () -> start(process.role(), process.id()));
    }

    /** Starts a node, unless the node is running. */
    void start(SimProcess.Role role, String id) {
        if (cluster.isRunning(id)) {
            return;
        }
        trace.note(timetable.nowNs(), id, "starts");
        switch (role) {
            case QUEUE -> cluster.startQueue(id, disk -> disk.watch(oracle));
            case PROCESSOR -> cluster.startProcessor(id);
            case COORDINATOR -> cluster.startCoordinator(id);
        }
    }

    private boolean diskLost() {
        SimProcess queue = any(SimProcess.Role.QUEUE);
        if (queue == null
                || timetable.nowNs() - diskLostNs < DISK_LOST_EVERY_NS
                || swarm.copies().least() < 2
                || !oracle.canLose(queue.id())
                || !oracle.canLosePast(queue.id())) {
            return false;
        }
        note(queue, "killed, its disk is lost");
        diskLostNs = timetable.nowNs();
        cluster.kill(queue);
        oracle.lostDisk(cluster.disks().get(queue.id()));
        cluster.loseDisk(queue.id());
        oracle.shrunk();
        restartLater(queue);
        return true;
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
        trace.note(timetable.nowNs(), "-", "power cut of all queue nodes");
        return true;
    }

    private boolean diskFull() {
        SimProcess queue = any(SimProcess.Role.QUEUE);
        if (queue == null) {
            return false;
        }
        MemoryJournal disk = cluster.disks().get(queue.id());
        boolean hangs = random.nextBoolean();
        note(queue, "disk full");
        disk.refuse(true);
        disk.failToSync(hangs);
        lasting(100 + random.nextLong(8_000), () -> {
            disk.refuse(false);
            disk.failToSync(false);
        });
        return true;
    }

    private boolean pause() {
        SimProcess process = any(null);
        if (process == null || process.isPaused()) {
            return false;
        }
        note(process, "paused");
        process.paused(true);
        process.session().obstruct(false, true);
        if (process.transport() != null) {
            network.pause(process.transport(), true);
        }
        lasting(50 + random.nextLong(3 * swarm.sessionMs()), () -> {
            if (!process.isDead()) {
                note(process, "goes on");
                process.paused(false);
                process.session().clear();
                if (process.transport() != null) {
                    network.pause(process.transport(), false);
                }
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
        SimProcess process = any(role);
        if (process == null || cluster.processes(role).count() < 2) {
            return false;
        }
        boolean isQueue = role == SimProcess.Role.QUEUE;
        if (isQueue && isOneLeavingForGood) {
            // An operator lets queue nodes leave one after the other; otherwise no node would remain to copy the last.
            return false;
        }
        boolean forGood = isQueue && random.nextBoolean() && !isAnyLeaving;
        isOneLeavingForGood = forGood;
        isAnyLeaving |= isQueue;
        note(process, forGood ? "asked to leave for good" : "asked to leave");
        process.node().leave();
        closeWhenReady(process, forGood);
        return true;
    }

    /** Waits for the drain, also after the end of the faults. */
    private void closeWhenReady(SimProcess process, boolean forGood) {
        timetable.in(20 * MS, () -> {
            if (process.isDead()) {
                return;
            }
            if (process.isPaused()
                    || process.node().awaits().isPresent()
                    || (forGood && !process.node().isCopied())) {
                closeWhenReady(process, forGood);
                return;
            }
            note(process, forGood ? "has left for good" : "has left");
            isOneLeavingForGood &= !forGood;
            cluster.close(process);
            if (forGood && timetable.nowNs() - diskLostNs >= DISK_LOST_EVERY_NS && oracle.canLosePast(process.id())) {
                removeFromGroup(process.id());
            } else if (isOver) {
                start(process.role(), process.id());
            } else {
                restartLater(process);
            }
        });
    }

    private void removeFromGroup(String id) {
        diskLostNs = timetable.nowNs();
        oracle.lostDisk(cluster.disks().get(id));
        cluster.removeFromGroup(id);
        oracle.shrunk();
    }

    private boolean clockStep() {
        SimProcess process = any(null);
        if (process == null) {
            return false;
        }
        if (random.nextInt(4) == 0) {
            long jumpMs = random.nextBoolean() ? DAY_MS : -DAY_MS;
            note(process, "clock jumps by " + jumpMs + " ms for a while");
            process.clock().step(jumpMs * MS);
            lasting(9_000, () -> process.clock().step(-jumpMs * MS));
            return true;
        }
        long stepMs = random.nextLong(20_000) - 10_000;
        note(process, "clock steps by " + stepMs + " ms");
        process.clock().step(stepMs * MS);
        return true;
    }

    // The network

    private boolean partition(boolean oneWay) {
        SimProcess node = any(null);
        SimProcess other = any(null);
        if (node == null || other == null || node == other || node.transport() == null || other.transport() == null) {
            return false;
        }
        note(node, (oneWay ? "reaches not " : "cut off from ") + other);
        String from = node.id();
        String to = other.id();
        boolean[] lasts = {true};
        if (oneWay) {
            network.blockOneWay(from, to);
        } else {
            network.block(from, to);
        }
        timetable.in(SILENCE_MS * MS, () -> {
            if (lasts[0]) {
                network.cut(from, to);
            }
        });
        lasting(50 + random.nextLong(14_000), () -> {
            lasts[0] = false;
            network.unblock(from, to);
        });
        return true;
    }

    private boolean connectionBroken() {
        SimProcess node = any(null);
        SimProcess other = any(null);
        if (node == null || other == null) {
            return false;
        }
        note(node, "connections broken with " + other);
        network.cut(node.id(), other.id());
        return true;
    }

    /** Injects many short delays, which let other connections overtake. */
    private boolean delay() {
        for (int i = 0; i < 20; i++) {
            timetable.in(random.nextLong(5_000 * MS), () -> {
                SimProcess node = any(null);
                SimProcess other = any(null);
                if (!isOver && node != null && node != other) {
                    network.blockOneWay(node.id(), other.id());
                    lasting(5 + random.nextLong(500), () -> network.unblock(node.id(), other.id()));
                }
            });
        }
        return true;
    }

    private boolean framesLost() {
        int oneIn = 2 + random.nextInt(10);
        network.lose((frame, offset, length) -> length > PartFrame.END_LENGTH
                && PartFrame.type(frame, offset) == PartFrame.DATA
                && random.nextInt(oneIn) == 0);
        lasting(random.nextLong(6_000), () -> network.lose((frame, offset, length) -> false));
        return true;
    }

    // ZooKeeper

    private boolean zooKeeperCut() {
        SimProcess process = any(null);
        if (process == null) {
            return false;
        }
        note(process, "cut off from ZooKeeper");
        process.session().obstruct(!process.isPaused(), true);
        lasting(50 + random.nextLong(3 * swarm.sessionMs()), process.session()::clear);
        return true;
    }

    private boolean zooKeeperOutage() {
        trace.note(timetable.nowNs(), "-", "ZooKeeper is gone");
        List<SimProcess> all = List.copyOf(cluster.processes());
        all.forEach(process -> process.session().obstruct(!process.isPaused(), false));
        lasting(
                50 + random.nextLong(3 * swarm.sessionMs()),
                () -> all.forEach(process -> process.session().clear()));
        return true;
    }

    private boolean sessionExpired() {
        SimProcess process = any(null);
        if (process == null) {
            return false;
        }
        note(process, "session expired");
        process.session().expire();
        return true;
    }

    private boolean onLead(java.util.function.Consumer<MemoryCluster.Lead> fault) {
        SimProcess process = any(SimProcess.Role.COORDINATOR);
        if (process == null) {
            return false;
        }
        note(process, "reply lost, or overtaken");
        fault.accept((MemoryCluster.Lead) process.session().client());
        return true;
    }

    /**
     * Deletes all of ZooKeeper's data; an operator recovers the data some seconds later. Never together with a loss of
     * a queue node's disk: points sent only from the lost disk would be lost with the only copy of their cycle.
     *
     * @return whether the loss happened
     */
    boolean loseZooKeeper() {
        boolean isKnown = cluster.disks().values().stream()
                .noneMatch(disk -> disk.control().kept().mark().isEmpty());
        if (isOver || isZooKeeperLost || !isKnown || timetable.nowNs() - diskLostNs < DISK_LOST_EVERY_NS) {
            return false;
        }
        trace.note(timetable.nowNs(), "-", "ZooKeeper's data is lost");
        diskLostNs = timetable.nowNs();
        isZooKeeperLost = true;
        losses++;
        oracle.lostZooKeeper();
        cluster.loseZooKeeper("history-" + losses);
        lasting(100 + random.nextLong(8_000), () -> {
            RecoveryPlan.Plan plan = cluster.recoverZooKeeper();
            trace.note(
                    timetable.nowNs(),
                    "-",
                    "ZooKeeper is recovered: %s",
                    plan.state().mark());
            Violation.unless(plan.refusals().isEmpty(), "Recoverable", () -> plan.refusals()
                    .toString());
            isZooKeeperLost = false;
            diskLostNs = timetable.nowNs();
            oracle.recoveredZooKeeper(plan.state());
        });
        return true;
    }

    /** Limits the journal of a queue node for a while; the journal accepts points again after cycles are verified. */
    void limitJournal() {
        SimProcess queue = any(SimProcess.Role.QUEUE);
        if (isOver || queue == null) {
            return;
        }
        MemoryJournal disk = cluster.disks().get(queue.id());
        note(queue, "journal limited");
        disk.limit(2_000 + random.nextLong(30_000));
        limits++;
        lasting(500 + random.nextLong(8_000), () -> disk.limit(Long.MAX_VALUE));
    }

    /** Returns the number of limited journals. */
    int limits() {
        return limits;
    }

    /**
     * Requests, as an operator, the replay of some past cycles held by a journal. The replay covers a pipeline whose
     * rows do not depend on the order of records, because the order depends on the number of queue nodes, which may
     * have changed.
     */
    void replay() {
        SimProcess queue = any(SimProcess.Role.QUEUE);
        if (isOver || isZooKeeperLost || queue == null) {
            return;
        }
        SortedMap<Long, PastCycle> held =
                cluster.disks().get(queue.id()).retained().cycles();
        List<PastCycle> wanted =
                held.values().stream().filter(past -> random.nextBoolean()).toList();
        if (!wanted.isEmpty()) {
            replays++;
            trace.note(timetable.nowNs(), "-", "replay of %d cycles", wanted.size());
            cluster.requestReplay(new ReplayRequest("r" + replays, SimCluster.BY_SERIES, wanted));
        }
    }

    /** Returns the number of requested replays. */
    int replays() {
        return replays;
    }

    /** Returns the number of losses of ZooKeeper's data. */
    int losses() {
        return losses;
    }

    // The store

    private boolean store(MemoryStore.Outcome... faults) {
        trace.note(timetable.nowNs(), "-", "store: " + faults[0]);
        int oneIn = 1 + random.nextInt(3);
        answers(oneIn, faults);
        lasting(100 + random.nextLong(8_000), this::healStore);
        return true;
    }

    private boolean refuses(int oneIn) {
        trace.note(timetable.nowNs(), "-", "store: refuses one batch in " + oneIn);
        answers(oneIn, MemoryStore.Outcome.REFUSED);
        lasting(100 + random.nextLong(8_000), this::healStore);
        return true;
    }

    private boolean secondRefuses() {
        trace.note(timetable.nowNs(), "-", "second store: refuses everything");
        stores.second().outcomes(() -> MemoryStore.Outcome.REFUSED);
        lasting(100 + random.nextLong(8_000), () -> stores.second().outcomes(() -> MemoryStore.Outcome.WRITTEN));
        return true;
    }

    private void healStore() {
        answers(1, MemoryStore.Outcome.WRITTEN);
    }

    private void answers(int oneIn, MemoryStore.Outcome... outcomes) {
        store.outcomes(() -> {
            MemoryStore.Outcome outcome = random.nextInt(oneIn) == 0
                    ? outcomes[random.nextInt(outcomes.length)]
                    : MemoryStore.Outcome.WRITTEN;
            if (outcome == MemoryStore.Outcome.LATE || outcome == MemoryStore.Outcome.LATE_BUT_FAILED) {
                timetable.in(random.nextLong(9_000 * MS), this::applyLate);
            }
            if (outcome == MemoryStore.Outcome.WRITTEN || outcome == MemoryStore.Outcome.LATE) {
                oracle.acknowledgedRows(SimLayout.FIRST);
            }
            return outcome;
        });
    }

    private void applyLate() {
        boolean again = random.nextInt(3) == 0;
        store.applyLate(random.nextInt(store.late()), again);
        if (again) {
            timetable.in(random.nextLong(3_000 * MS), this::applyLate);
        }
    }

    // Time

    /** Ends a fault after a time, or with all other faults. */
    private void lasting(long ms, Runnable undo) {
        Runnable[] once = new Runnable[1];
        once[0] = () -> {
            if (undos.remove(once[0])) {
                undo.run();
            }
        };
        undos.add(once[0]);
        timetable.in(ms * MS, once[0]);
    }

    private void note(SimProcess process, String what) {
        trace.note(timetable.nowNs(), process.id(), "%s", what);
    }
}
