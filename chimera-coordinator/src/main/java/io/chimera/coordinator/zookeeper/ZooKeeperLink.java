package io.chimera.coordinator.zookeeper;

import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * A connection until its first failure. A request over a broken link is never answered: the outcome is unknown, and the
 * requester reads the state again over the next link. All replies run on the agent's thread.
 *
 * @param number number of the link in this process
 * @param client sends the requests
 * @param znodes paths of the znodes
 * @param access access lists of the znodes
 * @param agent runs the work of replies
 */
record ZooKeeperLink(int number, TreeClient client, Znodes znodes, Access access, SessionAgent agent) {
    /** Any version of a znode. */
    static final int ANY_VERSION = -1;

    /** Receives the content of a znode. */
    @FunctionalInterface
    interface DataReply {
        void on(Code code, byte[] data, Stat stat);
    }

    /** Runs the work of a reply on the agent's thread, unless the link has broken. Called by ZooKeeper's thread. */
    void reply(Runnable work) {
        agent.onReply(number, work);
    }

    /** Requests the content of a znode. */
    void read(String path, DataReply reply) {
        client.getData(path, (rc, asked, context, data, stat) -> reply(() -> reply.on(codeOf(rc), data, stat)));
    }

    /** Requests the names of the znodes in a folder. */
    void list(String folder, BiConsumer<Code, List<String>> reply) {
        client.getChildren(folder, (rc, asked, context, names) -> reply(() -> reply.accept(codeOf(rc), names)));
    }

    /** Requests a change of a znode's content. */
    void write(String path, byte[] data, int version, BiConsumer<Code, Stat> reply) {
        client.setData(path, data, version, (rc, asked, context, stat) -> reply(() -> reply.accept(codeOf(rc), stat)));
    }

    /** Requests a persistent znode. */
    void create(String path, byte[] data, Consumer<Code> reply) {
        client.create(
                path,
                data,
                access.of(path),
                CreateMode.PERSISTENT,
                (rc, asked, context, made) -> reply(() -> reply.accept(codeOf(rc))));
    }

    /** Requests that the server of this link catches up with all accepted writes. */
    void sync(String path, Consumer<Code> reply) {
        client.sync(path, (rc, asked, context) -> reply(() -> reply.accept(codeOf(rc))));
    }

    /** Requests a transaction. */
    void multi(List<Op> steps, Consumer<Code> reply) {
        client.multi(steps, (rc, asked, context, results) -> reply(() -> reply.accept(codeOf(rc))));
    }

    /** Returns the code of a reply; a code of a later release counts as a system error. */
    private static Code codeOf(int rc) {
        return Objects.requireNonNullElse(Code.get(rc), Code.SYSTEMERROR);
    }

    /** Returns the creation of a znode that ends with this ZooKeeper session. */
    Op ephemeral(String path, byte[] data) {
        return Op.create(path, data, access.of(path), CreateMode.EPHEMERAL);
    }

    Op persistent(String path, byte[] data) {
        return Op.create(path, data, access.of(path), CreateMode.PERSISTENT);
    }

    /** Returns the id of the ZooKeeper session, the owner of this node's ephemeral znodes. */
    long owner() {
        return client.sessionId();
    }
}
