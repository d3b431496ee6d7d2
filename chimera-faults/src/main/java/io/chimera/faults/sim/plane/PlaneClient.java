package io.chimera.faults.sim.plane;

import io.chimera.coordinator.zookeeper.TreeClient;
import io.chimera.faults.sim.plane.PlaneServers.Answer;
import io.chimera.faults.sim.plane.PlaneServers.Reading;
import io.chimera.faults.sim.plane.PlaneTree.Change;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.SetDataRequest;

/** Session with the {@link PlaneServers}. Blocking requests change the tree at once and add to the waiting time. */
final class PlaneClient implements TreeClient {
    private final PlaneServers servers;
    private final long session;
    private final int server;
    private final CpuMeter meter;
    private Runnable wake = () -> {};
    private Watcher watcher;
    private long writesUntilNs;
    private long deliveredNs;
    private long waitsUntilNs;

    /**
     * Creates a session.
     *
     * @param meter meter of this session's process, which does not count the work of the model
     */
    PlaneClient(PlaneServers servers, long session, int server, CpuMeter meter) {
        this.servers = servers;
        this.session = session;
        this.server = server;
        this.meter = meter;
    }

    /** Sets the action after each delivery. */
    void onDelivery(Runnable action) {
        wake = action;
    }

    int server() {
        return server;
    }

    /** Returns until when the process waits for blocking requests. */
    long waitsUntilNs() {
        return waitsUntilNs;
    }

    void writesUntil(long ns) {
        writesUntilNs = Math.max(writesUntilNs, ns);
    }

    /** Returns from when on a server answers the next read: after the earlier writes of the session. */
    long readableNs() {
        return writesUntilNs;
    }

    /** Delivers a message, after all earlier messages. */
    void deliver(long atNs, Runnable message) {
        deliveredNs = Math.max(deliveredNs, atNs);
        servers.time().at(deliveredNs, () -> {
            message.run();
            wake.run();
        });
    }

    void onEvent(Change change) {
        watcher.process(new WatchedEvent(change.type(), KeeperState.SyncConnected, change.path()));
    }

    @Override
    public void getData(String path, AsyncCallback.DataCallback reply) {
        modelled(() -> servers.read(
                this,
                data(path),
                answer -> reply.processResult(codeOf(answer).intValue(), path, null, answer.value(), answer.stat())));
    }

    @Override
    public void getChildren(String path, AsyncCallback.ChildrenCallback reply) {
        modelled(() -> servers.read(
                this,
                names(path),
                answer -> reply.processResult(codeOf(answer).intValue(), path, null, answer.value())));
    }

    @Override
    public void setData(String path, byte[] data, int version, AsyncCallback.StatCallback reply) {
        modelled(() -> servers.write(this, List.of(Op.setData(path, data, version)), data.length, code -> {
            Stat stat = new Stat();
            servers.tree().data(path, stat);
            reply.processResult(code.intValue(), path, null, stat);
        }));
    }

    @Override
    public void create(
            String path, byte[] data, List<ACL> access, CreateMode mode, AsyncCallback.StringCallback reply) {
        modelled(() -> servers.write(
                this,
                List.of(Op.create(path, data, access, mode)),
                data.length,
                code -> reply.processResult(code.intValue(), path, null, path)));
    }

    @Override
    public void sync(String path, AsyncCallback.VoidCallback reply) {
        modelled(() -> servers.read(this, names(path), answer -> reply.processResult(Code.OK.intValue(), path, null)));
    }

    @Override
    public void multi(List<Op> steps, AsyncCallback.MultiCallback reply) {
        modelled(() -> servers.write(
                this,
                List.copyOf(steps),
                bytesOf(steps),
                code -> reply.processResult(code.intValue(), "", null, List.of())));
    }

    @Override
    public void addWatch(String path, AddWatchMode mode, Watcher added, AsyncCallback.VoidCallback reply) {
        watcher = added;
        servers.watch(this, path, mode == AddWatchMode.PERSISTENT_RECURSIVE);
        servers.time().at(servers.time().nanoTime(), () -> reply.processResult(Code.OK.intValue(), path, null));
    }

    @Override
    public byte[] getData(String path, Stat stat) throws KeeperException {
        Answer<byte[]> answer = readNow(data(path));
        stat.setVersion(answer.stat().getVersion());
        return found(answer, path);
    }

    @Override
    public List<String> getChildren(String path) throws KeeperException {
        return found(readNow(names(path)), path);
    }

    @Override
    public boolean exists(String path) {
        return readNow(data(path)).value() != null;
    }

    @Override
    public void multi(List<Op> steps) throws KeeperException {
        List<Code> codes = new ArrayList<>();
        modelled(() -> waitsUntilNs = servers.writeNow(this, steps, bytesOf(steps), fromNs(), codes::add));
        if (codes.get(0) != Code.OK) {
            throw KeeperException.create(codes.get(0));
        }
    }

    @Override
    public long sessionId() {
        return session;
    }

    private long fromNs() {
        return Math.max(waitsUntilNs, servers.time().nanoTime());
    }

    private <T> Answer<T> readNow(Reading<T> reading) {
        List<Answer<T>> answers = new ArrayList<>();
        modelled(() -> answers.add(servers.readNow(reading)));
        Answer<T> answer = answers.get(0);
        waitsUntilNs = fromNs() + answer.waitNs();
        return answer;
    }

    private void modelled(Runnable work) {
        meter.pause();
        work.run();
        meter.proceed();
    }

    private static Reading<byte[]> data(String path) {
        return (tree, stat) -> {
            byte[] data = tree.data(path, stat);
            return new Answer<>(data, stat, data == null ? 0 : data.length);
        };
    }

    private static Reading<List<String>> names(String path) {
        return (tree, stat) -> {
            List<String> names = tree.children(path);
            long bytes = names == null
                    ? 0
                    : names.stream().mapToLong(name -> name.length() + 4L).sum();
            return new Answer<>(names, stat, bytes);
        };
    }

    private static Code codeOf(Answer<?> answer) {
        return answer.value() == null ? Code.NONODE : Code.OK;
    }

    private static <T> T found(Answer<T> answer, String path) throws KeeperException {
        if (answer.value() == null) {
            throw KeeperException.create(Code.NONODE, path);
        }
        return answer.value();
    }

    private static long bytesOf(List<Op> steps) {
        long bytes = 0;
        for (Op step : steps) {
            Object request = step.toRequestRecord();
            bytes += step.getPath().length();
            if (request instanceof CreateRequest create) {
                bytes += create.getData().length;
            } else if (request instanceof SetDataRequest set) {
                bytes += set.getData().length;
            }
        }
        return bytes;
    }
}
