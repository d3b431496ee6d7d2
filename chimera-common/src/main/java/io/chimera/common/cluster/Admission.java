package io.chimera.common.cluster;

import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a connection may act for the queue node of its HELLO. A HELLO only claims a session: the session must
 * belong to a live queue node of the view, and on an authenticated connection the certificate must name the same node.
 * Each connection has its own instance; each instance is used by one thread.
 */
public final class Admission {
    /**
     * Maximum wait of a connection for its admission. A view lags by milliseconds. A silently broken connection is
     * detected within 10 s and may block its replacement until then.
     */
    public static final long WAIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final String cluster;
    private final long self;
    private final long refuseAtNs;
    private String reason = "no HELLO arrived in time";

    /** Decision about a connection. */
    public enum Verdict {
        /** The connection acts for the session. */
        ADMIT,
        /** Undecided: a later view may show the session. */
        WAIT,
        /** The connection must be closed; {@link #reason} has the reason. */
        REFUSE
    }

    /**
     * Creates the admission of a new connection.
     *
     * @param cluster name of the cluster
     * @param self session of this node
     * @param nowNs time of the accept
     */
    public Admission(String cluster, long self, long nowNs) {
        this.cluster = cluster;
        this.self = self;
        refuseAtNs = nowNs + WAIT_NS;
    }

    /**
     * Decides with the newest view.
     *
     * @param session session claimed by the HELLO
     * @param certificate certificate of the other end; empty without TLS
     */
    public Verdict look(ClusterView view, long session, Optional<PeerCertificate> certificate, long nowNs) {
        String claimed = "session " + Long.toHexString(session);
        if (session == self) {
            return refuse(claimed + " belongs to this node");
        }
        if (view.processor(session).isPresent()) {
            return refuse(claimed + " belongs to a processor, but only queue nodes may connect here");
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

    /** Waits for the end of another connection of the same session: the connection admitted first has priority. */
    public Verdict isTaken(String other, long nowNs) {
        return waitOrRefuse("the session already has an open connection from " + other + ", which has priority", nowNs);
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

    /** Reason of the refusal, phrased to complete "refused: …". */
    public String reason() {
        return reason;
    }
}
