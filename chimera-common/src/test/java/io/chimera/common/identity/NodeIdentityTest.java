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
    void tellsTheIdOfALaneFromTheIdOfANode() {
        for (int lane = 1; lane <= LaneId.LANE_MAX; lane++) {
            assertThat(LaneId.isOfLane(LaneId.of("q1", lane))).isTrue();
        }
        assertThat(LaneId.isOfLane("10.0.0.7")).isTrue();
        for (String id : new String[] {"q", "q1", "q-1", "q.a", "q.01", "q.1.example", "q.100", "10.0.0.7-queue"}) {
            assertThat(LaneId.isOfLane(id)).as(id).isFalse();
        }
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
