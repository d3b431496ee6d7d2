package io.chimera.coordinator.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.AddWatchMode;

/**
 * Part of the tree that a process watches. Each change of a watched znode costs a watch event and a read. The part of a
 * member therefore has a constant number of changes per cycle: no commits of other processes, and no announcements of
 * queue nodes.
 */
enum ViewScope {
    /**
     * Every znode of a view except commits of other processes: {@code verified} shows that a cycle is committed. The
     * process reads the announcement of a queue node when the node joins, and then repeatedly at a bounded rate.
     */
    MEMBER,

    /** Every znode of a view. */
    COORDINATOR;

    /** Folder with a znode for each member, created and deleted with the announcement of the member. */
    static final String HOLDERS = "holders";

    private static final String QUEUES = "queues";

    /** Path of the losses of journals: the folder of the registrations itself. */
    private static final List<String> GROUPS = List.of("group");

    private static final String COMMITS = "commits";

    private static final List<String> MEMBER_FOLDERS = List.of(
            "group", QUEUES, "processors", "cycles", "assign", "verified", "replays", "archives", "archive-nodes");
    private static final List<String> COORDINATOR_FOLDERS =
            List.of("group", QUEUES, "processors", "cycles", "assign", COMMITS, "replays", "archives", "archive-nodes");

    /** A watch of a path. */
    record Watched(String path, AddWatchMode mode) {}

    /** Returns the folders to read at the begin of a link. */
    List<String> folders() {
        return this == MEMBER ? MEMBER_FOLDERS : COORDINATOR_FOLDERS;
    }

    /** Returns whether a path is the path of a znode of the view. */
    boolean isSeen(List<String> names) {
        if (names.equals(GROUPS)) {
            return true;
        }
        return !names.isEmpty()
                && folders().contains(names.get(0))
                && names.size() == (names.get(0).equals(COMMITS) ? 3 : 2);
    }

    /** Returns the watches of a process. */
    List<Watched> watches(Znodes znodes) {
        if (this == COORDINATOR) {
            return List.of(new Watched(znodes.base(), AddWatchMode.PERSISTENT_RECURSIVE));
        }
        List<Watched> watches = new ArrayList<>();
        List.of(znodes.base(), znodes.epoch(), znodes.low(), znodes.replayed())
                .forEach(path -> watches.add(new Watched(path, AddWatchMode.PERSISTENT)));
        watches.add(new Watched(znodes.folder(HOLDERS), AddWatchMode.PERSISTENT_RECURSIVE));
        folders().stream()
                .filter(folder -> !folder.equals(QUEUES))
                .forEach(folder -> watches.add(new Watched(znodes.folder(folder), AddWatchMode.PERSISTENT_RECURSIVE)));
        return watches;
    }
}
