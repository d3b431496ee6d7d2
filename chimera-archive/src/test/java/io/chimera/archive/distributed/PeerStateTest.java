package io.chimera.archive.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.distributed.Parcel.Reply;
import io.chimera.archive.distributed.SpanCatalog.Late;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PeerStateTest {
    private static final long PLACE = 77;

    private final PeerState peer =
            new PeerState(new ArchiveMember("a", 1, "a:1", new ArchiveMember.IndexFormat(60, 0), 0), 0);

    @BeforeEach
    void begin() {
        answer(parcel(0));
    }

    @Test
    void keepsTheVoidOfASpanThatWasTakenBackAgainWhileTheFirstWasUnderWay() {
        peer.takeBack(new Late(List.of(5L, 6L), false), 1);
        Parcel first = parcel(1);
        peer.takeBack(new Late(List.of(5L), false), 2);
        answer(first);
        assertThat(peer.voids()).containsExactly(5L);

        answer(parcel(2));
        assertThat(peer.voids()).isEmpty();
    }

    @Test
    void beginsAnewWhereSpansAreTakenBackThatAreNotKnownAnyMore() {
        peer.takeBack(new Late(List.of(5L), false), 1);
        assertThat(peer.incarnation()).isEqualTo(PLACE);

        Parcel first = parcel(1);
        peer.takeBack(new Late(List.of(), true), 2);
        assertThat(peer.incarnation()).isZero();
        answer(first);
        assertThat(peer.incarnation())
                .as("what is under way is to the old place")
                .isZero();
    }

    private Parcel parcel(long generation) {
        return new Parcel(
                9, 60, peer.incarnation(), peer.next(), generation, List.of(), List.copyOf(peer.voids()), List.of());
    }

    private void answer(Parcel parcel) {
        peer.answered(parcel, new Reply(PLACE, parcel.sequence(), Long.MIN_VALUE), 0);
    }
}
