package io.chimera.archive.index;

import java.util.Arrays;
import java.util.List;

/**
 * A bundle in memory: groups whose level-2 signatures will be sliced together. The writer adds groups, the last of which may
 * still be filling; searches on other threads see those published.
 */
final class Bundle {
    private final Group[] groups;
    private volatile int size;

    Bundle(int groups) {
        this.groups = new Group[groups];
    }

    /** Adds a group, empty as yet. Writer's thread. */
    void add(Group group) {
        int position = size;
        groups[position] = group;
        size = position + 1; // publishes
    }

    /** The groups as of now. */
    List<Group> groups() {
        return Arrays.asList(groups).subList(0, size);
    }

    /** The newest group; null if there is none. */
    Group newest() {
        return size == 0 ? null : groups[size - 1];
    }

    /** Whether another group can be added. */
    boolean hasRoom() {
        return size < groups.length;
    }

    boolean isFull() {
        return size == groups.length && groups[size - 1].isEnded();
    }
}
