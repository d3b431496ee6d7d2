package io.chimera.coordinator.zookeeper;

import java.util.List;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** Sends requests to ZooKeeper's servers. Any thread. */
record ServerClient(ZooKeeper zooKeeper) implements TreeClient {
    @Override
    public void getData(String path, AsyncCallback.DataCallback reply) {
        zooKeeper.getData(path, false, reply, null);
    }

    @Override
    public void getChildren(String path, AsyncCallback.ChildrenCallback reply) {
        zooKeeper.getChildren(path, false, reply, null);
    }

    @Override
    public void setData(String path, byte[] data, int version, AsyncCallback.StatCallback reply) {
        zooKeeper.setData(path, data, version, reply, null);
    }

    @Override
    public void create(
            String path, byte[] data, List<ACL> access, CreateMode mode, AsyncCallback.StringCallback reply) {
        zooKeeper.create(path, data, access, mode, reply, null);
    }

    @Override
    public void sync(String path, AsyncCallback.VoidCallback reply) {
        zooKeeper.sync(path, reply, null);
    }

    @Override
    public void multi(List<Op> steps, AsyncCallback.MultiCallback reply) {
        zooKeeper.multi(steps, reply, null);
    }

    @Override
    public void addWatch(String path, AddWatchMode mode, Watcher watcher, AsyncCallback.VoidCallback reply) {
        zooKeeper.addWatch(path, watcher, mode, reply, null);
    }

    @Override
    public byte[] getData(String path, Stat stat) throws KeeperException, InterruptedException {
        return zooKeeper.getData(path, false, stat);
    }

    @Override
    public List<String> getChildren(String path) throws KeeperException, InterruptedException {
        return zooKeeper.getChildren(path, false);
    }

    @Override
    public boolean exists(String path) throws KeeperException, InterruptedException {
        return zooKeeper.exists(path, false) != null;
    }

    @Override
    public void multi(List<Op> steps) throws KeeperException, InterruptedException {
        zooKeeper.multi(steps);
    }

    @Override
    public long sessionId() {
        return zooKeeper.getSessionId();
    }
}
