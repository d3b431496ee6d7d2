package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CopiedJournals;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.archive.KnownArchive;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec.Registration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Builds views of the cluster from the copied znodes. A cycle is in a view once both its record and its assignment are.
 * Used by the agent's thread only.
 */
final class MirrorView {
    private final Znodes znodes;
    private final MirrorEntries entries;

    MirrorView(Znodes znodes, MirrorEntries entries) {
        this.znodes = znodes;
        this.entries = entries;
    }

    /** A registered queue node; the registration is empty while its znode is unreadable. */
    record Registered(String id, Optional<Registration> registration) {}

    /** Marks that a cycle is verified. */
    record Verified(long cycle) {}

    /** Returns whether the marks say that a cycle has ended. */
    static boolean isOver(long cycle, LowMark low, ReplayMark replayed) {
        return cycle <= (Cycle.isReplay(cycle) ? replayed.cycle() : low.cycle());
    }

    /**
     * Returns the copy as a view.
     *
     * @param isConnected whether all marks are readable
     */
    ClusterView view(long revision, boolean isConnected, LowMark low, ReplayMark replayed) {
        List<QueueMember> queues = entries.values(QueueMember.class);
        queues.sort(Comparator.comparing(QueueMember::id).thenComparing(QueueMember::session));
        List<ProcessorMember> processors = entries.values(ProcessorMember.class);
        processors.sort(Comparator.comparing(ProcessorMember::id).thenComparing(ProcessorMember::session));
        SortedMap<Long, OpenCycle> cycles = new TreeMap<>();
        Map<Long, SortedMap<Integer, ShardCommit>> commits = commits();
        for (Cycle cycle : entries.values(Cycle.class)) {
            long number = cycle.number();
            Assignment assignment = entries.get(Assignment.class, znodes.assignment(number));
            if (!isOver(number, low, replayed) && assignment != null && fits(assignment, cycle)) {
                SortedMap<Integer, ShardCommit> its = commits.getOrDefault(number, Collections.emptySortedMap());
                boolean isVerified = entries.get(Verified.class, znodes.verified(number)) != null;
                cycles.put(number, new OpenCycle(cycle, assignment, its.headMap(cycle.shards()), isVerified));
            }
        }
        Roster roster = roster();
        SortedMap<Long, OpenCycle> live = cycles.headMap(Cycle.REPLAYS);
        return new ClusterView(
                revision,
                isConnected,
                queues,
                processors,
                RegisteredNodes.of(roster.size()),
                live,
                low,
                replays(cycles, replayed),
                archives(),
                roster,
                copies());
    }

    private Roster roster() {
        SortedMap<String, JournalGroup> groups = new TreeMap<>();
        SortedSet<String> unknown = new TreeSet<>();
        for (Registered node : entries.values(Registered.class)) {
            node.registration()
                    .ifPresentOrElse(known -> groups.put(node.id(), known.group()), () -> unknown.add(node.id()));
        }
        return new Roster(groups, unknown);
    }

    /** Returns the copied journals; none while the losses are unreadable. */
    private CopiedJournals copies() {
        JournalLosses losses = entries.get(JournalLosses.class, znodes.groups());
        if (losses == null) {
            return CopiedJournals.NONE;
        }
        // a node of an earlier release returns with an empty journal, or removes itself, without counting the loss
        Set<JournalGroup> uncounted = new HashSet<>();
        SortedMap<String, Long> copied = new TreeMap<>();
        for (Registered node : entries.values(Registered.class)) {
            node.registration().filter(known -> known.journal().id() == 0).ifPresent(old -> uncounted.add(old.group()));
        }
        for (Registered node : entries.values(Registered.class)) {
            node.registration()
                    .filter(known -> !uncounted.contains(known.group()))
                    .ifPresent(known -> known.journal().copied().ifPresent(seen -> copied.put(node.id(), seen)));
        }
        return new CopiedJournals(losses, copied);
    }

    private Archives archives() {
        List<ArchiveMember> live = entries.values(ArchiveMember.class);
        live.sort(Comparator.comparing(ArchiveMember::id).thenComparing(ArchiveMember::session));
        List<KnownArchive> known = entries.values(KnownArchive.class);
        known.sort(Comparator.comparing(KnownArchive::id));
        return new Archives(live, known);
    }

    private Replays replays(SortedMap<Long, OpenCycle> cycles, ReplayMark replayed) {
        SortedMap<String, ReplayRequest> requests = new TreeMap<>();
        entries.values(ReplayRequest.class).forEach(request -> requests.put(request.id(), request));
        Optional<OpenCycle> open =
                cycles.tailMap(Cycle.REPLAYS).values().stream().findFirst();
        return new Replays(replayed, open, requests);
    }

    private Map<Long, SortedMap<Integer, ShardCommit>> commits() {
        Map<Long, SortedMap<Integer, ShardCommit>> commits = new HashMap<>();
        for (ShardCommit commit : entries.values(ShardCommit.class)) {
            commits.computeIfAbsent(commit.cycle(), cycle -> new TreeMap<>()).put(commit.shard(), commit);
        }
        return commits;
    }

    private static boolean fits(Assignment assignment, Cycle cycle) {
        return assignment.owners().size() == cycle.parts()
                && assignment.processors().size() == cycle.shards();
    }
}
