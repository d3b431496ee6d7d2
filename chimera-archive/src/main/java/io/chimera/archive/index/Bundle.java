package io.chimera.archive.index;

import java.util.Arrays;
import java.util.List;

/**
 * Bundle in memory: groups whose level-2 signatures will be sliced together. The writer adds groups, the last of which
 * may still be open; searches on other threads see the published groups.
 */
final class Bundle {
    private final Group[] groups;
    private volatile int size;

    Bundle(int groups) {
        this.groups = new Group[groups];
    }

    /** Adds an empty group. Writer's thread. */
    void add(Group group) {
        int position = size;
        groups[position] = group;
        size = position + 1; // publishes the group
    }

    /** Returns the groups published so far. */
    List<Group> groups() {
        return Arrays.asList(groups).subList(0, size);
    }

    /** Returns the newest group; null without groups. */
    Group newest() {
        return size == 0 ? null : groups[size - 1];
    }

    /** Returns true if another group fits. */
    boolean hasRoom() {
        return size < groups.length;
    }

    boolean isFull() {
        return size == groups.length && groups[size - 1].isEnded();
    }
}
