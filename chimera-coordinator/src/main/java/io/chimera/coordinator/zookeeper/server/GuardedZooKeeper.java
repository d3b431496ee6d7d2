package io.chimera.coordinator.zookeeper.server;

import io.chimera.common.access.AccessControl;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.coordinator.zookeeper.Access;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.jspecify.annotations.Nullable;

/**
 * Embedded server that reports denied access to znodes, once a minute for a client and a znode: ZooKeeper checks the
 * access for every request and for every event of a watch. Used by ZooKeeper's threads.
 */
final class GuardedZooKeeper extends ZooKeeperServer {
    private static final int BACKLOG_DEFAULT = -1;

    private final AccessControl access;

    GuardedZooKeeper(FileTxnSnapLog log, int tickMs, int sessionMsMin, int sessionMsMax, AccessControl access) {
        super(log, tickMs, sessionMsMin, sessionMsMax, BACKLOG_DEFAULT, null, "");
        this.access = access;
    }

    @Override
    public void checkACL(
            ServerCnxn client, List<ACL> list, int permission, @Nullable List<Id> ids, String path, List<ACL> set)
            throws NoAuthException {
        try {
            super.checkACL(client, list, permission, ids, path, set);
        } catch (NoAuthException e) {
            boolean isKnown =
                    ids != null && ids.stream().anyMatch(id -> id.getScheme().equals(Access.SCHEME));
            access.refusedRepeatedly(
                    isKnown ? AccessCounter.LOGINS_FAILED : AccessCounter.UNAUTHENTICATED,
                    addressOf(client),
                    "zookeeper",
                    "znode " + path,
                    isKnown ? "coordinator.secret differs" : "no coordinator.secret");
            throw e;
        }
    }

    private static @Nullable InetAddress addressOf(@Nullable ServerCnxn client) {
        InetSocketAddress address = client == null ? null : client.getRemoteSocketAddress();
        return address == null ? null : address.getAddress();
    }
}
