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
 * Who may read and write the znodes of a cluster: everybody, or only who knows the cluster's secret. A tree that was made
 * without a secret stays open until it is secured; until then nodes with the secret add their identity to the list of each
 * znode that they make, which shows that they will be able to go on afterwards. Any thread.
 */
final class Access {
    /** Data of the cluster's own znode once all below it is for nodes only. */
    static final byte[] SECURED = "{\"acl\":\"digest\"}".getBytes(StandardCharsets.UTF_8);

    /** The same of an open tree. */
    static final byte[] OPEN = "{}".getBytes(StandardCharsets.UTF_8);

    /** Scheme of ZooKeeper's users with passwords. */
    static final String SCHEME = "digest";

    private static final ACL READABLE = new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE);

    private final String version;
    private final byte[] credentials;
    private final List<ACL> marked;
    private final List<ACL> closed;
    private final List<ACL> closedButReadable;
    private final List<ACL> shared;
    private volatile boolean isSecured;

    /** Access to a cluster. */
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

    /** Whether this process knows the cluster's secret. */
    boolean hasSecret() {
        return credentials.length > 0;
    }

    /** What ZooKeeper is told of this process. */
    byte[] credentials() {
        return credentials.clone();
    }

    /** Takes note of the data of the cluster's own znode. */
    void read(byte[] base) {
        isSecured = isSecured(base);
    }

    static boolean isSecured(byte[] base) {
        return base != null && new String(base, StandardCharsets.UTF_8).contains("\"digest\"");
    }

    /** Data of the cluster's own znode where this process makes it. */
    byte[] initial() {
        isSecured = hasSecret();
        return isSecured ? SECURED : OPEN;
    }

    /** List of a znode that is made now. */
    List<ACL> of(String path) {
        if (!isSecured) {
            return marked;
        }
        return wanted(path);
    }

    /** List of a znode once the tree is secured. */
    List<ACL> wanted(String path) {
        return path.equals(version) ? closedButReadable : closed;
    }

    /** List of the znodes above the cluster's own, which other clusters may share. */
    List<ACL> shared() {
        return shared;
    }

    /** Whether who made a znode with this list knows the secret. */
    boolean isMarked(List<ACL> list) {
        return list.containsAll(closed);
    }
}
