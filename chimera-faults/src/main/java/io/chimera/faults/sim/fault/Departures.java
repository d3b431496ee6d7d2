package io.chimera.faults.sim.fault;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.coordinator.plan.Removal;
import io.chimera.faults.sim.oracle.SimOracle;
import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimProcess;
import io.chimera.faults.sim.world.Swarm;
import io.chimera.faults.sim.world.Timetable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Lets processes leave like an operator: drained for a restart, drained for good, or dead and removed. */
public final class Departures {
    private static final long MS = 1_000_000;

    /** Time within which an operator removes a dead node; afterwards the node restarts. */
    private static final long REMOVE_WITHIN_NS = 8_000 * MS;

    /** Time for which a removed process goes on. */
    private static final long ALIVE_MS = 3_000;

    private final Swarm swarm;
    private final SimCluster cluster;
    private final ActiveFaults active;
    private final Restarts restarts;
    private final LostDisks lostDisks;
    private final SimOracle oracle;
    private final Timetable timetable;
    private final SplittableRandom random;
    private boolean isAnyLeaving;

    /** Processes asked to leave that have neither left nor died. */
    private final List<SimProcess> leaving = new ArrayList<>();

    /** Queue nodes among them that leave for good. */
    private final List<SimProcess> leavingForGood = new ArrayList<>();

    /** Queue nodes asked to leave for good at the same time. */
    private List<SimProcess> pair = List.of();

    private int removedOfPair;
    private int removedDead;
    private int removedAlive;
    private boolean isPausedNext;

    Departures(
            Swarm swarm,
            SimCluster cluster,
            ActiveFaults active,
            Restarts restarts,
            SimOracle oracle,
            Timetable timetable) {
        this.swarm = swarm;
        this.cluster = cluster;
        this.active = active;
        this.restarts = restarts;
        lostDisks = new LostDisks(timetable);
        this.oracle = oracle;
        this.timetable = timetable;
        random = timetable.random();
    }

    /** Returns the times of lost disks. */
    LostDisks lostDisks() {
        return lostDisks;
    }

    /**
     * An operator removes a dead queue node without giving up points. Every other one is not dead, but paused, and goes
     * on after its removal.
     */
    boolean removed() {
        SimProcess queue = active.any(SimProcess.Role.QUEUE);
        if (queue == null || queue.isPaused()) {
            return false;
        }
        if (isPausedNext) {
            active.note(queue, "paused, to be removed");
            cluster.pause(queue, true);
            queue.session().obstruct(false, true);
        } else {
            active.note(queue, "killed, to be removed");
            cluster.kill(queue);
        }
        isPausedNext = !isPausedNext;
        removeWhenPermitted(queue, timetable.nowNs() + REMOVE_WITHIN_NS);
        return true;
    }

    /** Returns the number of dead queue nodes that were removed. */
    public int removedDead() {
        return removedDead;
    }

    /** Kills a queue node, which an operator then removes, unless the faults are over. */
    public void remove() {
        if (!active.isOver()) {
            removed();
        }
    }

    private void removeWhenPermitted(SimProcess queue, long untilNs) {
        timetable.in(50 * MS, () -> {
            if (active.isOver() || timetable.nowNs() >= untilNs || isAnotherRunning(queue)) {
                resume(queue);
                restarts.start(queue.role(), queue.id());
            } else if (!isRemovalPermitted(queue) || !oracle.canLosePast(members(queue.id()))) {
                removeWhenPermitted(queue, untilNs);
            } else {
                active.note(queue, "removed");
                removedDead++;
                removeFromGroup(queue.id());
                if (queue.isDead()) {
                    returnEmpty(queue);
                } else {
                    returnsAfterRemoval(queue);
                }
            }
        });
    }

    private boolean isAnotherRunning(SimProcess queue) {
        return cluster.processes(SimProcess.Role.QUEUE)
                .anyMatch(other -> other != queue && other.id().equals(queue.id()));
    }

    /** A removed process continues for a while. Each point that it acknowledges needs a copy on another disk. */
    private void returnsAfterRemoval(SimProcess removed) {
        removedAlive++;
        resume(removed);
        active.lasting(ALIVE_MS, () -> {
            if (!removed.isDead()) {
                active.note(removed, "killed after its removal");
                cluster.kill(removed);
            }
            restarts.start(removed.role(), removed.id());
        });
    }

    private void resume(SimProcess paused) {
        if (!paused.isDead() && paused.isPaused()) {
            active.note(paused, "goes on");
            cluster.pause(paused, false);
            paused.session().clear();
        }
    }

    /** Returns the number of queue nodes that were removed although their processes lived. */
    public int removedAlive() {
        return removedAlive;
    }

    /**
     * Starts a removed node with an empty journal. Another node may die at the same moment, or while the first node
     * copies nothing yet: it may have acknowledged points while the first node was away.
     */
    private void returnEmpty(SimProcess removed) {
        long ms = 50 + random.nextLong(3_000);
        boolean copiesLater = random.nextBoolean();
        restarts.removedAfter(ms, removed, copiesLater);
        if (random.nextInt(4) > 0) {
            timetable.in((ms - 20 + random.nextLong(copiesLater ? 2_000 : 60)) * MS, this::remove);
        }
    }

    private boolean isRemovalPermitted(SimProcess queue) {
        return members(queue.id()).stream()
                .allMatch(member -> Removal.refusal(cluster.truth(), swarm.copies(), member, false)
                        .isEmpty());
    }

    /** Asks a process to leave, a queue node for good in half of the cases; false without a suitable process. */
    boolean leaves(SimProcess.Role role) {
        SimProcess process = active.any(role);
        if (process == null || cluster.processes(role).count() < 2) {
            return false;
        }
        boolean isQueue = role == SimProcess.Role.QUEUE;
        if (isQueue && isAnyLeavingForGood()) {
            // An operator lets queue nodes leave one after the other; otherwise no node would remain to copy the last.
            return false;
        }
        boolean forGood = isQueue && random.nextBoolean() && !isAnyLeaving && hasJoined(process);
        isAnyLeaving |= isQueue;
        active.note(process, forGood ? "asked to leave for good" : "asked to leave");
        leave(process, forGood);
        return true;
    }

    /** Returns whether the cluster has accepted all members of a queue node; only such a node can be removed. */
    private static boolean hasJoined(SimProcess queue) {
        return queue.members().stream().allMatch(member -> member.node().hasJoined());
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
        if (!pair.stream().allMatch(Departures::hasJoined)) {
            pair = List.of();
            return;
        }
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
            if (forGood && !lostDisks.isLossRecent() && mayBeRemoved(process.id())) {
                removedOfPair += pair.contains(process) ? 1 : 0;
                removeFromGroup(process.id());
            } else if (active.isOver()) {
                restarts.start(process.role(), process.id());
            } else {
                restarts.later(process);
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
        lostDisks.removed();
        if (cluster.isRunning(id)) {
            members(id)
                    .forEach(member ->
                            oracle.removedAlive(member, cluster.disks().get(member)));
        } else {
            cluster.disks(id).forEach(oracle::lostDisk);
        }
        cluster.removeFromGroup(id);
        oracle.shrunk();
    }
}
