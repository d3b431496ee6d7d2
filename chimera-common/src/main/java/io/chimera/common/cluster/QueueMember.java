package io.chimera.common.cluster;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Announcement of a live queue node, repeated while its journal grows.
 *
 * @param id name of the node in the configuration
 * @param group journal group of the node
 * @param session identifies this start of the process; never reused
 * @param address host:port for connections of peers
 * @param http host:port for health, metrics and taps
 * @param stream stream written by this start of the node; new with every start
 * @param digests digests of the available configurations, newest first; see {@link ConfigurationDigest}
 * @param bases exclusive lower bound of the journaled sequence numbers, per stream
 * @param positions highest durably journaled sequence number, per stream
 * @param leaving true after a request to leave: later cycles assign no part to the node
 * @param unreachable sessions of live processors without a channel from this node for some seconds
 * @param clockMs clock of the node at the announcement, ms since 1970; 0 from releases without this value
 * @param past replayable cycles: the journal still has their records and knows their bounds
 * @param kept position of the copy of the control state in the node's data folder
 * @param journal facts for the node's registration; {@link JournalState#NONE} in the announcements of other nodes
 */
public record QueueMember(
        String id,
        JournalGroup group,
        long session,
        String address,
        String http,
        long stream,
        List<ConfigurationDigest> digests,
        Positions bases,
        Positions positions,
        boolean leaving,
        List<Long> unreachable,
        long clockMs,
        List<CycleSpan> past,
        ControlMark kept,
        JournalState journal) {
    /** Copies the collections. */
    public QueueMember {
        digests = List.copyOf(digests);
        requireNonNull(group, "group");
        requireNonNull(bases, "bases");
        requireNonNull(positions, "positions");
        unreachable = List.copyOf(unreachable);
        past = List.copyOf(past);
        requireNonNull(journal, "journal");
    }

    /** Creates a node without a copy of the control state, and without facts for its registration. */
    public QueueMember(
            String id,
            JournalGroup group,
            long session,
            String address,
            String http,
            long stream,
            List<ConfigurationDigest> digests,
            Positions bases,
            Positions positions,
            boolean leaving,
            List<Long> unreachable,
            long clockMs,
            List<CycleSpan> past) {
        this(
                id,
                group,
                session,
                address,
                http,
                stream,
                digests,
                bases,
                positions,
                leaving,
                unreachable,
                clockMs,
                past,
                ControlMark.NONE,
                JournalState.NONE);
    }

    /** Creates a node of the default group with one configuration, connected to all processors, without past cycles. */
    public QueueMember(
            String id,
            long session,
            String address,
            String http,
            long stream,
            String digest,
            Positions bases,
            Positions positions,
            boolean leaving) {
        this(
                id,
                JournalGroup.DEFAULT,
                session,
                address,
                http,
                stream,
                List.of(new ConfigurationDigest(digest)),
                bases,
                positions,
                leaving,
                List.of(),
                0,
                List.of());
    }

    /** Returns a copy with other positions. */
    public QueueMember at(Positions others) {
        return new QueueMember(
                id,
                group,
                session,
                address,
                http,
                stream,
                digests,
                bases,
                others,
                leaving,
                unreachable,
                clockMs,
                past,
                kept,
                journal);
    }

    /** Returns a copy in another journal group. */
    public QueueMember in(JournalGroup other) {
        return new QueueMember(
                id,
                other,
                session,
                address,
                http,
                stream,
                digests,
                bases,
                positions,
                leaving,
                unreachable,
                clockMs,
                past,
                kept,
                journal);
    }

    /** Returns a copy with another clock. */
    public QueueMember clockedAt(long ms) {
        return new QueueMember(
                id,
                group,
                session,
                address,
                http,
                stream,
                digests,
                bases,
                positions,
                leaving,
                unreachable,
                ms,
                past,
                kept,
                journal);
    }

    /** Returns a copy with another position of the control state's copy. */
    public QueueMember keeping(ControlMark mark) {
        return new QueueMember(
                id,
                group,
                session,
                address,
                http,
                stream,
                digests,
                bases,
                positions,
                leaving,
                unreachable,
                clockMs,
                past,
                mark,
                journal);
    }

    /** Returns a copy with other facts about the journal. */
    public QueueMember with(JournalState state) {
        return new QueueMember(
                id,
                group,
                session,
                address,
                http,
                stream,
                digests,
                bases,
                positions,
                leaving,
                unreachable,
                clockMs,
                past,
                kept,
                state);
    }

    /**
     * Returns whether the tree of a view has registered a node with this journal, now or earlier, by the note in its
     * folder or by its copy of the control state. Then an operator has removed a node without a registration. A tree
     * with another history, or without cycles of the node's copy of the control state, is not the tree that has
     * registered the node. Without a noted history and without a copy, a tree may always be another one.
     */
    public boolean wasRegisteredIn(ClusterView tree) {
        return Stream.of(journal.registeredIn(), journal.namedIn())
                .flatMap(Optional::stream)
                .anyMatch(noted -> isHistoryOf(tree, noted));
    }

    private boolean isHistoryOf(ClusterView tree, String noted) {
        ControlMark.Standing standing = kept.of(tree);
        return noted.isEmpty()
                ? !kept.isEmpty() && standing == ControlMark.Standing.CURRENT
                : noted.equals(tree.low().history()) && standing != ControlMark.Standing.BEHIND;
    }

    /** Returns whether this node can send cycles of a configuration; true for an empty digest. */
    public boolean holds(ConfigurationDigest digest) {
        return digest.isEmpty() || digests.contains(digest);
    }

    /** Digest of the newest configuration; empty without a configuration. */
    public ConfigurationDigest digest() {
        return digests.isEmpty() ? ConfigurationDigest.NONE : digests.get(0);
    }

    /** Returns whether this node can replay a past cycle. */
    public boolean holdsPast(long cycle) {
        return past.stream().anyMatch(span -> span.contains(cycle));
    }

    /** Groups of the streams of this node's journal: all belong to the group of the node. */
    StreamGroups streamGroups() {
        if (group.isDefault()) {
            return StreamGroups.NONE;
        }
        SortedMap<Long, JournalGroup> groups = new TreeMap<>();
        groups.put(stream, group);
        bases.forEach((journaled, seq) -> groups.put(journaled, group));
        positions.forEach((journaled, seq) -> groups.put(journaled, group));
        return StreamGroups.copyOf(groups);
    }

    /** Highest durable sequence number of a stream in this node's journal; 0 without records of the stream. */
    public long position(long ofStream) {
        return positions.at(ofStream);
    }

    /** Returns whether this node's journal has all records of a stream above the given sequence number. */
    public boolean holdsAbove(long ofStream, long seq) {
        return bases.at(ofStream) <= seq;
    }

    /** Returns whether this node's journal durably has all records of a range. */
    public boolean holds(StreamRange range) {
        return holdsAbove(range.stream(), range.after()) && position(range.stream()) >= range.upTo();
    }
}
