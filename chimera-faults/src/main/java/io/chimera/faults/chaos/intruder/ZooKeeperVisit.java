package io.chimera.faults.chaos.intruder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/** A connection of the intruder to a ZooKeeper server, with reads and writes of the cluster's znodes. */
final class ZooKeeperVisit {
    private static final int SESSION_MS = 4_000;
    private static final long CONNECT_MS = 2_000;
    private static final long LOOK_MS = 20;

    private final String cluster;
    private final String base;

    /**
     * Creates visits to the znodes of a cluster.
     *
     * @param cluster its name
     */
    ZooKeeperVisit(String cluster) {
        this.cluster = cluster;
        base = "/chimera/" + cluster;
    }

    private interface Act {
        void on(ZooKeeper client) throws KeeperException, InterruptedException;
    }

    /** Returns settings for plain text. */
    static ZKClientConfig plain() {
        return new ZKClientConfig();
    }

    /**
     * Returns settings for TLS.
     *
     * @param certificate of the intruder with its key
     * @param authority of the servers
     */
    static ZKClientConfig over(Path certificate, Path authority) {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        config.setProperty("zookeeper.ssl.keyStore.location", certificate.toString());
        config.setProperty("zookeeper.ssl.keyStore.type", "PEM");
        config.setProperty("zookeeper.ssl.trustStore.location", authority.toString());
        config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
        config.setProperty("zookeeper.ssl.hostnameVerification", "false");
        return config;
    }

    /**
     * Connects and tries to read and write the cluster's znodes.
     *
     * @param secret presented as the cluster's secret; empty for none
     */
    Outcome visit(AttackTarget target, ZKClientConfig config, Optional<String> secret) throws InterruptedException {
        try {
            ZooKeeper client = new ZooKeeper(target.host() + ":" + target.port(), SESSION_MS, event -> {}, config);
            try {
                long deadline = System.nanoTime() + CONNECT_MS * 1_000_000;
                while (!client.getState().isConnected()) {
                    if (System.nanoTime() - deadline > 0) {
                        return Outcome.REFUSED;
                    }
                    Thread.sleep(LOOK_MS);
                }
                secret.ifPresent(guess ->
                        client.addAuthInfo("digest", (cluster + ":" + guess).getBytes(StandardCharsets.UTF_8)));
                for (Act act : acts()) {
                    if (isAllowed(client, act)) {
                        return Outcome.SUCCEEDED;
                    }
                }
                return Outcome.REFUSED;
            } finally {
                client.close((int) CONNECT_MS);
            }
        } catch (IOException e) {
            return Outcome.REFUSED;
        }
    }

    private List<Act> acts() {
        byte[] data = "{}".getBytes(StandardCharsets.UTF_8);
        return List.of(
                client -> client.getData(base + "/low", false, null),
                client -> client.getChildren(base + "/queues", false),
                client -> client.create(base + "/group/intruder", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
                client -> client.create(base + "/cycles/999999999", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
                client -> client.create(base + "/intruder", data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
                client -> client.setData(base + "/epoch", data, -1),
                client -> client.setData(base + "/low", data, -1),
                client -> client.delete(base + "/low", -1),
                client -> client.setACL(base, Ids.OPEN_ACL_UNSAFE, -1));
    }

    private static boolean isAllowed(ZooKeeper client, Act act) throws InterruptedException {
        try {
            act.on(client);
            return true;
        } catch (KeeperException e) {
            return false;
        }
    }
}
