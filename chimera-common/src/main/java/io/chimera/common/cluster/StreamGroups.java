package io.chimera.common.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Journal group of each stream. A stream belongs to the group of the queue node that writes the stream, for ever: only
 * nodes of this group journal the stream. Immutable.
 *
 * <p>Stored forms name the streams outside the default group only, so a cluster with the default group alone has the
 * forms of releases without groups.
 */
public final class StreamGroups {
    /** All streams belong to the default group. */
    public static final StreamGroups NONE = new StreamGroups(new TreeMap<>());

    private final SortedMap<Long, JournalGroup> groups; // without the default group

    private StreamGroups(SortedMap<Long, JournalGroup> groups) {
        this.groups = Collections.unmodifiableSortedMap(groups);
    }

    /** Creates the groups of streams; a stream without an entry belongs to the default group. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static StreamGroups copyOf(Map<Long, JournalGroup> groups) {
        TreeMap<Long, JournalGroup> others = new TreeMap<>(groups);
        others.values().removeIf(JournalGroup::isDefault);
        return others.isEmpty() ? NONE : new StreamGroups(others);
    }

    /** Returns the group of a stream. */
    public JournalGroup of(long stream) {
        return groups.getOrDefault(stream, JournalGroup.DEFAULT);
    }

    /** Returns whether all streams belong to the default group. */
    public boolean isEmpty() {
        return groups.isEmpty();
    }

    /** Streams outside the default group, with their groups. */
    @JsonValue
    public SortedMap<Long, JournalGroup> others() {
        return groups;
    }

    /** Returns the groups of these streams and of others. */
    public StreamGroups and(StreamGroups more) {
        if (more.isEmpty() || equals(more)) {
            return this;
        }
        TreeMap<Long, JournalGroup> all = new TreeMap<>(groups);
        all.putAll(more.groups);
        return new StreamGroups(all);
    }

    /** Returns the groups of the streams of some positions only. */
    public StreamGroups of(Positions positions) {
        if (isEmpty()) {
            return this;
        }
        TreeMap<Long, JournalGroup> some = new TreeMap<>(groups);
        some.keySet().removeIf(stream -> !positions.names(stream));
        return copyOf(some);
    }

    /** Returns the groups of the streams that some positions do not name. */
    StreamGroups without(Positions positions) {
        if (isEmpty()) {
            return this;
        }
        TreeMap<Long, JournalGroup> some = new TreeMap<>(groups);
        some.keySet().removeIf(positions::names);
        return copyOf(some);
    }

    /** Returns the positions of the streams of one group. */
    public Positions in(JournalGroup group, Positions positions) {
        if (isEmpty() && group.isDefault()) {
            return positions;
        }
        Positions.Builder own = Positions.builder();
        positions.forEach((stream, seq) -> {
            if (of(stream).equals(group)) {
                own.put(stream, seq);
            }
        });
        return own.build();
    }

    /** Returns the groups with a stream among some positions. */
    public SortedSet<JournalGroup> among(Positions positions) {
        SortedSet<JournalGroup> among = new TreeSet<>();
        positions.forEach((stream, seq) -> among.add(of(stream)));
        return among;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StreamGroups streams && groups.equals(streams.groups);
    }

    @Override
    public int hashCode() {
        return groups.hashCode();
    }

    @Override
    public String toString() {
        return groups.toString();
    }
}
