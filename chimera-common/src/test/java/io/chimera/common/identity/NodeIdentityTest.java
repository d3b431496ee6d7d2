package io.chimera.common.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class NodeIdentityTest {
    private static final NodeIdentity NODE = new NodeIdentity("lab", NodeIdentity.PROCESSOR, "p1");

    private static NodeIdentity member(String id) {
        return new NodeIdentity("lab", NodeIdentity.PROCESSOR, id);
    }

    @Test
    void coversTheLanesOfTheNode() {
        assertThat(NODE.covers(member(LaneId.of("p1", 0)))).isTrue();
        assertThat(NODE.covers(member(LaneId.of("p1", 1)))).isTrue();
        assertThat(NODE.covers(member(LaneId.of("p1", 63)))).isTrue();
    }

    @Test
    void coversNoOtherNode() {
        for (String id : new String[] {"p", "p2", "p1.", "p1.0", "p1.x", "p1.1.1", "p1-1", "p1.100", "p11"}) {
            assertThat(NODE.covers(member(id))).as(id).isFalse();
        }
        assertThat(NODE.covers(new NodeIdentity("lab", NodeIdentity.QUEUE, "p1.1")))
                .isFalse();
        assertThat(NODE.covers(new NodeIdentity("other", NodeIdentity.PROCESSOR, "p1.1")))
                .isFalse();
        assertThat(member("p1.1").covers(NODE)).isFalse();
    }

    @Test
    void theCertificateOfANodeProvesItsLanes() {
        Optional<PeerCertificate> certificate =
                Optional.of(new PeerCertificate("CN=p1", List.of(NODE), List.of("p1.example")));

        assertThat(PeerCertificate.mismatch(certificate, NODE)).isEmpty();
        assertThat(PeerCertificate.mismatch(certificate, member("p1.2"))).isEmpty();
        assertThat(PeerCertificate.mismatch(certificate, member("p2.1")).orElse(""))
                .contains("chimera://lab/processor/p1", "chimera://lab/processor/p2.1");
    }
}
