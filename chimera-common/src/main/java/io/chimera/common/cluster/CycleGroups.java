package io.chimera.common.cluster;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;

/**
 * Journal groups of a cycle: the parts and the streams of each group. The parts are numbered through: the first
 * group has the parts 0 to n - 1, the next group begins at n. A record of a group's stream is in one of the parts of
 * this group.
 *
 * @param parts parts of each group, in the order of the parts; empty when all parts belong to the default group
 * @param streams group of each stream of the cut
 */
public record CycleGroups(List<Parts> parts, StreamGroups streams) {
    /** The default group alone. */
    public static final CycleGroups NONE = new CycleGroups(List.of(), StreamGroups.NONE);

    /**
     * Parts of one group in a cycle.
     *
     * @param group the group
     * @param first number of its first part
     * @param count number of its parts; 0 for a group without a live queue node
     */
    public record Parts(JournalGroup group, int first, int count) {
        /** Checks the range. */
        public Parts {
            if (first < 0 || count < 0) {
                throw new IllegalArgumentException("Invalid parts of a group: " + first + ", " + count);
            }
        }

        /** Returns whether a part of the cycle is one of these. */
        public boolean contains(int part) {
            return first <= part && part < first + count;
        }
    }

    /** Jackson's filter for stored forms, which name groups only if there is another than the default group. */
    public static final class Unnamed {
        @Override
        public boolean equals(Object groups) {
            return groups instanceof CycleGroups some && some.isDefault();
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    /** Copies the list. */
    public CycleGroups {
        parts = List.copyOf(parts);
    }

    /** Returns the groups of a cycle with these queue nodes, ordered by group. */
    public static CycleGroups of(List<QueueMember> queues, StreamGroups streams) {
        List<Parts> parts = new ArrayList<>();
        for (int first = 0; first < queues.size(); ) {
            JournalGroup group = queues.get(first).group();
            int end = first;
            while (end < queues.size() && queues.get(end).group().equals(group)) {
                end++;
            }
            parts.add(new Parts(group, first, end - first));
            first = end;
        }
        boolean isDefault = streams.isEmpty() && parts.stream().allMatch(some -> some.group.isDefault());
        return isDefault ? NONE : new CycleGroups(parts, streams);
    }

    /** Returns the groups with the streams of some positions only. */
    CycleGroups of(Positions positions) {
        return isDefault() ? this : new CycleGroups(parts, streams.of(positions));
    }

    /** Returns whether all parts and streams belong to the default group. */
    @JsonIgnore
    public boolean isDefault() {
        return parts.isEmpty() && streams.isEmpty();
    }

    /**
     * Returns the parts of a group.
     *
     * @param all number of parts of the cycle
     */
    Parts of(JournalGroup group, int all) {
        if (isDefault()) {
            return new Parts(group, 0, group.isDefault() ? all : 0);
        }
        return parts.stream()
                .filter(some -> some.group.equals(group))
                .findFirst()
                .orElse(new Parts(group, 0, 0));
    }
}
