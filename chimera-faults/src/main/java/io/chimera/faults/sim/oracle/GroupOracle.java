package io.chimera.faults.sim.oracle;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.SeriesHash;
import io.chimera.faults.sim.world.SimTopology;
import io.chimera.faults.sim.world.Violation;
import io.chimera.queue.journal.MemoryJournal;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongFunction;

/**
 * OwnGroup: checks that journals, cycles and assignments keep to the configured journal groups. The groups come from
 * the configuration of the processes, not from any announcement.
 */
public final class GroupOracle {
    private static final String OWN_GROUP = "OwnGroup";

    private final SimTopology topology;
    private final LongFunction<JournalGroup> configured;

    /**
     * Creates the checks.
     *
     * @param topology groups of the processes
     * @param configured returns the group of a stream or of a queue node's session; null for an unknown one
     */
    public GroupOracle(SimTopology topology, LongFunction<JournalGroup> configured) {
        this.topology = topology;
        this.configured = configured;
    }

    /** Returns the group of a stream. */
    JournalGroup ofStream(long stream) {
        return configured.apply(stream);
    }

    /** Returns the group of a queue node. */
    JournalGroup ofMember(String member) {
        return topology.groupOfMember(member);
    }

    /** Returns the smallest size of the group of a stream known to some nodes; without nodes, the true size. */
    int known(List<ClusterView> views, ClusterView truth, long stream) {
        JournalGroup group = ofStream(stream);
        int registered = truth.in(group).registered();
        return views.stream()
                .mapToInt(view -> view.in(group).registered())
                .filter(seen -> seen > 0)
                .reduce(registered, Math::min);
    }

    /** Returns whether the journal of a member of a group has a past cycle, without counting some members. */
    boolean isPastHeld(
            long cycle, JournalGroup group, SortedMap<String, MemoryJournal> disks, Collection<String> without) {
        return disks.entrySet().stream()
                .anyMatch(disk -> !without.contains(disk.getKey())
                        && ofMember(disk.getKey()).equals(group)
                        && disk.getValue().retained().cycles().containsKey(cycle));
    }

    /** Checks that a journal has only streams of the group of its node. */
    void journaled(String member, long stream) {
        Violation.unless(
                ofMember(member).equals(ofStream(stream)),
                OWN_GROUP,
                () -> String.format("%s journals stream %x of group %s.", member, stream, ofStream(stream)));
    }

    /**
     * Checks the groups of a begun cycle: the parts are numbered through, and each record is in a part of its group.
     */
    void begun(Cycle cycle, Positions before) {
        int next = 0;
        for (CycleGroups.Parts parts : cycle.partsByGroup()) {
            int first = next;
            Violation.unless(
                    parts.first() == first,
                    OWN_GROUP,
                    () -> String.format("Cycle %d has %s after %d parts.", cycle.number(), parts, first));
            next += parts.count();
            for (int part = first; part < next; part++) {
                check(cycle, part, cycle.queues().get(part), parts.group());
            }
        }
        Violation.unless(
                next == cycle.parts(),
                OWN_GROUP,
                () -> String.format("The groups of cycle %s do not have all parts.", cycle));
        for (StreamRange range : cycle.cut().since(before)) {
            JournalGroup group = ofStream(range.stream());
            Violation.unless(
                    cycle.groups().streams().of(range.stream()).equals(group)
                            && cycle.parts(group).count() > 0,
                    OWN_GROUP,
                    () -> String.format("Cycle %s has no part for %s of group %s.", cycle, range, group));
        }
    }

    /** Checks that each part is owned by a queue node of its group. */
    void assigned(OpenCycle open) {
        List<Long> owners = open.assignment().owners();
        for (CycleGroups.Parts parts : open.cycle().partsByGroup()) {
            for (int part = parts.first(); part < parts.first() + parts.count(); part++) {
                check(open.cycle(), part, owners.get(part), parts.group());
            }
        }
    }

    private void check(Cycle cycle, int part, long session, JournalGroup group) {
        JournalGroup actual = configured.apply(session);
        Violation.unless(
                actual == null || actual.equals(group),
                OWN_GROUP,
                () -> String.format(
                        "Part %d of cycle %d belongs to group %s, and session %d to group %s.",
                        part, cycle.number(), group, session, actual));
    }

    /** Returns the number of a record's part in a cycle. */
    static int partOf(Cycle cycle, Streams.Entry entry) {
        CycleGroups.Parts parts = cycle.parts(entry.group());
        return parts.first() + SeriesHash.part(entry.seriesHash(), parts.count());
    }
}
