package io.chimera.common.cluster;

import io.chimera.common.identity.LaneId;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Registered queue nodes, live or not, with their journal groups. A registered node may hold the only copy of a record;
 * {@code chimera cluster remove} ends its registration.
 *
 * @param groups journal group by id of the node
 * @param unknown ids of nodes whose group is unknown, because their registration is unreadable. Every group counts
 *     these nodes, so that the number of copies of their real group never falls
 */
public record Roster(SortedMap<String, JournalGroup> groups, SortedSet<String> unknown) {
    /** No registered node, or an unknown roster. */
    public static final Roster NONE = new Roster(new TreeMap<>());

    /** Copies the collections. */
    public Roster {
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
        unknown = Collections.unmodifiableSortedSet(new TreeSet<>(unknown));
    }

    /** Creates a roster of nodes with known groups. */
    public Roster(SortedMap<String, JournalGroup> groups) {
        this(groups, new TreeSet<>());
    }

    /** Creates a roster of the default group alone. */
    public static Roster of(Collection<String> ids) {
        SortedMap<String, JournalGroup> groups = new TreeMap<>();
        ids.forEach(id -> groups.put(id, JournalGroup.DEFAULT));
        return new Roster(groups);
    }

    /** Ids of the nodes, in order. */
    public List<String> ids() {
        SortedSet<String> ids = new TreeSet<>(groups.keySet());
        ids.addAll(unknown);
        return List.copyOf(ids);
    }

    /** Number of nodes. */
    public int size() {
        return groups.size() + unknown.size();
    }

    /**
     * Returns the id of the node that a registered member belongs to: the id itself, or the node of a lane. Old
     * clusters may have a node with an id like {@code queue.1}; the group of such a node is not the group of a lane.
     */
    public String nodeOf(String member) {
        JournalGroup group = groups.get(member);
        if (group != null) {
            return group.laneNumber() == 0 ? member : LaneId.nodeOf(member);
        }
        String node = LaneId.nodeOf(member);
        return groups.containsKey(node) || unknown.contains(node) ? node : member;
    }

    /** Returns the members that belong to a node, in order: its lanes; empty if the node is not registered. */
    public List<String> lanesOf(String node) {
        return ids().stream().filter(member -> nodeOf(member).equals(node)).toList();
    }

    /** Returns the nodes of a journal group, and the nodes whose group is unknown. */
    public Roster in(JournalGroup group) {
        SortedMap<String, JournalGroup> some = new TreeMap<>(groups);
        some.values().removeIf(other -> !other.equals(group));
        return new Roster(some, unknown);
    }

    /**
     * Returns the number of queue nodes with the configured group of a journal group: the members of the lane that most
     * of these nodes have, and the nodes whose group is unknown. The number is larger than the number of members while
     * some nodes have fewer lanes.
     */
    public int nodes(JournalGroup group) {
        JournalGroup base = group.base();
        int known = groups.values().stream()
                .filter(other -> other.base().equals(base))
                .collect(Collectors.groupingBy(other -> other, Collectors.summingInt(other -> 1)))
                .values()
                .stream()
                .reduce(0, Math::max);
        return known + unknown.size();
    }

    /** Returns the queue nodes of a lane's configured group without this lane. */
    public List<String> lacking(JournalGroup lane) {
        int number = lane.laneNumber();
        return groups.entrySet().stream()
                .filter(node -> node.getValue().equals(lane.base()))
                .map(Map.Entry::getKey)
                .filter(node -> !lane.equals(groups.get(LaneId.of(node, number))))
                .toList();
    }

    /**
     * Returns the nodes of this and of another roster. A node of both has the group of the other roster, if the other
     * roster knows a group.
     */
    public Roster and(Roster other) {
        SortedMap<String, JournalGroup> all = new TreeMap<>(groups);
        all.putAll(other.groups);
        SortedSet<String> some = new TreeSet<>(unknown);
        some.addAll(other.unknown);
        some.removeAll(all.keySet());
        return new Roster(all, some);
    }

    /** Returns the other nodes than one node. */
    public Roster without(String id) {
        SortedMap<String, JournalGroup> all = new TreeMap<>(groups);
        all.remove(id);
        SortedSet<String> some = new TreeSet<>(unknown);
        some.remove(id);
        return new Roster(all, some);
    }

    /** Returns the same nodes with the groups that an earlier roster knows; a node keeps its group for life. */
    public Roster resolvedBy(Roster earlier) {
        SortedMap<String, JournalGroup> all = new TreeMap<>(groups);
        SortedSet<String> some = new TreeSet<>(unknown);
        some.removeIf(id -> {
            JournalGroup group = earlier.groups.get(id);
            if (group != null) {
                all.put(id, group);
            }
            return group != null;
        });
        return new Roster(all, some);
    }

    /** Returns whether all nodes belong to the default group. */
    public boolean isDefault() {
        return groups.values().stream().allMatch(JournalGroup::isDefault);
    }
}
