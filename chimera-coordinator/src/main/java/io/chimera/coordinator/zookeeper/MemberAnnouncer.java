package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains a member's announcement in ZooKeeper: two ephemeral znodes created in one transaction, the first with the
 * announced data and the second for the id, so that only the first of two processes with the same id is visible. Used
 * by the agent's thread, except {@link #announce} and {@link #withdraw}.
 */
final class MemberAnnouncer implements ZnodeReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(MemberAnnouncer.class);

    /**
     * Minimum time between writes. At most 20 writes/s per node: 100 nodes make 2,000 writes/s, a tenth of the capacity
     * of one ensemble.
     */
    private static final long WRITE_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * Time for an announcement to show in the view. Accepted writes show within ms; an announcement that is not visible
     * by then was deleted before the mirror read it.
     */
    private static final long SHOWN_WITHIN_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long REFUSED_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Interval at which a process that waits for an id reminds the holder. */
    private static final long CLAIM_NS = TimeUnit.SECONDS.toNanos(60);

    /** Time for which the holder shows a claim: two reminders, so that a waiting process never disappears. */
    private static final long CLAIM_SHOWN_NS = 2 * CLAIM_NS;

    private final Counters<ClusterCounter> counters;
    private volatile Announcement wanted;
    private volatile CountDownLatch withdrawn;
    private volatile String refusal = "";

    private boolean held;
    private boolean busy;
    private boolean seen;
    private byte[] written = {};
    private long heldSinceNs;
    private long notBeforeNs;
    private long nowNs;
    private long loggedHolder;
    private long claimedOf;
    private long claimAtNs;
    private final ClaimLog claims = new ClaimLog(CLAIM_NS);
    private long claimShownUntilNs;
    private volatile String claim = "";

    MemberAnnouncer(Counters<ClusterCounter> counters) {
        this.counters = counters;
    }

    /** Wanted content of the announcement. Immutable. */
    static final class Announcement {
        private final String role;
        private final String id;
        private final long session;
        private final String path;
        private final byte[] data;
        private final String registration;
        private final byte[] registered;
        private final Predicate<ClusterView> shown;

        /**
         * Creates an announcement.
         *
         * @param role role of the id: a queue node and a processor may have the same id
         * @param id id of the node
         * @param session session of the process
         * @param path path of the announcement's znode
         * @param data content of the announcement
         * @param registration path of the persistent znode that registers the node; empty for no registration
         * @param registered content of the registration
         * @param shown tests whether a view shows the announcement
         */
        Announcement(
                String role,
                String id,
                long session,
                String path,
                byte[] data,
                String registration,
                byte[] registered,
                Predicate<ClusterView> shown) {
            this.role = role;
            this.id = id;
            this.session = session;
            this.path = path;
            this.data = data;
            this.registration = registration;
            this.registered = registered;
            this.shown = shown;
        }
    }

    /** Replaces the wanted announcement. Any thread. */
    void announce(Announcement announcement) {
        wanted = announcement;
    }

    /** Withdraws the announcement. Any thread. */
    CountDownLatch withdraw() {
        CountDownLatch done = new CountDownLatch(1);
        withdrawn = done;
        return done;
    }

    /** Returns why another process keeps the id; empty when no process does. Any thread. */
    String refusal() {
        return refusal;
    }

    /** Returns which other process claims the id of this node; empty when no process does. Any thread. */
    String claim() {
        return claim;
    }

    @Override
    public int reconcile(ZooKeeperLink link, ClusterView view, long now) {
        Announcement announcement = wanted;
        nowNs = now;
        if (!claim.isEmpty() && (!held || now - claimShownUntilNs >= 0)) {
            claim = "";
        }
        if (busy) {
            return 0;
        }
        if (withdrawn != null) {
            return takeBack(link, announcement);
        }
        if (announcement == null) {
            return 0;
        }
        boolean shown = announcement.shown.test(view);
        if (held && !shown && (seen || now - heldSinceNs >= SHOWN_WITHIN_NS)) {
            held = false; // another process deleted the znode
        }
        seen = held && shown;
        if (now - notBeforeNs < 0) {
            return 0;
        }
        if (!held) {
            busy = true;
            acquire(link, announcement);
            return 1;
        }
        if (!Arrays.equals(written, announcement.data)) {
            busy = true;
            write(link, announcement);
            return 1;
        }
        return 0;
    }

    @Override
    public void onLinkBroken() {
        busy = false;
        held = false;
        seen = false;
    }

    private void acquire(ZooKeeperLink link, Announcement announcement) {
        if (announcement.registration.isEmpty()) {
            create(link, announcement, List.of());
            return;
        }
        link.zooKeeper()
                .create(
                        announcement.registration,
                        announcement.registered,
                        link.access().of(announcement.registration),
                        CreateMode.PERSISTENT,
                        (rc, path, context, made) -> link.reply(() -> {
                            if (rc == Code.OK.intValue() || rc == Code.NODEEXISTS.intValue()) {
                                create(link, announcement, List.of());
                            } else {
                                onFailure(rc);
                            }
                        }),
                        null);
    }

    private void create(ZooKeeperLink link, Announcement announcement, List<Op> before) {
        String holder = link.znodes().holder(announcement.role, announcement.id);
        List<Op> steps = new ArrayList<>(before);
        steps.add(ephemeral(link, holder, ZnodeCodec.holder(announcement.session)));
        steps.add(ephemeral(link, announcement.path, announcement.data));
        if (!announcement.registration.isEmpty()) {
            // An earlier start may have written the registration. The update follows the claim of the id, so that only
            // the holder of the id changes the registration.
            steps.add(Op.setData(announcement.registration, announcement.registered, -1));
        }
        link.zooKeeper()
                .multi(
                        steps,
                        (rc, path, context, results) -> link.reply(() -> {
                            if (rc == Code.OK.intValue()) {
                                onHeld(announcement);
                            } else if (rc == Code.NODEEXISTS.intValue()) {
                                lookAtHolder(link, announcement, holder);
                            } else {
                                onFailure(rc);
                            }
                        }),
                        null);
    }

    private static Op ephemeral(ZooKeeperLink link, String path, byte[] data) {
        return Op.create(path, data, link.access().of(path), CreateMode.EPHEMERAL);
    }

    private void lookAtHolder(ZooKeeperLink link, Announcement announcement, String holder) {
        link.zooKeeper()
                .getData(
                        holder,
                        false,
                        (rc, path, context, data, stat) -> link.reply(() -> {
                            if (rc != Code.OK.intValue()) {
                                onFailure(rc);
                            } else if (sessionOf(data) != announcement.session) {
                                onRefused(announcement, sessionOf(data));
                                claimFrom(link, announcement, sessionOf(data), stat.getVersion());
                            } else if (stat.getEphemeralOwner() == link.owner()) {
                                onHeld(announcement);
                                written = new byte[0]; // the announced content is unknown
                            } else {
                                // These znodes belong to an earlier ZooKeeper session of the same process, which
                                // returned before the servers expired the earlier session.
                                create(
                                        link,
                                        announcement,
                                        List.of(
                                                Op.delete(holder, stat.getVersion()),
                                                Op.delete(announcement.path, -1)));
                            }
                        }),
                        null);
    }

    /** Returns the session of a holder; 0 when the content is unreadable. */
    private static long sessionOf(byte[] holder) {
        try {
            return ZnodeCodec.session(holder);
        } catch (MalformedZnodeException e) {
            return 0;
        }
    }

    private void onHeld(Announcement announcement) {
        busy = false;
        heldSinceNs = held ? heldSinceNs : nowNs;
        held = true;
        written = announcement.data;
        refusal = "";
        notBeforeNs = nowNs + WRITE_EVERY_NS;
        counters.increment(ClusterCounter.ANNOUNCEMENTS);
    }

    private void onRefused(Announcement announcement, long holder) {
        busy = false;
        notBeforeNs = nowNs + REFUSED_RETRY_NS;
        refusal = "Another process (session " + ZnodeCodec.hex(holder) + ") already runs as the " + announcement.role
                + " node " + announcement.id + ". This process waits until the other one leaves or its session expires."
                + " If both are meant to run, give each its own node.id.";
        if (loggedHolder != holder) {
            loggedHolder = holder;
            counters.increment(ClusterCounter.IDS_REFUSED);
            LOG.error(refusal);
        }
    }

    /** Writes a claim for the process that holds the id. The next attempt does not wait for this write. */
    private void claimFrom(ZooKeeperLink link, Announcement announcement, long holder, int version) {
        if (holder == claimedOf && nowNs - claimAtNs < 0) {
            return;
        }
        claimedOf = holder;
        claimAtNs = nowNs + CLAIM_NS;
        try {
            link.zooKeeper()
                    .setData(
                            link.znodes().holder(announcement.role, announcement.id),
                            ZnodeCodec.claimed(holder, announcement.data),
                            version, // fails for a later holder
                            (rc, path, context, stat) -> {},
                            null);
        } catch (MalformedZnodeException e) {
            throw new IllegalStateException("An announcement of this node is malformed.", e);
        }
    }

    @Override
    public void onChange(ZooKeeperLink link, String path) {
        Announcement announcement = wanted;
        if (!held || announcement == null || !path.equals(link.znodes().holder(announcement.role, announcement.id))) {
            return;
        }
        link.zooKeeper()
                .getData(
                        path,
                        false,
                        (rc, asked, context, data, stat) -> link.reply(() -> {
                            if (rc == Code.OK.intValue() && sessionOf(data) == announcement.session) {
                                onClaim(announcement, data);
                            }
                        }),
                        null);
    }

    private void onClaim(Announcement announcement, byte[] data) {
        String claimant;
        try {
            claimant = ZnodeCodec.claim(data);
        } catch (MalformedZnodeException e) {
            LOG.debug("Unreadable claim.", e);
            return;
        }
        if (claimant.isEmpty()) {
            return;
        }
        claim = "Another process claims the id of this node and waits: role=" + announcement.role + " id="
                + announcement.id + " " + claimant
                + ". This node keeps the id. Stop the other process, or give it another node.id.";
        claimShownUntilNs = nowNs + CLAIM_SHOWN_NS;
        if (claims.isNewClaimant(claimant)) {
            counters.increment(ClusterCounter.IDS_CLAIMED);
        }
        if (claims.isLogDue(nowNs)) {
            LOG.warn(claim);
        }
    }

    private void write(ZooKeeperLink link, Announcement announcement) {
        link.zooKeeper()
                .setData(
                        announcement.path,
                        announcement.data,
                        -1,
                        (rc, path, context, stat) -> link.reply(() -> {
                            if (rc == Code.OK.intValue()) {
                                onHeld(announcement);
                            } else {
                                held = rc != Code.NONODE.intValue();
                                onFailure(rc);
                            }
                        }),
                        null);
    }

    private void onFailure(int rc) {
        busy = false;
        notBeforeNs = nowNs + RETRY_NS;
        counters.increment(ClusterCounter.WRITES_FAILED);
        LOG.debug("Announcement failed and is retried: {}.", Code.get(rc));
    }

    private int takeBack(ZooKeeperLink link, Announcement announcement) {
        if (!held) {
            withdrawn.countDown();
            return 0;
        }
        busy = true;
        link.zooKeeper()
                .multi(
                        List.of(
                                Op.delete(announcement.path, -1),
                                Op.delete(link.znodes().holder(announcement.role, announcement.id), -1)),
                        (rc, path, context, results) -> link.reply(() -> {
                            busy = false;
                            held = false; // if the deletion failed, the end of the session deletes the znodes
                        }),
                        null);
        return 1;
    }
}
