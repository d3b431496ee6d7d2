package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ReplayMark;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;

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
        FAILED
    }

    private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.UTF_8);

    private final Link link;
    private final BiConsumer<Bootstrap, Outcome> outcome;
    private String found = "";

    Bootstrap(Link link, BiConsumer<Bootstrap, Outcome> outcome) {
        this.link = link;
        this.outcome = outcome;
    }

    /** What the version znode says, for the message when it is foreign. */
    String found() {
        return found;
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
                                outcome.accept(this, Outcome.FAILED);
                            }
                        }),
                        null);
    }

    private void ready(byte[] version) {
        boolean isOurs = isOurs(version);
        if (isOurs) {
            Znodes.LATER_FOLDERS.forEach(name -> createFolder(link.znodes().folder(name)));
        }
        outcome.accept(this, isOurs ? Outcome.READY : Outcome.FOREIGN);
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
        parentsOf(znodes.base()).forEach(this::createFolder);
        createFolder(znodes.base());
        Znodes.FOLDERS.forEach(name -> createFolder(znodes.folder(name)));
        create(znodes.epoch(), ZnodeCodec.conductor(""));
        create(znodes.low(), ZnodeCodec.encode(LowMark.NONE));
        create(znodes.replayed(), ReplayCodec.encode(ReplayMark.NONE));
        create(znodes.version(), ZnodeCodec.version());
        check(() -> outcome.accept(this, Outcome.FAILED));
    }

    private void createFolder(String path) {
        create(path, EMPTY);
    }

    /** What exists already, be it from another node at this moment, is left as it is. */
    private void create(String path, byte[] data) {
        link.zooKeeper()
                .create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, (rc, asked, context, made) -> {}, null);
    }

    private static List<String> parentsOf(String path) {
        List<String> parents = new ArrayList<>();
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            parents.add(path.substring(0, slash));
        }
        return parents;
    }
}
