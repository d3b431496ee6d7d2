package io.chimera.coordinator.zookeeper;

import io.chimera.common.security.Tls;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Name, location and security of a cluster in ZooKeeper.
 *
 * @param connect host:port of every ZooKeeper server, separated by commas; a path at the end (a chroot) precedes the
 *     root
 * @param root path of the clusters
 * @param cluster name of the cluster
 * @param sessionTimeout time after which a silent node counts as gone; the servers keep it within their own limits
 * @param secret shared secret of all nodes of the cluster; empty for znodes that are open to everyone
 * @param tls certificates of connections to ZooKeeper; empty for plain-text connections
 */
public record ZooKeeperSettings(
        String connect, String root, String cluster, Duration sessionTimeout, String secret, Optional<Tls> tls) {
    /** Default path of the clusters. */
    public static final String ROOT_DEFAULT = "/chimera";

    /**
     * Default session timeout: long enough for a garbage collection on a busy node, short enough that a dead node
     * delays one cycle only.
     */
    public static final Duration SESSION_TIMEOUT_DEFAULT = Duration.ofSeconds(4);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._-]+)*");

    /** Creates settings without a secret and without TLS. */
    public ZooKeeperSettings(String connect, String root, String cluster, Duration sessionTimeout) {
        this(connect, root, cluster, sessionTimeout, "", Optional.empty());
    }

    /** Checks the form, and moves a chroot from the servers to the root. */
    public ZooKeeperSettings {
        int chroot = connect.indexOf('/');
        if (chroot >= 0) {
            root = withoutTrailingSlash(connect.substring(chroot)) + root;
            connect = connect.substring(0, chroot);
        }
        root = withoutTrailingSlash(root);
        if (connect.isBlank()) {
            throw new IllegalArgumentException(
                    "coordinator.connect names no server; write host:port, separated by" + " commas");
        }
        if (!PATH.matcher(root).matches() || root.isEmpty()) {
            throw new IllegalArgumentException("coordinator.path must be a path like /chimera, not '" + root + "'");
        }
        checkName("cluster", cluster);
        if (sessionTimeout.toMillis() < 100 || sessionTimeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("coordinator.session_timeout must be at least 100ms");
        }
    }

    /** Returns the settings of the same cluster with other servers. */
    public ZooKeeperSettings at(String servers) {
        return new ZooKeeperSettings(servers, root, cluster, sessionTimeout, secret, tls);
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "ZooKeeperSettings[" + connect + root + "/" + cluster + "]";
    }

    /** Refuses a name that cannot name a znode. */
    static void checkName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of a " + what
                    + " must have 1 to 64 letters, digits, '.', '_' or '-' and begin with a letter or digit, unlike '"
                    + name + "'");
        }
    }

    private static String withoutTrailingSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
