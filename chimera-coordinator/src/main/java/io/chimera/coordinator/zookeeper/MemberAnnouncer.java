package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Content;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Member;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Standing;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains a member's announcement in ZooKeeper: two ephemeral znodes created in one transaction, the first with the
 * announced data and the second for the id, so that only the first of two processes with the same id is visible. {@link
 * AnnouncerState} has the table of the states. Used by the agent's thread, except {@link #announce} and {@link
 * #withdraw}.
 */
final class MemberAnnouncer implements ZnodeReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(MemberAnnouncer.class);

    /** Minimum time between writes: at most 20 writes/s per member. */
    private static final long WRITE_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * Minimum time between writes, per queue node of the cluster: all queue nodes together make at most 1,000 writes/s,
     * a twentieth of the capacity of one ensemble.
     */
    private static final long WRITE_EVERY_NS_PER_QUEUE = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Time for an announcement to show in the view. Accepted writes show within ms; an announcement that is not visible
     * by then was deleted before the mirror read it.
     */
    private static final long SHOWN_WITHIN_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long REFUSED_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final byte[] UNKNOWN = {};

    private final SessionAgent agent;
    private final Counters<ClusterCounter> counters;
    private final IdClaims claims;
    private final RegistrationCheck check;
    private volatile MemberAnnouncement wanted;
    private volatile CountDownLatch withdrawn;
    private volatile String refusal = "";

    private AnnouncerState state = AnnouncerState.ABSENT;
    private byte[] written = UNKNOWN;

    /** Content of the registration as far as this process knows. */
    private byte[] registered = UNKNOWN;

    /** The standing of the member as known to all members. */
    private Standing known = Standing.STAYS;

    /** Whether ZooKeeper has accepted an announcement of this process. */
    private boolean hasJoined;

    private long heldSinceNs;
    private long notBeforeNs;
    private long nowNs;
    private long loggedHolder;

    MemberAnnouncer(SessionAgent agent, Counters<ClusterCounter> counters) {
        this.agent = agent;
        this.counters = counters;
        claims = new IdClaims(counters);
        check = new RegistrationCheck(agent, () -> nowNs);
    }

    /** Replaces the wanted announcement. Any thread. */
    void announce(MemberAnnouncement announcement) {
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
        return claims.shown();
    }

    @Override
    public int reconcile(ZooKeeperLink link, ClusterView view, long now) {
        MemberAnnouncement announcement = wanted;
        nowNs = now;
        claims.look(state.isHeld(), now);
        if (state.isPending()) {
            return 0;
        }
        if (withdrawn != null) {
            return takeBack(link, announcement);
        }
        if (announcement == null) {
            return 0;
        }
        look(announcement.shown().test(view));
        if (now - notBeforeNs < 0) {
            return 0;
        }
        if (state == AnnouncerState.ABSENT) {
            if (isLeaving(announcement) && !hasJoined) {
                return 0; // nothing to leave: a node that was refused must not join in order to drain
            }
            become(AnnouncerState.ACQUIRING);
            acquire(link, announcement);
            return 1;
        }
        if (isRegistrationOld(announcement)) { // first, because the positions of a busy node change all the time
            become(AnnouncerState.WRITING);
            writeRegistration(link, announcement.registration().get());
            return 1;
        }
        if (!Arrays.equals(written, announcement.content().data())) {
            become(AnnouncerState.WRITING);
            if (announcement.content().standing() == known) {
                write(link, announcement.content());
            } else {
                writeStanding(link, announcement);
            }
            return 1;
        }
        return 0;
    }

    private static boolean isLeaving(MemberAnnouncement announcement) {
        return announcement.content().standing() == Standing.LEAVES;
    }

    /** Returns whether the registration must be written; a leaving node may have removed the registration. */
    private boolean isRegistrationOld(MemberAnnouncement announcement) {
        return announcement.registration().isPresent()
                && !isLeaving(announcement)
                && !Arrays.equals(registered, announcement.registration().get().data());
    }

    /** Writes a changed registration; a missing one was removed by an operator, and stays so. */
    private void writeRegistration(ZooKeeperLink link, Content registration) {
        link.write(registration.path(), registration.data(), ZooKeeperLink.ANY_VERSION, (code, stat) -> {
            if (code == Code.OK || code == Code.NONODE) {
                registered = registration.data();
                become(AnnouncerState.ACCEPTED);
            } else {
                onFailure(AnnouncerState.ACCEPTED, code);
            }
        });
    }

    @Override
    public void onLinkBroken() {
        check.reset();
        if (state != AnnouncerState.WITHDRAWN) {
            become(AnnouncerState.ABSENT);
        }
    }

    private void become(AnnouncerState next) {
        state = state.to(next);
    }

    /** Compares the state with a view: another process may have deleted the znode. */
    private void look(boolean isShown) {
        if (state == AnnouncerState.ACCEPTED && isShown) {
            become(AnnouncerState.SHOWN);
        } else if (!isShown
                && (state == AnnouncerState.SHOWN
                        || (state == AnnouncerState.ACCEPTED && nowNs - heldSinceNs >= SHOWN_WITHIN_NS))) {
            become(AnnouncerState.ABSENT);
        }
    }

    private void acquire(ZooKeeperLink link, MemberAnnouncement announcement) {
        if (announcement.upgrade().isEmpty()) {
            register(link, announcement);
            return;
        }
        new ProtocolSurvey(link, (code, older) -> {
                    if (code != Code.OK) {
                        onFailure(AnnouncerState.ABSENT, code);
                    } else if (older.isEmpty()) {
                        register(link, announcement);
                    } else {
                        refuse("The journal group of " + announcement.member().id() + " needs protocol "
                                + ZnodeCodec.PROTOCOL + ", and these processes run a release that does not know journal"
                                + " groups: " + String.join(", ", older) + ". This node waits. Upgrade these processes"
                                + " first, or remove queue.group here.");
                    }
                })
                .start();
    }

    private void register(ZooKeeperLink link, MemberAnnouncement announcement) {
        check.start(link, announcement, new RegistrationCheck.Outcome() {
            @Override
            public void admitted(RegistrationCheck.Permit permit) {
                create(link, announcement, permit, List.of());
            }

            @Override
            public void refused(String reason) {
                refuse(reason);
            }

            @Override
            public void refusedUnlessHeld(String reason) {
                refuseAfterHolder(link, announcement, reason);
            }

            @Override
            public void undecided() {
                become(AnnouncerState.ABSENT);
                notBeforeNs = nowNs + RETRY_NS;
            }

            @Override
            public void failed(Code code) {
                onFailure(AnnouncerState.ABSENT, code);
            }
        });
    }

    /**
     * Refuses a member for another process with the same id if there is one, otherwise for a reason. A holder that an
     * earlier ZooKeeper session of this process has left behind is no reason to announce the member.
     */
    private void refuseAfterHolder(ZooKeeperLink link, MemberAnnouncement announcement, String reason) {
        Member member = announcement.member();
        link.read(link.znodes().holder(member), (code, data, stat) -> {
            if (code == Code.OK && sessionOf(data) != member.session()) {
                onOtherHolder(link, announcement, data, stat);
            } else if (code == Code.OK || code == Code.NONODE) {
                refuse(reason);
            } else {
                onFailure(AnnouncerState.ABSENT, code);
            }
        });
    }

    /**
     * Announces a member with its registration.
     *
     * @param before removes the znodes of an earlier announcement
     */
    private void create(
            ZooKeeperLink link, MemberAnnouncement announcement, RegistrationCheck.Permit permit, List<Op> before) {
        Member member = announcement.member();
        Content content = announcement.content();
        List<Op> steps = new ArrayList<>(before);
        steps.addAll(permit.losses());
        steps.add(link.ephemeral(link.znodes().holder(member), ZnodeCodec.holder(member.session())));
        steps.add(link.ephemeral(content.path(), content.data()));
        // An earlier start may have written the registration. The update follows the claim of the id, so that only the
        // holder of the id changes the registration.
        announcement
                .registration()
                .ifPresent(registered -> steps.add(Op.setData(registered.path(), registered.data(), permit.version())));
        announcement
                .upgrade()
                .ifPresent(next -> steps.add(Op.setData(next.path(), next.data(), ZooKeeperLink.ANY_VERSION)));
        link.multi(steps, code -> {
            switch (code) {
                case OK -> {
                    known = content.standing();
                    registered = announcement.registration().map(Content::data).orElse(UNKNOWN);
                    onAccepted(content, content.data());
                }
                case NODEEXISTS -> lookAtHolder(link, announcement, permit);
                default -> onFailure(AnnouncerState.ABSENT, code);
            }
        });
    }

    private void lookAtHolder(ZooKeeperLink link, MemberAnnouncement announcement, RegistrationCheck.Permit permit) {
        link.read(link.znodes().holder(announcement.member()), (code, data, stat) -> {
            if (code == Code.OK) {
                onHolder(link, announcement, permit, data, stat);
            } else {
                onFailure(AnnouncerState.ABSENT, code);
            }
        });
    }

    private void onHolder(
            ZooKeeperLink link,
            MemberAnnouncement announcement,
            RegistrationCheck.Permit permit,
            byte[] data,
            Stat stat) {
        Member member = announcement.member();
        if (sessionOf(data) != member.session()) {
            onOtherHolder(link, announcement, data, stat);
        } else if (stat.getEphemeralOwner() == link.owner()) {
            known = Standing.STAYS;
            registered = UNKNOWN;
            onAccepted(announcement.content(), UNKNOWN);
        } else {
            // These znodes belong to an earlier ZooKeeper session of the same process, which returned before the
            // servers expired the earlier session.
            Op holderGone = Op.delete(link.znodes().holder(member), stat.getVersion());
            Op contentGone = Op.delete(announcement.content().path(), ZooKeeperLink.ANY_VERSION);
            create(link, announcement, permit, List.of(holderGone, contentGone));
        }
    }

    private void onOtherHolder(ZooKeeperLink link, MemberAnnouncement announcement, byte[] data, Stat stat) {
        onRefused(announcement.member(), sessionOf(data));
        claims.claim(link, announcement, data, stat.getVersion(), nowNs);
    }

    /** Returns the session of a holder; 0 when the content is unreadable. */
    private static long sessionOf(byte[] holder) {
        try {
            return ZnodeCodec.session(holder);
        } catch (MalformedZnodeException e) {
            return 0;
        }
    }

    /** Returns the minimum time between writes in a cluster of the given size. */
    static long writeEveryNs(ClusterView view) {
        return Math.max(WRITE_EVERY_NS, view.queues().size() * WRITE_EVERY_NS_PER_QUEUE);
    }

    private void onAccepted(Content content, byte[] data) {
        if (data == UNKNOWN) {
            agent.readOwn(content.path());
        } else {
            agent.announced(content.path(), data);
        }
        onWritten(data);
    }

    private void onWritten(byte[] data) {
        hasJoined = true;
        heldSinceNs = state == AnnouncerState.ACQUIRING ? nowNs : heldSinceNs;
        become(AnnouncerState.ACCEPTED);
        written = data;
        refusal = "";
        notBeforeNs = nowNs + writeEveryNs(agent.view());
        counters.increment(ClusterCounter.ANNOUNCEMENTS);
    }

    private void refuse(String reason) {
        become(AnnouncerState.ABSENT);
        notBeforeNs = nowNs + REFUSED_RETRY_NS;
        if (!reason.equals(refusal)) {
            LOG.error(reason);
        }
        refusal = reason;
    }

    private void onRefused(Member member, long holder) {
        become(AnnouncerState.ABSENT);
        notBeforeNs = nowNs + REFUSED_RETRY_NS;
        refusal = "Another process (session " + ZnodeCodec.hex(holder) + ") already runs as the " + member.role()
                + " node " + member.id() + ". This process waits until the other one leaves or its session expires."
                + " If both are meant to run, give each its own node.id.";
        if (loggedHolder != holder) {
            loggedHolder = holder;
            counters.increment(ClusterCounter.IDS_REFUSED);
            LOG.error(refusal);
        }
    }

    @Override
    public void onChange(ZooKeeperLink link, String path) {
        MemberAnnouncement announcement = wanted;
        if (!state.isHeld()
                || announcement == null
                || !path.equals(link.znodes().holder(announcement.member()))) {
            return;
        }
        link.read(path, (code, data, stat) -> {
            if (code == Code.OK && sessionOf(data) == announcement.member().session()) {
                claims.onHolder(announcement.member(), data, nowNs);
            }
        });
    }

    private void write(ZooKeeperLink link, Content content) {
        link.write(content.path(), content.data(), ZooKeeperLink.ANY_VERSION, (code, stat) -> {
            if (code == Code.OK) {
                onAccepted(content, content.data());
            } else {
                onFailure(code == Code.NONODE ? AnnouncerState.ABSENT : AnnouncerState.ACCEPTED, code);
            }
        });
    }

    /**
     * Writes a content with another standing, together with the znode of the id, which every member watches. This
     * process shows its own new standing only after it has read the standings that ZooKeeper accepted before: the watch
     * events of earlier changes arrive before the reply to this write, and replies keep the order of the requests.
     */
    private void writeStanding(ZooKeeperLink link, MemberAnnouncement announcement) {
        Member member = announcement.member();
        Content content = announcement.content();
        Op change = Op.setData(content.path(), content.data(), ZooKeeperLink.ANY_VERSION);
        Op notice = Op.setData(
                link.znodes().holder(member), ZnodeCodec.holder(member.session()), ZooKeeperLink.ANY_VERSION);
        link.multi(List.of(change, notice), code -> {
            if (code == Code.OK) {
                known = content.standing();
                agent.readOwn(content.path());
                onWritten(content.data());
            } else {
                onFailure(code == Code.NONODE ? AnnouncerState.ABSENT : AnnouncerState.ACCEPTED, code);
            }
        });
    }

    private void onFailure(AnnouncerState next, Code code) {
        become(next);
        notBeforeNs = nowNs + RETRY_NS;
        counters.increment(ClusterCounter.WRITES_FAILED);
        LOG.debug("Announcement failed and is retried: {}.", code);
    }

    private int takeBack(ZooKeeperLink link, MemberAnnouncement announcement) {
        if (!state.isHeld()) {
            endWithdrawal();
            return 0;
        }
        become(AnnouncerState.WITHDRAWING);
        Op contentGone = Op.delete(announcement.content().path(), ZooKeeperLink.ANY_VERSION);
        Op holderGone = Op.delete(link.znodes().holder(announcement.member()), ZooKeeperLink.ANY_VERSION);
        link.multi(List.of(contentGone, holderGone), code -> endWithdrawal());
        return 1;
    }

    private void endWithdrawal() {
        if (state != AnnouncerState.WITHDRAWN) {
            become(AnnouncerState.WITHDRAWN);
        }
        withdrawn.countDown();
    }
}
