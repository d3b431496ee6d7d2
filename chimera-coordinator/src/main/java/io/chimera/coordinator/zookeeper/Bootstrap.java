package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ReplayMark;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;

/**
 * Sees that the cluster's znodes are there and of a version that this node can read; makes them where the cluster is new.
 * The agent's thread.
 */
final class Bootstrap {
    /** What came of it. */
    enum Outcome {
        READY,
        /** Another protocol version: this node must not touch anything. */
        FOREIGN,
        /** The cluster's znodes are for nodes with its secret, which this node lacks. */
        LOCKED,
        FAILED
    }

    private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.UTF_8);

    private final Link link;
    private final BiConsumer<Bootstrap, Outcome> outcome;
    private String found = "";
    private Code failure = Code.OK;

    Bootstrap(Link link, BiConsumer<Bootstrap, Outcome> outcome) {
        this.link = link;
        this.outcome = outcome;
    }

    /** What the version znode says, for the message when it is foreign. */
    String found() {
        return found;
    }

    /** The answer of ZooKeeper that made the outcome {@link Outcome#FAILED}. */
    Code failure() {
        return failure;
    }

    void start() {
        check(this::create);
    }

    private void check(Runnable whenMissing) {
        link.zooKeeper()
                .getData(
                        link.znodes().version(),
                        false,
                        (rc, path, context, data, stat) -> link.reply(() -> {
                            if (rc == Code.OK.intValue()) {
                                ready(data);
                            } else if (rc == Code.NONODE.intValue()) {
                                whenMissing.run();
                            } else {
                                fail(rc);
                            }
                        }),
                        null);
    }

    private void ready(byte[] version) {
        if (!isOurs(version)) {
            outcome.accept(this, Outcome.FOREIGN);
            return;
        }
        link.zooKeeper()
                .getData(
                        link.znodes().base(),
                        false,
                        (rc, path, context, data, stat) -> link.reply(() -> {
                            if (rc == Code.OK.intValue()) {
                                link.access().read(data);
                                Znodes.LATER_FOLDERS.forEach(
                                        name -> createFolder(link.znodes().folder(name)));
                                outcome.accept(this, Outcome.READY);
                            } else if (rc == Code.NOAUTH.intValue()) {
                                outcome.accept(this, Outcome.LOCKED);
                            } else {
                                fail(rc);
                            }
                        }),
                        null);
    }

    private void fail(int rc) {
        failure = Code.get(rc);
        outcome.accept(this, Outcome.FAILED);
    }

    private boolean isOurs(byte[] data) {
        try {
            int protocol = ZnodeCodec.protocol(data);
            found = "protocol " + protocol;
            return protocol == ZnodeCodec.PROTOCOL;
        } catch (MalformedZnodeException e) {
            found = "something unreadable, " + e.getMessage();
            return false;
        }
    }

    /** Replies come in the order of the requests, so the version is there only when all else is. */
    private void create() {
        Znodes znodes = link.znodes();
        parentsOf(znodes.base())
                .forEach(path -> create(path, EMPTY, link.access().shared()));
        create(znodes.base(), link.access().initial());
        Znodes.FOLDERS.forEach(name -> createFolder(znodes.folder(name)));
        create(znodes.epoch(), ZnodeCodec.conductor(""));
        // ids of sessions are never used twice, so this names the tree
        create(znodes.low(), ZnodeCodec.encode(LowMark.begin(ZnodeCodec.hex(link.owner()))));
        create(znodes.replayed(), ReplayCodec.encode(ReplayMark.NONE));
        create(znodes.version(), ZnodeCodec.version());
        check(() -> outcome.accept(this, Outcome.FAILED));
    }

    private void createFolder(String path) {
        create(path, EMPTY);
    }

    /** What exists already, be it from another node at this moment, is left as it is. */
    private void create(String path, byte[] data) {
        create(path, data, link.access().of(path));
    }

    private void create(String path, byte[] data, List<ACL> list) {
        link.zooKeeper().create(path, data, list, CreateMode.PERSISTENT, (rc, asked, context, made) -> {}, null);
    }

    private static List<String> parentsOf(String path) {
        List<String> parents = new ArrayList<>();
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            parents.add(path.substring(0, slash));
        }
        return parents;
    }
}
