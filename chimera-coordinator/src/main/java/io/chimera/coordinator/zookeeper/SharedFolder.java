package io.chimera.coordinator.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Folder of the cluster's tree for records of another module, with blocking calls. Reads are answered from memory until
 * a watch reports a change, so that a poll of an unchanged folder costs no request. Paths are relative to the folder.
 * Any thread except those of ZooKeeper's client.
 */
public final class SharedFolder {
    /** Maximum length of a record in bytes. */
    public static final int RECORD_MAX = 500 << 10;

    private final ZooKeeperSession session;
    private final SessionAgent agent;
    private final String base;
    private final FolderCache cache;

    /** Lifetime of a record. */
    public enum Lifetime {
        /** Until the record is deleted. */
        KEPT,
        /** Until the end of this process's session with ZooKeeper. */
        OF_SESSION
    }

    /** Result of a creation. */
    public enum Creation {
        /** The record is new. */
        CREATED,
        /** There is a record with this path; it is unchanged. */
        EXISTS,
        /** The parent of the path is missing. */
        NO_PARENT
    }

    /** A record. Immutable: nobody may change the content. */
    public static final class Entry {
        private final byte[] data;
        private final int version;
        private final boolean isOwn;

        Entry(byte[] data, int version, boolean isOwn) {
            this.data = data;
            this.version = version;
            this.isOwn = isOwn;
        }

        /** Returns the content; not to be changed. */
        public byte[] data() {
            return data;
        }

        /** Returns the number of changes of the record. */
        public int version() {
            return version;
        }

        /** Returns whether the record ends with this process's session. */
        public boolean isOwn() {
            return isOwn;
        }
    }

    SharedFolder(ZooKeeperSession session, SessionAgent agent, String name) {
        this.session = session;
        this.agent = agent;
        base = agent.znodes().folder(name);
        cache = new FolderCache(base);
    }

    /** A request to ZooKeeper. */
    private interface Request<V> {
        V send(ZooKeeper zooKeeper) throws KeeperException, InterruptedException;
    }

    /**
     * Reads a record.
     *
     * @param path relative path
     * @return empty when there is no such record
     * @throws TreeException when ZooKeeper does not answer
     */
    public Optional<Entry> read(String path) throws TreeException {
        return ask(
                path,
                zooKeeper -> cache.entry(zooKeeper, absolute(path), () -> {
                    try {
                        Stat stat = new Stat();
                        byte[] data = zooKeeper.getData(absolute(path), false, stat);
                        boolean isOwn =
                                stat.getEphemeralOwner() != 0 && stat.getEphemeralOwner() == zooKeeper.getSessionId();
                        return Optional.of(new Entry(data == null ? new byte[0] : data, stat.getVersion(), isOwn));
                    } catch (KeeperException.NoNodeException e) {
                        return Optional.empty();
                    }
                }));
    }

    /**
     * Lists the records of a folder.
     *
     * @param path relative path
     * @return names in no order; empty for a missing folder
     * @throws TreeException when ZooKeeper does not answer
     */
    public List<String> list(String path) throws TreeException {
        return ask(path, zooKeeper -> cache.names(zooKeeper, absolute(path), () -> children(zooKeeper, path)));
    }

