package io.chimera.coordinator.zookeeper;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/**
 * Answers of ZooKeeper for one folder, valid until a watch reports a change. One recursive watch covers the folder.
 * Without a connection the servers report nothing, so nothing is kept then. Any thread.
 */
final class FolderCache {
    /** Maximum size: the records of a job that are read often have a few hundred kilobytes. */
    private static final long BYTES_MAX = 16 << 20;

    /** Size of an answer in addition to its content. */
    private static final long ANSWER_BYTES = 200;

    private final String base;
    private final Map<String, Kept<SharedFolder.Entry>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, List<String>> folders = new LinkedHashMap<>(16, 0.75f, true);
    private final Watcher watcher = this::onEvent;
    private long bytes;

    /** Number of changes so far; an answer that was under way during a change is not kept. */
    private long changes;

    private boolean isConnected;
    private Optional<ZooKeeper> watched = Optional.empty();

    /** A kept answer; the value is empty for a missing record. */
    private record Kept<V>(Optional<V> value) {}

    /** A request to ZooKeeper. */
    interface Load<V> {
        V load() throws KeeperException, InterruptedException;
    }

    FolderCache(String base) {
        this.base = base;
    }

    /** Returns a record, from memory or by a request. */
    Optional<SharedFolder.Entry> entry(ZooKeeper zooKeeper, String path, Load<Optional<SharedFolder.Entry>> load)
            throws KeeperException, InterruptedException {
        watch(zooKeeper);
        long before;
        synchronized (this) {
            Kept<SharedFolder.Entry> kept = entries.get(path);
            if (kept != null) {
                return kept.value();
            }
            before = changes;
        }
        Optional<SharedFolder.Entry> loaded = load.load();
        synchronized (this) {
            if (isConnected && before == changes) {
                Kept<SharedFolder.Entry> other = entries.put(path, new Kept<>(loaded));
                bytes += size(loaded) - (other == null ? 0 : size(other.value()));
                trim();
            }
        }
        return loaded;
    }

    /** Returns the names in a folder, from memory or by a request. */
    List<String> names(ZooKeeper zooKeeper, String path, Load<List<String>> load)
            throws KeeperException, InterruptedException {
        watch(zooKeeper);
        long before;
        synchronized (this) {
            List<String> kept = folders.get(path);
            if (kept != null) {
                return kept;
            }
            before = changes;
        }
        List<String> loaded = List.copyOf(load.load());
        synchronized (this) {
            if (isConnected && before == changes) {
                List<String> other = folders.put(path, loaded);
                bytes += size(loaded) - (other == null ? 0 : size(other));
                trim();
            }
        }
        return loaded;
    }

    /** Forgets a record written by the own process: the watch may report the change later than the answer. */
    synchronized void forget(String path) {
        changes++;
        drop(path);
        drop(path.substring(0, path.lastIndexOf('/')));
    }

    private void watch(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
        synchronized (this) {
            if (watched.filter(zooKeeper::equals).isPresent()) {
                return;
            }
            clear();
        }
        zooKeeper.addWatch(base, watcher, AddWatchMode.PERSISTENT_RECURSIVE);
        synchronized (this) {
            watched = Optional.of(zooKeeper);
            isConnected = true;
        }
    }

    private synchronized void onEvent(WatchedEvent event) {
        changes++;
        if (event.getType() == EventType.None) {
            clear();
            isConnected = event.getState() == KeeperState.SyncConnected;
            if (event.getState() == KeeperState.Expired) {
                watched = Optional.empty();
            }
        } else if (event.getPath() != null) {
            drop(event.getPath());
            drop(event.getPath().substring(0, event.getPath().lastIndexOf('/')));
        }
    }

    private void drop(String path) {
        Kept<SharedFolder.Entry> entry = entries.remove(path);
        List<String> names = folders.remove(path);
        bytes -= (entry == null ? 0 : size(entry.value())) + (names == null ? 0 : size(names));
    }

    private void clear() {
        entries.clear();
        folders.clear();
        bytes = 0;
        changes++;
    }

    private void trim() {
        while (bytes > BYTES_MAX) {
            Iterator<String> oldest =
                    (entries.isEmpty() ? folders : entries).keySet().iterator();
            drop(oldest.next());
        }
    }

    private static long size(Optional<SharedFolder.Entry> entry) {
        return ANSWER_BYTES + entry.map(found -> found.data().length).orElse(0);
    }

    private static long size(List<String> names) {
        return ANSWER_BYTES + names.size() * ANSWER_BYTES;
    }
}
