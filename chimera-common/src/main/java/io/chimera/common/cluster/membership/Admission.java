package io.chimera.common.cluster.membership;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.wire.Hello;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a connection may act for the queue node of its HELLO. A HELLO only claims a session: the session must
 * belong to a live queue node of the view, and on an authenticated connection the certificate must name the same node.
 * The check of the accepting end; {@link ExpectedPeer} is the check of the connecting end. Each connection has its own
 * instance; each instance is used by one thread.
 */
public final class Admission {
    /**
     * Maximum wait of a connection for its admission. A view lags by milliseconds. A silently broken connection is
     * detected within 10 s and may block its replacement until then.
     */
    public static final long WAIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final Hello self;
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
     * @param self HELLO of this node
     * @param nowNs time of the accept
     */
    public Admission(Hello self, long nowNs) {
        this.self = self;
        refuseAtNs = nowNs + WAIT_NS;
    }

    /**
     * Decides with the newest view.
     *
     * @param hello first frame of the other end; null for any other frame
     * @param certificate certificate of the other end; empty without TLS
     * @param older address of an open connection admitted earlier for the same session
     */
    public Verdict look(
            ClusterView view, Hello hello, Optional<PeerCertificate> certificate, Optional<String> older, long nowNs) {
        if (hello == null || !hello.fits(self)) {
            return refuse("its first frame is " + (hello == null ? "no HELLO of a Chimera node" : hello)
                    + ", but this node is " + self + "; check the cluster name and the version of both");
        }
        Verdict verdict = identify(view, hello.session(), certificate, nowNs);
        return verdict == Verdict.ADMIT && older.isPresent() ? isTaken(older.get(), nowNs) : verdict;
    }

    private Verdict identify(ClusterView view, long session, Optional<PeerCertificate> certificate, long nowNs) {
        String claimed = "session " + Long.toHexString(session);
        if (session == self.session()) {
            return refuse(claimed + " belongs to this node");
        }
        if (view.processor(session).isPresent()) {
            return refuse(claimed + " belongs to a processor, but only queue nodes may connect here");
        }
        Optional<QueueMember> member = view.queue(session);
        if (member.isEmpty()) {
            return waitOrRefuse("the cluster has no live queue node with " + claimed, nowNs);
        }
        NodeIdentity identity = new NodeIdentity(
                self.cluster(), NodeIdentity.QUEUE, member.get().id());
        return PeerCertificate.mismatch(certificate, identity).map(this::refuse).orElse(Verdict.ADMIT);
    }

    /** Waits for the end of another connection of the same session: the connection admitted first has priority. */
    private Verdict isTaken(String other, long nowNs) {
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
