package io.chimera.common.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.membership.Admission.Verdict;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.wire.Hello;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Admission of a connection for a session. */
final class AdmissionTest {
    private static final long SELF = 1;
    private static final long QUEUE = 2;
    private static final long PROCESSOR = 3;
    private static final ClusterView VIEW = new ClusterView(
            1,
            true,
            List.of(queue("q1", SELF), queue("q2", QUEUE)),
            List.of(new ProcessorMember("p1", PROCESSOR, "p1:1", "", "digest", false)),
            2,
            new TreeMap<>(),
            LowMark.NONE);

    private final Admission admission = new Admission(Hello.of(SELF, "cluster"), 0);

    private static QueueMember queue(String id, long session) {
        return new QueueMember(id, session, id + ":1", "", 7, "digest", Positions.NONE, Positions.NONE, false);
    }

    private Verdict look(long session, NodeIdentity identity, long nowNs) {
        Optional<PeerCertificate> certificate =
                Optional.ofNullable(identity).map(named -> new PeerCertificate("CN=x", List.of(named), List.of()));
        return admission.look(VIEW, Hello.of(session, "cluster"), certificate, Optional.empty(), nowNs);
    }

    private Verdict lookBesideAnother(long nowNs) {
        return admission.look(VIEW, Hello.of(QUEUE, "cluster"), Optional.empty(), Optional.of("host:1"), nowNs);
    }

    @Test
    void refusesAnotherClusterAnotherVersionAndAFrameThatIsNoHello() {
        for (Hello hello :
                new Hello[] {Hello.of(QUEUE, "other"), new Hello(QUEUE, Hello.PROTOCOL + 1, "cluster"), null}) {
            assertThat(admission.look(VIEW, hello, Optional.empty(), Optional.empty(), 0))
                    .isEqualTo(Verdict.REFUSE);
            assertThat(admission.reason()).contains("version");
        }
    }

    @Test
    void admitsAQueueNodeThatTheViewShows() {
        assertThat(look(QUEUE, null, 0)).isEqualTo(Verdict.ADMIT);
    }

    @Test
    void waitsForAnUnknownSessionAndRefusesItInTheEnd() {
        assertThat(look(9, null, 0)).isEqualTo(Verdict.WAIT);
        assertThat(look(9, null, Admission.WAIT_NS - 1)).isEqualTo(Verdict.WAIT);
        assertThat(look(9, null, Admission.WAIT_NS)).isEqualTo(Verdict.REFUSE);
        assertThat(admission.reason()).contains("session 9");
    }

    @Test
    void refusesAProcessorAndItselfAtOnce() {
        assertThat(look(PROCESSOR, null, 0)).isEqualTo(Verdict.REFUSE);
        assertThat(look(SELF, null, 0)).isEqualTo(Verdict.REFUSE);
    }

    @Test
    void refusesACertificateOfAnotherNodeRoleOrCluster() {
        assertThat(look(QUEUE, new NodeIdentity("cluster", NodeIdentity.QUEUE, "q2"), 0))
                .isEqualTo(Verdict.ADMIT);
        assertThat(look(QUEUE, new NodeIdentity("cluster", NodeIdentity.QUEUE, "q1"), 0))
                .isEqualTo(Verdict.REFUSE);
        assertThat(look(QUEUE, new NodeIdentity("cluster", NodeIdentity.PROCESSOR, "q2"), 0))
                .isEqualTo(Verdict.REFUSE);
        assertThat(look(QUEUE, new NodeIdentity("other", NodeIdentity.QUEUE, "q2"), 0))
                .isEqualTo(Verdict.REFUSE);
        assertThat(admission.reason()).contains("q2").contains("other");
    }

    @Test
    void letsTheOlderConnectionOfASessionStay() {
        assertThat(lookBesideAnother(0)).isEqualTo(Verdict.WAIT);
        assertThat(lookBesideAnother(Admission.WAIT_NS)).isEqualTo(Verdict.REFUSE);
        assertThat(admission.reason()).contains("host:1");
    }
}
