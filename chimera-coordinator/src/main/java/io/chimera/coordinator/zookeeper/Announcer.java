package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
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
 * Keeps one member's announcement in ZooKeeper: two ephemeral znodes made in one step, one with what is announced and one
 * that stands for the id, so that of two processes of one id only the first is heard. The agent's thread, but for
 * {@link #announce} and {@link #withdraw}.
 */
final class Announcer implements Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    /** At most 20 writes a second from each node: 100 nodes make 2,000, a tenth of what one ensemble takes. */
    private static final long WRITE_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** What stands is seen within ms; what is not seen by then was deleted before anybody looked. */
    private static final long SHOWN_WITHIN_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long REFUSED_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A process that waits for an id reminds its holder at this pace. */
    private static final long CLAIM_NS = TimeUnit.SECONDS.toNanos(60);

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
    private String loggedClaim = "";
    private long logClaimAtNs;

    Announcer(Counters<ClusterCounter> counters) {
        this.counters = counters;
    }

    /** What is to stand; never changed. */
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
         * An announcement.
         *
         * @param role what the id belongs to: queue nodes and processors may bear the same
         * @param id the node's name
         * @param session of the process
         * @param path of its znode
         * @param data its content
         * @param registration path of a znode that stays, where the node is to be known from now on; empty: nowhere
         * @param registered its content
         * @param shown whether a view shows it
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

    /** Replaces what is to stand. Any thread. */
    void announce(Announcement announcement) {
        wanted = announcement;
    }

    /** Takes the announcement back. Any thread. */
    CountDownLatch withdraw() {
        CountDownLatch done = new CountDownLatch(1);
        withdrawn = done;
        return done;
    }

    /** Why the announcement does not stand; empty when it does or is on its way. Any thread. */
    String refusal() {
        return refusal;
    }

    @Override
    public int reconcile(Link link, ClusterView view, long now) {
        Announcement announcement = wanted;
        nowNs = now;
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
            held = false; // somebody deleted it
        }
        seen = held && shown;
        if (now - notBeforeNs < 0) {
            return 0;
        }
        if (!held) {
            busy = true;
            claim(link, announcement);
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

    private void claim(Link link, Announcement announcement) {
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

    private void create(Link link, Announcement announcement, List<Op> before) {
        String holder = link.znodes().holder(announcement.role, announcement.id);
        List<Op> steps = new ArrayList<>(before);
        steps.add(ephemeral(link, holder, ZnodeCodec.holder(announcement.session)));
        steps.add(ephemeral(link, announcement.path, announcement.data));
        if (!announcement.registration.isEmpty()) {
            // may be from an earlier start; behind the id, so that only who has that changes it
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

    private static Op ephemeral(Link link, String path, byte[] data) {
        return Op.create(path, data, link.access().of(path), CreateMode.EPHEMERAL);
    }

    private void lookAtHolder(Link link, Announcement announcement, String holder) {
        link.zooKeeper()
                .getData(
                        holder,
                        false,
                        (rc, path, context, data, stat) -> link.reply(() -> {
                            if (rc != Code.OK.intValue()) {
                                onFailure(rc);
                            } else if (sessionOf(data) != announcement.session) {
                                onRefused(announcement, sessionOf(data));
                                claim(link, announcement, sessionOf(data), stat.getVersion());
                            } else if (stat.getEphemeralOwner() == link.owner()) {
                                onHeld(announcement);
                                written = new byte[0]; // what it says is not known
                            } else {
                                // Left behind by this very process, which lost its session but came back before the
                                // servers noticed.
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

    /** 0 is nobody's. */
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
        refusal = "Another process (session " + ZnodeCodec.hex(holder) + ") is the " + announcement.role + " node "
                + announcement.id + ". This one waits until it has left or its session has expired. If both are meant"
                + " to run, give each an id of its own (node.id).";
        if (loggedHolder != holder) {
            loggedHolder = holder;
            counters.increment(ClusterCounter.IDS_REFUSED);
            LOG.error(refusal);
        }
    }

    /** Leaves a note for the process that holds the id. The next attempt does not wait for it. */
    private void claim(Link link, Announcement announcement, long holder, int version) {
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
                            version, // of this very holder
                            (rc, path, context, stat) -> {},
                            null);
        } catch (MalformedZnodeException e) {
            throw new IllegalStateException("An announcement of this node is malformed.", e);
        }
    }

    @Override
    public void onChange(Link link, String path) {
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
        String claim;
        try {
            claim = ZnodeCodec.claim(data);
        } catch (MalformedZnodeException e) {
            LOG.debug("A claim cannot be read.", e);
            return;
        }
        if (claim.isEmpty() || (claim.equals(loggedClaim) && nowNs - logClaimAtNs < 0)) {
            return;
        }
        loggedClaim = claim;
        logClaimAtNs = nowNs + CLAIM_NS / 2;
        counters.increment(ClusterCounter.IDS_CLAIMED);
        LOG.warn(
                "Another process claims the id of this node and waits: role={} id={} {}. This node keeps the id. Stop the"
                        + " other process, or give it another node.id.",
                announcement.role,
                announcement.id,
                claim);
    }

    private void write(Link link, Announcement announcement) {
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
        LOG.debug("Announcement failed: {}. It is tried again.", Code.get(rc));
    }

    private int takeBack(Link link, Announcement announcement) {
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
                            held = false; // where it failed the end of the session does it
                        }),
                        null);
        return 1;
    }
}
