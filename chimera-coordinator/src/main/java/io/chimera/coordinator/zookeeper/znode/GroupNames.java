package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.StreamGroups;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the names of journal groups. The default group has no name in a znode, so a cluster with the default
 * group alone has the znodes of releases without groups.
 */
final class GroupNames {
    private GroupNames() {}

    /** Returns the name of a group; null for the default group. */
    static @Nullable String of(JournalGroup group) {
        return group.isDefault() ? null : group.name();
    }

    static JournalGroup group(@Nullable String name) throws MalformedZnodeException {
        try {
            return name == null ? JournalGroup.DEFAULT : new JournalGroup(name);
        } catch (IllegalArgumentException e) {
            throw new MalformedZnodeException("its field 'group' is not the name of a journal group", e);
        }
    }

    /** Returns the groups of the streams outside the default group; null without such a stream. */
    static @Nullable Map<HexName, String> of(StreamGroups streams) {
        if (streams.isEmpty()) {
            return null;
        }
        Map<HexName, String> named = new LinkedHashMap<>();
        streams.others().forEach((stream, group) -> named.put(new HexName(stream), group.name()));
        return named;
    }

    static StreamGroups streams(@Nullable Map<HexName, String> named) throws MalformedZnodeException {
        if (named == null) {
            return StreamGroups.NONE;
        }
        SortedMap<Long, JournalGroup> groups = new TreeMap<>();
        for (Map.Entry<HexName, String> stream : named.entrySet()) {
            groups.put(stream.getKey().value(), group(stream.getValue()));
        }
        return StreamGroups.copyOf(groups);
    }
}
