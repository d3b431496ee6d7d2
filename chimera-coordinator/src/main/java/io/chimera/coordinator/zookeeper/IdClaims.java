package io.chimera.coordinator.zookeeper;

import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Member;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges claims between processes with the same id, so that both logs name the conflict: a process that waits for
 * the id writes a claim to the holder's znode, and the holder shows the claim. Used by the agent's thread, except
 * {@link #shown}.
 */
final class IdClaims {
    private static final Logger LOG = LoggerFactory.getLogger(IdClaims.class);

    /** Interval at which a process that waits for an id reminds the holder. */
    private static final long CLAIM_NS = TimeUnit.SECONDS.toNanos(60);

    /** Time for which the holder shows a claim: two reminders, so that a waiting process never disappears. */
    private static final long CLAIM_SHOWN_NS = 2 * CLAIM_NS;

    private final Counters<ClusterCounter> counters;
    private final ClaimLog log = new ClaimLog(CLAIM_NS);
    private long claimedOf;
    private long claimAtNs;
    private long shownUntilNs;
    private volatile String shown = "";

    IdClaims(Counters<ClusterCounter> counters) {
        this.counters = counters;
    }

    /** Returns which other process claims the id of this node; empty when no process does. Any thread. */
    String shown() {
        return shown;
    }

    /** Hides a claim that is over, or was made while this process held the id. */
    void look(boolean isHolder, long nowNs) {
        if (!shown.isEmpty() && (!isHolder || nowNs - shownUntilNs >= 0)) {
            shown = "";
        }
    }

    /**
     * Writes a claim for the process that holds the id. The next attempt does not wait for this write.
     *
     * @param holder content of the holder's znode
     * @param version version of the holder's znode: the write fails for a later holder
     */
    void claim(ZooKeeperLink link, MemberAnnouncement announcement, byte[] holder, int version, long nowNs) {
        try {
            long session = ZnodeCodec.session(holder);
            if (session == claimedOf && nowNs - claimAtNs < 0) {
                return;
            }
            claimedOf = session;
            claimAtNs = nowNs + CLAIM_NS;
            byte[] claim = ZnodeCodec.claimed(holder, announcement.content().data());
            link.write(link.znodes().holder(announcement.member()), claim, version, (code, stat) -> {});
        } catch (MalformedZnodeException e) {
            LOG.debug("No claim is written for an unreadable holder.", e);
        }
    }

    /** Shows the claim in the znode of this holder, if any. */
    void onHolder(Member holder, byte[] data, long nowNs) {
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
        shown = "Another process claims the id of this node and waits: role=" + holder.role() + " id=" + holder.id()
                + " " + claimant + ". This node keeps the id. Stop the other process, or give it another node.id.";
        shownUntilNs = nowNs + CLAIM_SHOWN_NS;
        if (log.isNewClaimant(claimant)) {
            counters.increment(ClusterCounter.IDS_CLAIMED);
        }
        if (log.isLogDue(nowNs)) {
            LOG.warn(shown);
        }
    }
}
