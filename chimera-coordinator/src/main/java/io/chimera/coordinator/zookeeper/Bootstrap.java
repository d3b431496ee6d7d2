package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;

/**
 * Checks that the cluster's znodes exist with a readable protocol version, and creates them for a new cluster. Used by
 * the agent's thread only.
 */
final class Bootstrap {
    /** Results of the check. */
    enum Outcome {
        READY,
        /** The tree has another protocol version; no write is permitted. */
        FOREIGN,
        /** The cluster's znodes require a secret that is not configured here. */
        LOCKED,
        FAILED
    }

    private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.UTF_8);

    private final ZooKeeperLink link;
    private final BiConsumer<Bootstrap, Outcome> outcome;
    private String found = "";
    private Code failure = Code.OK;

    Bootstrap(ZooKeeperLink link, BiConsumer<Bootstrap, Outcome> outcome) {
        this.link = link;
        this.outcome = outcome;
    }

    /** Returns the content of a foreign version znode, for the message. */
    String found() {
        return found;
    }

    /** Returns the error code of {@link Outcome#FAILED}. */
    Code failure() {
        return failure;
    }

    void start() {
        check(this::create);
    }

    private void check(Runnable whenMissing) {
        link.read(link.znodes().version(), (code, data, stat) -> {
            switch (code) {
                case OK -> ready(data);
                case NONODE -> whenMissing.run();
                default -> fail(code);
            }
        });
    }

    private void ready(byte[] version) {
        if (!isOurs(version)) {
            outcome.accept(this, Outcome.FOREIGN);
            return;
        }
        link.read(link.znodes().base(), (code, data, stat) -> {
            switch (code) {
                case OK -> {
                    link.access().read(data);
                    Znodes.LATER_FOLDERS.forEach(
                            name -> createFolder(link.znodes().folder(name)));
                    outcome.accept(this, Outcome.READY);
                }
                case NOAUTH -> outcome.accept(this, Outcome.LOCKED);
                default -> fail(code);
            }
        });
    }

    private void fail(Code code) {
        failure = code;
        outcome.accept(this, Outcome.FAILED);
    }

    private boolean isOurs(byte[] data) {
        try {
            int protocol = ZnodeCodec.protocol(data);
            found = "protocol " + protocol;
            return protocol >= ZnodeCodec.PROTOCOL_OF_ONE_GROUP && protocol <= ZnodeCodec.PROTOCOL;
        } catch (MalformedZnodeException e) {
            found = "unreadable content, " + e.getMessage();
            return false;
        }
    }

    /**
     * Creates all znodes. ZooKeeper replies in the order of the requests, so the version znode exists only after all
     * other znodes.
     */
    private void create() {
        Znodes znodes = link.znodes();
        parentsOf(znodes.base())
                .forEach(path -> create(path, EMPTY, link.access().shared()));
        create(znodes.base(), link.access().initial());
        Znodes.FOLDERS.forEach(name -> createFolder(znodes.folder(name)));
        create(znodes.epoch(), ZnodeCodec.conductor(""));
        // ZooKeeper never reuses session ids, so the id of this session identifies the tree
        create(znodes.low(), ZnodeCodec.encode(LowMark.begin(ZnodeCodec.hex(link.owner()))));
        create(znodes.replayed(), ZnodeCodec.encode(ReplayMark.NONE));
        create(znodes.version(), ZnodeCodec.version(ZnodeCodec.PROTOCOL_OF_ONE_GROUP));
        check(() -> outcome.accept(this, Outcome.FAILED));
    }

    private void createFolder(String path) {
        create(path, EMPTY);
    }

    /** Creates a znode. An existing znode stays unchanged, even if another node creates the znode at the same time. */
    private void create(String path, byte[] data) {
        create(path, data, link.access().of(path));
    }

    private void create(String path, byte[] data, List<ACL> list) {
        link.client().create(path, data, list, CreateMode.PERSISTENT, (rc, asked, context, made) -> {});
    }

    private static List<String> parentsOf(String path) {
        List<String> parents = new ArrayList<>();
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            parents.add(path.substring(0, slash));
        }
        return parents;
    }
}
