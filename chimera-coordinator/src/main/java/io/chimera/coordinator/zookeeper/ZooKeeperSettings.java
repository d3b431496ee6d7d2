package io.chimera.coordinator.zookeeper;

import io.chimera.common.security.Tls;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which cluster, and where it is kept.
 *
 * @param connect host:port of every ZooKeeper server, by commas; a path behind them (a chroot) goes before the root
 * @param root path under which clusters are kept
 * @param cluster the cluster's name
 * @param sessionTimeout after which a node that went silent counts as gone; the servers hold it within their own limits
 * @param secret that all nodes of the cluster share; empty for znodes that everybody reads and writes
 * @param tls certificates of connections to ZooKeeper; empty for connections in the clear
 */
public record ZooKeeperSettings(
        String connect, String root, String cluster, Duration sessionTimeout, String secret, Optional<Tls> tls) {
    /** Where clusters are kept, unless configured. */
    public static final String ROOT_DEFAULT = "/chimera";

    /** Long enough for a collection of garbage on a busy node, short enough that a dead one holds up one cycle only. */
    public static final Duration SESSION_TIMEOUT_DEFAULT = Duration.ofSeconds(4);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._-]+)*");

    /** A cluster without a secret, over connections in the clear. */
    public ZooKeeperSettings(String connect, String root, String cluster, Duration sessionTimeout) {
        this(connect, root, cluster, sessionTimeout, "", Optional.empty());
    }

    /** Checks the form; moves a chroot from the servers to the root. */
    public ZooKeeperSettings {
        int chroot = connect.indexOf('/');
        if (chroot >= 0) {
            root = withoutTrailingSlash(connect.substring(chroot)) + root;
            connect = connect.substring(0, chroot);
        }
        root = withoutTrailingSlash(root);
        if (connect.isBlank()) {
            throw new IllegalArgumentException("coordinator.connect names no server; write host:port, by commas");
        }
        if (!PATH.matcher(root).matches() || root.isEmpty()) {
            throw new IllegalArgumentException("coordinator.path must be a path like /chimera, not '" + root + "'");
        }
        checkName("cluster", cluster);
        if (sessionTimeout.toMillis() < 100 || sessionTimeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("coordinator.session_timeout must be at least 100ms");
        }
    }

    /** The same cluster at other servers. */
    public ZooKeeperSettings at(String servers) {
        return new ZooKeeperSettings(servers, root, cluster, sessionTimeout, secret, tls);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "ZooKeeperSettings[" + connect + root + "/" + cluster + "]";
    }

    /** Refuses what cannot be a znode's name. */
    static void checkName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of a " + what
                    + " has 1 to 64 letters, digits, '.', '_' and '-' and begins with a letter or digit, unlike '"
                    + name + "'");
        }
    }

    private static String withoutTrailingSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
