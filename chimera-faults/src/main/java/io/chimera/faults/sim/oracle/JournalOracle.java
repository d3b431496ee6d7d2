package io.chimera.faults.sim.oracle;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.faults.sim.world.Violation;
import io.chimera.queue.journal.MemoryJournal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Checks that the journals hold the records the cluster relies on. */
final class JournalOracle {
    private final SortedMap<String, MemoryJournal> disks;
    private final ReplicationPolicy copies;

    /** Last record of each stream with a success answer. */
    private Positions promised = Positions.NONE;

    /** Last record of each stream below the low-water mark. */
    private Positions verified = Positions.NONE;

    /** Durable positions of lost disks, which count as copies for promises made before the loss. */
    private final List<Positions> lostDisks = new ArrayList<>();

    private final List<RemovedDisk> removedAlive = new ArrayList<>();

    /**
     * Disk of a member that was removed while it lived.
     *
     * @param member id of the member
     * @param disk its disk, which grows until the process ends
     * @param durables durable positions at the removal
     */
    private record RemovedDisk(String member, MemoryJournal disk, Positions durables) {
        /** The process may count its own disk until it learns of its removal; no one else may. */
        private boolean holds(long stream, long seq, Optional<String> by) {
            return (by.filter(member::equals).isPresent() ? disk.durable(stream) : durables.at(stream)) >= seq;
        }
    }

    /**
     * Creates the checks before the first record.
     *
     * @param disks journals by queue node; changes
     * @param copies number of journals required for a success answer
     */
    JournalOracle(SortedMap<String, MemoryJournal> disks, ReplicationPolicy copies) {
        this.disks = disks;
        this.copies = copies;
    }

    void lostDisk(Positions durables) {
        lostDisks.add(durables);
    }

    void removedAlive(String member, MemoryJournal disk) {
        removedAlive.add(new RemovedDisk(member, disk, disk.durables()));
    }

    /** Records a success answer for a record. */
    void promise(long stream, long seq) {
        promised = promised.max(Positions.of(stream, seq));
    }

    /** Records the cut of a verified cycle. */
    void verify(Positions cut) {
        verified = verified.max(cut);
    }

    /** Returns whether all promised records are verified. */
    boolean isVerified() {
        return verified.covers(promised);
    }

    /** Describes the promised records that are not verified, by stream. */
    Map<String, String> unverified() {
        Map<String, String> behind = new TreeMap<>();
        for (StreamRange range : promised.since(verified)) {
            behind.put(
                    Long.toHexString(range.stream()), range.after() + " of " + range.upTo() + holdings(range.stream()));
        }
        return behind;
    }

    /**
     * NoLoss and Replayable: checks that all promised records and all records of open cycles are in a journal.
     *
     * @param without journals that do not count
     */
    void check(ClusterView truth, Collection<MemoryJournal> without) {
        for (StreamRange range : promised.since(verified)) {
            Violation.unless(
                    isHeld(range, without),
                    "NoLoss",
                    () -> String.format(
                            "Success was answered for stream %x up to %d; records up to %d are verified and no"
                                    + " journal has the rest: %s",
                            range.stream(), range.upTo(), range.after(), holdings(range.stream())));
        }
        for (OpenCycle open : truth.cycles().values()) {
            if (!open.isCommitted()) {
                long number = open.cycle().number();
                Positions before = truth.cutBefore(number).orElseThrow();
                for (StreamRange range : open.cycle().cut().since(before)) {
                    Violation.unless(
                            isHeld(range, without),
                            "Replayable",
                            () -> String.format(
                                    "Cycle %d needs %s and no journal has these records: %s",
                                    number, range, holdings(range.stream())));
                }
            }
        }
    }

    private boolean isHeld(StreamRange range, Collection<MemoryJournal> without) {
        for (MemoryJournal disk : disks.values()) {
            if (!without.contains(disk)
                    && disk.position(range.stream()) >= range.upTo()
                    && disk.bases().at(range.stream()) <= range.after()) {
                return true;
            }
        }
        return false;
    }

    private String holdings(long stream) {
        Map<String, String> holdings = new TreeMap<>();
        disks.forEach(
                (id, disk) -> holdings.put(id, "(" + disk.bases().at(stream) + ", " + disk.position(stream) + "]"));
        return holdings.toString();
    }

    /**
     * Checks that enough journals have a record durably.
     *
     * @param registered size of the group known to the process that relies on the copies
     * @param by member that relies on the copies; empty for a conductor
     */
    void checkCopies(String invariant, String what, long stream, long seq, int registered, Optional<String> by) {
        long held = disks.values().stream()
                        .filter(disk -> disk.durable(stream) >= seq)
                        .count()
                + lostDisks.stream().filter(disk -> disk.at(stream) >= seq).count()
                + removedAlive.stream()
                        .filter(disk -> disk.holds(stream, seq, by))
                        .count();
        int needed = Math.max(1, Math.min(copies.least(), registered));
        Violation.unless(
                held >= needed || seq <= verified.at(stream),
                invariant,
                () -> String.format(
                        "When %s for record %d of stream %x, only %d of %d journals had the record.",
                        what, seq, stream, held, needed));
    }
}