    private List<String> children(ZooKeeper zooKeeper, String path) throws KeeperException, InterruptedException {
        try {
            return zooKeeper.getChildren(absolute(path), false);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    /**
     * Creates a record.
     *
     * @param path relative path
     * @param data content
     * @param lifetime lifetime of the record
     * @throws TreeException when the content is too long, or ZooKeeper does not answer
     */
    public Creation create(String path, byte[] data, Lifetime lifetime) throws TreeException {
        checkLength(path, data);
        List<ACL> list = access().of(absolute(path));
        return ask(path, zooKeeper -> {
            try {
                zooKeeper.create(
                        absolute(path),
                        data,
                        list,
                        lifetime == Lifetime.KEPT ? CreateMode.PERSISTENT : CreateMode.EPHEMERAL);
                return Creation.CREATED;
            } catch (KeeperException.NodeExistsException e) {
                return Creation.EXISTS;
            } catch (KeeperException.NoNodeException e) {
                return Creation.NO_PARENT;
            } finally {
                cache.forget(absolute(path));
            }
        });
    }

    /**
     * Creates several records in one step.
     *
     * @param records contents by relative path, parents before their children
     * @return false when one of the records exists; nothing is created then
     * @throws TreeException when a content is too long, a parent is missing, or ZooKeeper does not answer
     */
    public boolean createAll(Map<String, byte[]> records) throws TreeException {
        List<Op> steps = new ArrayList<>();
        for (Map.Entry<String, byte[]> each : records.entrySet()) {
            checkLength(each.getKey(), each.getValue());
            String path = absolute(each.getKey());
            steps.add(Op.create(path, each.getValue(), access().of(path), CreateMode.PERSISTENT));
        }
        return ask(records.keySet().toString(), zooKeeper -> {
            try {
                zooKeeper.multi(steps);
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return false;
            } finally {
                records.keySet().forEach(path -> cache.forget(absolute(path)));
            }
        });
    }

    /**
     * Replaces the content of a record.
     *
     * @param path relative path
     * @param data new content
     * @param version version of the content to replace
     * @return false when the record has another version, or is missing
     * @throws TreeException when the content is too long, or ZooKeeper does not answer
     */
    public boolean replace(String path, byte[] data, int version) throws TreeException {
        checkLength(path, data);
        return ask(path, zooKeeper -> {
            try {
                zooKeeper.setData(absolute(path), data, version);
                return true;
            } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
                return false;
            } finally {
                cache.forget(absolute(path));
            }
        });
    }

    /**
     * Deletes a record without children.
     *
     * @param path relative path
     * @param version version of the content that was read
     * @return false when the record has another version, or is missing
     * @throws TreeException when the record has children, or ZooKeeper does not answer
     */
    public boolean delete(String path, int version) throws TreeException {
        return ask(path, zooKeeper -> {
            try {
                zooKeeper.delete(absolute(path), version);
                return true;
            } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
                return false;
            } finally {
                cache.forget(absolute(path));
            }
        });
    }

    /**
     * Deletes a record with everything below it. A missing record is no error.
     *
     * @param path relative path
     * @throws TreeException when ZooKeeper does not answer; some records may be deleted
     */
    public void deleteAll(String path) throws TreeException {
        for (String name : list(path)) {
            deleteAll(path + "/" + name);
        }
        ask(path, zooKeeper -> {
            try {
                zooKeeper.delete(absolute(path), ZooKeeperLink.ANY_VERSION);
            } catch (KeeperException.NoNodeException e) {
                // deleted before
            } finally {
                cache.forget(absolute(path));
            }
            return path;
        });
    }

    private String absolute(String path) {
        return base + "/" + path;
    }

    private Access access() throws TreeException {
        return link().access();
    }

    private ZooKeeperLink link() throws TreeException {
        ZooKeeperLink link = agent.live();
        if (link == null) {
            throw new TreeException("ZooKeeper is not connected. " + agent.problem());
        }
        return link;
    }

    private static void checkLength(String path, byte[] data) throws TreeException {
        if (data.length > RECORD_MAX) {
            throw new TreeException(
                    "The record " + path + " has " + data.length + " bytes; the limit is " + RECORD_MAX + " bytes.");
        }
    }

    private <V> V ask(String what, Request<V> request) throws TreeException {
        link();
        try {
            return request.send(session.zooKeeper());
        } catch (KeeperException e) {
            throw new TreeException("ZooKeeper did not answer for " + base + "/" + what + " (" + e.code() + ").", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TreeException("Interrupted while waiting for ZooKeeper.", e);
        }
    }
}
