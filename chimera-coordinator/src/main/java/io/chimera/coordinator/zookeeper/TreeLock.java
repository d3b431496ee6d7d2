package io.chimera.coordinator.zookeeper;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Rewrites the access lists of an existing tree, so that only nodes with the cluster's secret can read and write it.
 * The data of the base znode informs running nodes first, so that znodes created in the meantime are closed already.
 * The tree is walked until no list is left to change. Safe to run again at any time. One thread.
 */
final class TreeLock {
    /** Maximum number of concurrent changes; ZooKeeper's multi does not support access lists. */
    private static final int BATCH = 100;

    /**
     * Maximum number of walks. An informed node may still have a pending request for an open znode: the second walk
     * finds this znode, the third walk finds none.
     */
    private static final int WALKS_MAX = 10;

    private final ZooKeeper zooKeeper;
    private final Znodes znodes;
    private final Access access;

    TreeLock(ZooKeeper zooKeeper, Znodes znodes, Access access) {
        this.zooKeeper = zooKeeper;
        this.znodes = znodes;
        this.access = access;
    }

    /** Result of a walk over the tree. */
    private record Walk(int count, List<String> open, Set<String> strangers) {}

    SecuredTree run(boolean isDryRun) throws KeeperException, InterruptedException {
        if (!access.hasSecret()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "coordinator.secret is not set. Give every node the same secret, e.g. the output of openssl rand"
                            + " -hex 32 in a file, restart the nodes one by one, then run this command again.");
        }
        Walk walk = walk();
        if (!walk.strangers.isEmpty()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "These members run without coordinator.secret and would be shut out: " + walk.strangers
                            + ". Set the secret on these members, restart them, then run this command again. Nothing"
                            + " was changed.");
        }
        int changed = walk.open.size();
        if (isDryRun) {
            return new SecuredTree(walk.count, changed, true);
        }
        zooKeeper.setData(znodes.base(), Access.SECURED, -1);
        for (int i = 0; !walk.open.isEmpty(); i++) {
            if (i == WALKS_MAX) {
                throw new ChimeraException(
                        Category.ERROR,
                        walk.open.size() + " znodes are still open after " + WALKS_MAX
                                + " attempts, e.g. " + walk.open.get(0)
                                + ". A process without the secret creates them: find and stop this process, then run"
                                + " this command again.");
            }
            change(walk.open);
            walk = walk();
        }
        return new SecuredTree(walk.count, changed, false);
    }

    private Walk walk() throws KeeperException, InterruptedException {
        int count = 0;
        List<String> open = new ArrayList<>();
        Set<String> strangers = new HashSet<>();
        Deque<String> paths = new ArrayDeque<>(List.of(znodes.base()));
        while (!paths.isEmpty()) {
            String path = paths.poll();
            try {
                Stat stat = new Stat();
                List<ACL> list = zooKeeper.getACL(path, stat);
                count++;
                if (!same(list, access.wanted(path))) {
                    open.add(path);
                }
                if (stat.getEphemeralOwner() != 0 && !access.isMarked(list)) {
                    strangers.add(path.substring(znodes.base().length() + 1));
                }
                for (String child : zooKeeper.getChildren(path, false)) {
                    paths.add(path + "/" + child);
                }
            } catch (KeeperException.NoNodeException e) {
                // deleted in the meantime
            }
        }
        return new Walk(count, open, strangers);
    }

    private static boolean same(List<ACL> one, List<ACL> other) {
        return new HashSet<>(one).equals(new HashSet<>(other));
    }

    private void change(List<String> paths) throws KeeperException, InterruptedException {
        for (int from = 0; from < paths.size(); from += BATCH) {
            List<String> batch = paths.subList(from, Math.min(paths.size(), from + BATCH));
            CountDownLatch done = new CountDownLatch(batch.size());
            AtomicReference<Code> failure = new AtomicReference<>();
            for (String path : batch) {
                zooKeeper.setACL(
                        path,
                        access.wanted(path),
                        -1,
                        (rc, asked, context, stat) -> {
                            if (rc != Code.OK.intValue() && rc != Code.NONODE.intValue()) {
                                failure.set(Code.get(rc));
                            }
                            done.countDown();
                        },
                        null);
            }
            done.await(); // the client answers every request, with a failure when the connection breaks
            if (failure.get() != null) {
                throw KeeperException.create(failure.get());
            }
        }
    }
}
