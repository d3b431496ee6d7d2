package io.chimera.coordinator.zookeeper;

import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * Access lists of the znodes of a cluster: open to everyone, or limited to nodes with the cluster's secret. A tree
 * created without a secret stays open until it is secured. Until then nodes with the secret add their identity to the
 * access list of each znode they create, which shows that they will keep access afterwards. Any thread.
 */
public final class Access {
    /** Data of the cluster's base znode once the tree is limited to nodes. */
    static final byte[] SECURED = "{\"acl\":\"digest\"}".getBytes(StandardCharsets.UTF_8);

    /** Data of the base znode of an open tree. */
    static final byte[] OPEN = "{}".getBytes(StandardCharsets.UTF_8);

    /** ZooKeeper's scheme for users with passwords. */
    public static final String SCHEME = "digest";

    private static final ACL READABLE = new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE);

    private final String version;
    private final byte[] credentials;
    private final List<ACL> marked;
    private final List<ACL> closed;
    private final List<ACL> closedButReadable;
    private final List<ACL> shared;
    private volatile boolean isSecured;

    Access(ZooKeeperSettings settings) {
        version = new Znodes(settings).version();
        if (settings.secret().isEmpty()) {
            credentials = new byte[0];
            marked = Ids.OPEN_ACL_UNSAFE;
            closed = Ids.OPEN_ACL_UNSAFE;
            closedButReadable = Ids.OPEN_ACL_UNSAFE;
            shared = Ids.OPEN_ACL_UNSAFE;
            return;
        }
        String user = settings.cluster() + ":" + settings.secret();
        credentials = user.getBytes(StandardCharsets.UTF_8);
        ACL nodes = new ACL(Perms.ALL, new Id(SCHEME, digest(user)));
        marked = list(Ids.OPEN_ACL_UNSAFE.get(0), nodes);
        closed = list(nodes);
        closedButReadable = list(nodes, READABLE);
        shared = list(nodes, new ACL(Perms.READ | Perms.CREATE, Ids.ANYONE_ID_UNSAFE));
    }

    /** Returns an immutable list. ZooKeeper's client calls {@code contains(null)}, which {@link List#of} refuses. */
    private static List<ACL> list(ACL... entries) {
        return Collections.unmodifiableList(Arrays.asList(entries));
    }

    private static String digest(String user) {
        try {
            return DigestAuthenticationProvider.generateDigest(user);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK knows SHA-1.", e);
        }
    }

    /** Returns whether this process has the cluster's secret. */
    boolean hasSecret() {
        return credentials.length > 0;
    }

    /** Returns the credentials for ZooKeeper. */
    byte[] credentials() {
        return credentials.clone();
    }

    /** Updates the state from the data of the base znode. */
    void read(byte[] base) {
        isSecured = isSecured(base);
    }

    static boolean isSecured(byte[] base) {
        return base != null && new String(base, StandardCharsets.UTF_8).contains("\"digest\"");
    }

    /** Returns the data for a base znode created by this process. */
    byte[] initial() {
        isSecured = hasSecret();
        return isSecured ? SECURED : OPEN;
    }

    /** Returns the access list for a new znode. */
    List<ACL> of(String path) {
        if (!isSecured) {
            return marked;
        }
        return wanted(path);
    }

    /** Returns the access list of a znode in a secured tree. */
    List<ACL> wanted(String path) {
        return path.equals(version) ? closedButReadable : closed;
    }

    /** Returns the access list of the znodes above the base, which other clusters may share. */
    List<ACL> shared() {
        return shared;
    }

    /** Returns whether the creator of a znode with this access list has the secret. */
    boolean isMarked(List<ACL> list) {
        return list.containsAll(closed);
    }
}
