package io.chimera.faults.sim.plane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.SetDataRequest;

/** Znodes in memory, with the checks of ZooKeeper. A transaction with a failed step changes nothing. */
final class PlaneTree {
    private static final int ANY_VERSION = -1;

    private final Map<String, Znode> znodes = new HashMap<>();

    private static final class Znode {
        private final TreeSet<String> children = new TreeSet<>();
        private byte[] data;
        private int version;
        private long owner;

        Znode(byte[] data, long owner) {
            this.data = data;
            this.owner = owner;
        }
    }

    /** A change of a znode. */
    record Change(EventType type, String path) {}

    PlaneTree() {
        znodes.put("", new Znode(new byte[0], 0));
    }

    /** Returns the content, or null for a missing znode. */
    byte[] data(String path, Stat stat) {
        Znode found = znodes.get(path);
        if (found == null) {
            return null;
        }
        stat.setVersion(found.version);
        stat.setEphemeralOwner(found.owner);
        return found.data;
    }

    /** Returns the bytes of content of all znodes whose path begins with a prefix. */
    long bytesBelow(String prefix) {
        return znodes.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToLong(entry -> entry.getValue().data.length)
                .sum();
    }

    /** Returns the names in a folder, or null for a missing folder. */
    List<String> children(String path) {
        Znode found = znodes.get(path);
        return found == null ? null : List.copyOf(found.children);
    }

    /**
     * Executes a transaction.
     *
     * @param session the writing session
     * @param changes receives the changes
     * @return OK, or the code of the failed step
     */
    Code apply(List<Op> steps, long session, List<Change> changes) {
        Deque<Runnable> undo = new ArrayDeque<>();
        List<Change> done = new ArrayList<>();
        for (Op step : steps) {
            Code code = apply(step, session, undo, done);
            if (code != Code.OK) {
                undo.forEach(Runnable::run);
                return code;
            }
        }
        changes.addAll(done);
        return Code.OK;
    }

    private Code apply(Op step, long session, Deque<Runnable> undo, List<Change> done) {
        Object request = step.toRequestRecord();
        if (request instanceof CheckVersionRequest check) {
            Znode found = znodes.get(check.getPath());
            return found == null ? Code.NONODE : versions(found, check.getVersion());
        }
        if (request instanceof CreateRequest create) {
            boolean isEphemeral = (create.getFlags() & CreateMode.EPHEMERAL.toFlag()) != 0;
            return create(create.getPath(), create.getData(), isEphemeral ? session : 0, undo, done);
        }
        if (request instanceof SetDataRequest set) {
            return set(set, undo, done);
        }
        if (request instanceof DeleteRequest delete) {
            return delete(delete, undo, done);
        }
        throw new IllegalArgumentException("Unknown step " + step);
    }

    private Code create(String path, byte[] data, long owner, Deque<Runnable> undo, List<Change> done) {
        Znode parent = znodes.get(parentOf(path));
        if (parent == null) {
            return Code.NONODE;
        }
        if (znodes.putIfAbsent(path, new Znode(data, owner)) != null) {
            return Code.NODEEXISTS;
        }
        parent.children.add(nameOf(path));
        undo.push(() -> {
            znodes.remove(path);
            parent.children.remove(nameOf(path));
        });
        done.add(new Change(EventType.NodeCreated, path));
        return Code.OK;
    }

    private Code set(SetDataRequest set, Deque<Runnable> undo, List<Change> done) {
        Znode found = znodes.get(set.getPath());
        if (found == null) {
            return Code.NONODE;
        }
        Code code = versions(found, set.getVersion());
        if (code == Code.OK) {
            byte[] before = found.data;
            undo.push(() -> {
                found.data = before;
                found.version--;
            });
            found.data = set.getData();
            found.version++;
            done.add(new Change(EventType.NodeDataChanged, set.getPath()));
        }
        return code;
    }

    private Code delete(DeleteRequest delete, Deque<Runnable> undo, List<Change> done) {
        String path = delete.getPath();
        Znode found = znodes.get(path);
        if (found == null) {
            return Code.NONODE;
        }
        if (!found.children.isEmpty()) {
            return Code.NOTEMPTY;
        }
        Code code = versions(found, delete.getVersion());
        if (code == Code.OK) {
            Znode parent = znodes.get(parentOf(path));
            znodes.remove(path);
            parent.children.remove(nameOf(path));
            undo.push(() -> {
                znodes.put(path, found);
                parent.children.add(nameOf(path));
            });
            done.add(new Change(EventType.NodeDeleted, path));
        }
        return code;
    }

    private static Code versions(Znode found, int wanted) {
        return wanted == ANY_VERSION || wanted == found.version ? Code.OK : Code.BADVERSION;
    }

    static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
