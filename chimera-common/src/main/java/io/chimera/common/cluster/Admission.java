package io.chimera.common.cluster;

import io.chimera.common.security.NodeIdentity;
import io.chimera.common.security.PeerCertificate;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Decides which queue node a connection may speak for. A HELLO only claims a session: the session has to be that of a live
 * queue node in the view, and where the connection is authenticated its certificate has to name that node. One thread per
 * instance; an instance belongs to one connection.
 */
public final class Admission {
    /**
     * Longest time that a connection may wait to be admitted. A view lags by milliseconds, and a connection that broke in
     * silence is noticed within 10 s; until then it may stand in the way of the connection that replaces it.
     */
    public static final long WAIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final String cluster;
    private final long self;
    private final long refuseAtNs;
    private String reason = "it did not introduce itself";

    /** Result of one look at the view. */
    public enum Verdict {
        /** The connection speaks for the session. */
        ADMIT,
        /** The view may still show the session. */
        WAIT,
        /** The connection is to be closed; {@link #reason} says why. */
        REFUSE
    }

    /**
     * A connection that is not admitted yet.
     *
     * @param cluster name of the cluster
     * @param self session of this node
     * @param nowNs when the connection was accepted
     */
    public Admission(String cluster, long self, long nowNs) {
        this.cluster = cluster;
        this.self = self;
        refuseAtNs = nowNs + WAIT_NS;
    }

    /**
     * Looks at the newest view.
     *
     * @param session that the HELLO claims
     * @param certificate of the other end; empty without TLS
     */
    public Verdict look(ClusterView view, long session, Optional<PeerCertificate> certificate, long nowNs) {
        String claimed = "session " + Long.toHexString(session);
        if (session == self) {
            return refuse(claimed + " is that of this node");
        }
        if (view.processor(session).isPresent()) {
            return refuse(claimed + " is that of a processor, and only queue nodes connect here");
        }
        Optional<QueueMember> member = view.queue(session);
        if (member.isEmpty()) {
            return waitOrRefuse("the cluster has no live queue node with " + claimed, nowNs);
        }
        String id = member.get().id();
        if (certificate.isEmpty()) {
            return Verdict.ADMIT;
        }
        Optional<String> mismatch =
                PeerCertificate.mismatch(certificate, new NodeIdentity(cluster, NodeIdentity.QUEUE, id));
        return mismatch.isPresent() ? refuse(mismatch.get()) : Verdict.ADMIT;
    }

    /** Waits for another connection of the same session to end: the connection that was admitted first stays. */
    public Verdict isTaken(String other, long nowNs) {
        return waitOrRefuse("the session has an open connection from " + other + ", which stays", nowNs);
    }

    /** Waits for the first frame. */
    public Verdict hasNotSpoken(long nowNs) {
        return nowNs - refuseAtNs < 0 ? Verdict.WAIT : Verdict.REFUSE;
    }

    private Verdict waitOrRefuse(String why, long nowNs) {
        reason = why;
        return nowNs - refuseAtNs < 0 ? Verdict.WAIT : Verdict.REFUSE;
    }

    private Verdict refuse(String why) {
        reason = why;
        return Verdict.REFUSE;
    }

    /** Why the connection is not admitted, phrased to complete "refused: …". */
    public String reason() {
        return reason;
    }
}
