package io.chimera.coordinator.zookeeper;

import java.util.List;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Requests of one ZooKeeper session, with the semantics of ZooKeeper's own client: replies and watch events arrive in
 * the order of the servers. {@link ServerClient} sends the requests to servers; a simulation answers the requests
 * itself.
 */
public interface TreeClient {
    /** Requests the content of a znode. */
    void getData(String path, AsyncCallback.DataCallback reply);

    /** Requests the names of the znodes in a folder. */
    void getChildren(String path, AsyncCallback.ChildrenCallback reply);

    /** Requests a change of a znode's content. */
    void setData(String path, byte[] data, int version, AsyncCallback.StatCallback reply);

    /** Requests a new znode. */
    void create(String path, byte[] data, List<ACL> access, CreateMode mode, AsyncCallback.StringCallback reply);

    /** Requests that the server of this session catches up with all writes that the servers have accepted. */
    void sync(String path, AsyncCallback.VoidCallback reply);

    /** Requests a transaction. */
    void multi(List<Op> steps, AsyncCallback.MultiCallback reply);

    /** Requests a watch that stays until the end of the session. */
    void addWatch(String path, AddWatchMode mode, Watcher watcher, AsyncCallback.VoidCallback reply);

    /** Returns the content of a znode. Blocks until the servers answer, like the methods below. */
    byte[] getData(String path, Stat stat) throws KeeperException, InterruptedException;

    /** Returns the names of the znodes in a folder. */
    List<String> getChildren(String path) throws KeeperException, InterruptedException;

    /** Returns whether a znode exists. */
    boolean exists(String path) throws KeeperException, InterruptedException;

    /** Executes a transaction. */
    void multi(List<Op> steps) throws KeeperException, InterruptedException;

    /** Returns the id of the session. */
    long sessionId();
}
