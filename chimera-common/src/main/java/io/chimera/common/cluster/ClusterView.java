package io.chimera.common.cluster;

import io.chimera.common.cluster.archive.Archives;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Snapshot of a node's knowledge of its cluster; immutable. Nodes act on the newest view, never on single events, so a
 * missed or repeated event has no effect.
 *
 * @param revision increases with every change
 * @param connected false while the coordinator is unreachable: ingest continues, but no cycle begins and nothing
 *     commits
 * @param queues live queue nodes, ordered by id
 * @param processors live processors, ordered by id
 * @param registration registered queue nodes, live or not. The view of a lane's journal group counts the nodes of the
 *     configured group, because an acknowledged record of a lane needs as many copies as a record of lane 0; {@link
 *     #members} counts the lanes
 * @param cycles open live cycles above the low-water mark, by number
 * @param low the low-water mark
 * @param replays replays, independent of the live cycles
 * @param archives archive nodes
 * @param roster registered queue nodes; empty if only their number is known
 * @param journals registered queue nodes whose records all have a copy in another journal
 */
public record ClusterView(
        long revision,
        boolean connected,
        List<QueueMember> queues,
        List<ProcessorMember> processors,
        RegisteredNodes registration,
        SortedMap<Long, OpenCycle> cycles,
        LowMark low,
        Replays replays,
        Archives archives,
        Roster roster,
        CopiedJournals journals) {
    /** Empty view before the first contact. */
    public static final ClusterView NONE = of(0, false, Archives.NONE);

    /** Copies the collections. */
    public ClusterView {
        queues = MemberList.of(queues, QueueMember::session);
        processors = MemberList.of(processors, ProcessorMember::session);
        cycles = Collections.unmodifiableSortedMap(new TreeMap<>(cycles));
    }

    /** Creates a view with the number of registered queue nodes, without their ids. */
    public ClusterView(
            long revision,
            boolean connected,
            List<QueueMember> queues,
            List<ProcessorMember> processors,
            int registered,
            SortedMap<Long, OpenCycle> cycles,
            LowMark low,
            Replays replays,
            Archives archives) {
        this(
                revision,
                connected,
                queues,
                processors,
                RegisteredNodes.of(registered),
                cycles,
                low,
                replays,
                archives,
                Roster.NONE,
                CopiedJournals.NONE);
    }

    /** Creates a view without archive nodes. */
    public ClusterView(
            long revision,
            boolean connected,
            List<QueueMember> queues,
            List<ProcessorMember> processors,
            int registered,
            SortedMap<Long, OpenCycle> cycles,
            LowMark low,
            Replays replays) {
        this(revision, connected, queues, processors, registered, cycles, low, replays, Archives.NONE);
    }

    /** Creates a view with archive nodes only. */
    public static ClusterView of(long revision, Archives archives) {
        return of(revision, true, archives);
    }

    private static ClusterView of(long revision, boolean connected, Archives archives) {
        return new ClusterView(
                revision,
                connected,
                List.of(),
                List.of(),
                RegisteredNodes.UNKNOWN,
                new TreeMap<>(),
                LowMark.NONE,
                Replays.NONE,
                archives,
                Roster.NONE,
                CopiedJournals.NONE);
    }

    /** Number of registered queue nodes; 0 if none or unknown. */
    public int registered() {
        return registration.count();
    }

    /** Returns a copy with another connection state and the next revision. */
    public ClusterView connected(boolean isConnected) {
        return new ClusterView(
                revision + 1,
                isConnected,
                queues,
                processors,
                registration,
                cycles,
                low,
                replays,
                archives,
                roster,
                journals);
    }

    /** Returns a copy with another revision. */
    public ClusterView at(long other) {
        return new ClusterView(
                other, connected, queues, processors, registration, cycles, low, replays, archives, roster, journals);
    }

    /** Returns a copy with other queue nodes. */
    public ClusterView with(List<QueueMember> some) {
        return new ClusterView(
                revision, connected, some, processors, registration, cycles, low, replays, archives, roster, journals);
    }

    /** Creates a view without replays. */
    public ClusterView(
            long revision,
            boolean connected,
            List<QueueMember> queues,
            List<ProcessorMember> processors,
            int registered,
            SortedMap<Long, OpenCycle> cycles,
            LowMark low) {
        this(revision, connected, queues, processors, registered, cycles, low, Replays.NONE);
    }

    /** Returns whether the cluster has the default journal group alone. */
    public boolean isDefaultGroup() {
        return roster.isDefault()
                && low.streams().isEmpty()
                && queues.stream().allMatch(member -> member.group().isDefault())
                && open().stream().allMatch(open -> open.cycle().groups().isDefault());
    }

    /** Journal groups with a registered or live queue node, or with a stream in the last cut; in order. */
    public SortedSet<JournalGroup> groups() {
        SortedSet<JournalGroup> groups = new TreeSet<>(roster.groups().values());
        queues.forEach(member -> groups.add(member.group()));
        groups.addAll(streamGroups().among(lastCut()));
        if (groups.isEmpty()) {
            groups.add(JournalGroup.DEFAULT);
        }
        return groups;
    }

    /** Groups of all known streams. A cut decides for the streams that it names, an announcement for new streams. */
    public StreamGroups streamGroups() {
        SortedMap<Long, JournalGroup> known = new TreeMap<>();
        Positions named = lastCut().max(low.cut());
        for (QueueMember member : queues) {
            known.putAll(member.streamGroups().without(named).others());
        }
        known.putAll(low.streams().others());
        for (OpenCycle open : cycles.values()) {
            known.putAll(open.cycle().groups().streams().others());
        }
        return StreamGroups.copyOf(known);
    }

    /**
     * Returns the cluster as the members of a journal group see it: with the queue nodes and the streams of this group
     * only. The cycles keep all of their parts, processors and assignments.
     */
    public ClusterView in(JournalGroup group) {
        if (group.isDefault() && isDefaultGroup()) {
            return this;
        }
        SortedMap<Long, OpenCycle> own = new TreeMap<>();
        cycles.forEach((number, open) -> own.put(number, open.in(group)));
        Roster members = roster.in(group);
        return new ClusterView(
                revision,
                connected,
                queues.stream().filter(member -> member.group().equals(group)).toList(),
                processors,
                registration.state() == RegisteredNodes.State.UNKNOWN
                        ? registration
                        : RegisteredNodes.of(members.size() == 0 ? 0 : roster.nodes(group)),
                own,
                low.in(group),
                replays.in(group),
                archives,
                members,
                journals);
    }

    /**
     * Returns the number of registered members of this view's journal group, live or not. This number is smaller than
     * {@link #registered} while nodes of the group have fewer lanes.
     */
    public int members() {
        return roster.size() == 0 ? registered() : Math.min(registered(), roster.size());
    }

    /** Returns the ids of the dead nodes to start: registered queue nodes of this view with a lane that is not live. */
    public List<String> deadNodes() {
        Set<String> live = queues.stream().map(QueueMember::id).collect(Collectors.toSet());
        return roster.ids().stream()
                .filter(id -> !live.contains(id))
                .map(roster::nodeOf)
                .distinct()
                .toList();
    }

    /** Open cycles: the live cycles by number, then the replay cycle, if any. */
    public List<OpenCycle> open() {
        List<OpenCycle> open = new ArrayList<>(cycles.values());
        replays.open().ifPresent(open::add);
        return open;
    }

    /** Returns an open live or replay cycle by number. */
    public Optional<OpenCycle> open(long cycle) {
        return Cycle.isReplay(cycle)
                ? replays.open().filter(open -> open.cycle().number() == cycle)
                : Optional.ofNullable(cycles.get(cycle));
    }

    /**
     * Returns whether a live cycle is at or below the low-water mark, or a replay cycle at or below the replay mark.
     */
    public boolean isOver(long cycle) {
        return cycle <= (Cycle.isReplay(cycle) ? replays.mark().cycle() : low.cycle());
    }

    /**
     * Returns the lower bound of a cycle.
     *
     * @param cycle number of the cycle
     * @return the cut of the previous cycle; empty if the previous cycle is unknown, or no longer known
     */
    public Optional<Positions> cutBefore(long cycle) {
        if (Cycle.isReplay(cycle)) {
            return open(cycle).flatMap(open -> open.cycle().replay()).map(Replay::before);
        }
        if (cycle - 1 == low.cycle()) {
            return Optional.of(low.cut());
        }
        return Optional.ofNullable(cycles.get(cycle - 1))
                .map(open -> open.cycle().cut());
    }

    /** Number of the newest live cycle; 0 before the first. */
    public long newest() {
        return cycles.isEmpty() ? low.cycle() : cycles.lastKey();
    }

    /** Cut of the newest live cycle. */
    public Positions lastCut() {
        return cycles.isEmpty()
                ? low.cut()
                : cycles.get(cycles.lastKey()).cycle().cut();
    }

    /** Digest of the active pipelines, the pipelines of the newest live cycle; empty before the first cycle. */
    public ConfigurationDigest lastDigest() {
        return cycles.isEmpty()
                ? low.digest()
                : cycles.get(cycles.lastKey()).assignment().digest();
    }

    /** Returns the live queue node with a session. */
    public Optional<QueueMember> queue(long session) {
        return MemberList.find(queues, session);
    }

    /** Returns the live processor with a session. */
    public Optional<ProcessorMember> processor(long session) {
        return MemberList.find(processors, session);
    }
}
