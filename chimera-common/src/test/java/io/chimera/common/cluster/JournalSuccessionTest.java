package io.chimera.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the relation of a journal to the registered one with the identity 8. */
final class JournalSuccessionTest {
    private static final JournalState REGISTERED = JournalState.of(8);

    @Test
    void tellsARestartFromALoss() {
        assertThat(succession(JournalState.registered(8, "h"))).isEqualTo(JournalSuccession.SAME);
        assertThat(JournalSuccession.SAME.isLoss()).isFalse();
        assertThat(succession(JournalState.registered(7, "h").replacing(List.of(6L, 8L))))
                .isEqualTo(JournalSuccession.DAMAGED);
        assertThat(JournalSuccession.DAMAGED.isLoss()).isTrue();
    }

    @Test
    void tellsANewFolderFromAnOldOne() {
        assertThat(succession(JournalState.of(7))).isEqualTo(JournalSuccession.NEW);
        assertThat(succession(JournalState.of(7).namedIn("h"))).isEqualTo(JournalSuccession.NEW);
        assertThat(succession(JournalState.registered(7, "h"))).isEqualTo(JournalSuccession.OUTDATED);
    }

    /** A recovery writes registrations without an identity. */
    @Test
    void tellsANewFolderFromARegisteredOneAlsoAfterARecovery() {
        assertThat(JournalSuccession.of(JournalState.of(7), JournalState.NONE)).isEqualTo(JournalSuccession.NEW);
        assertThat(JournalSuccession.of(JournalState.registered(7, "h"), JournalState.NONE))
                .isEqualTo(JournalSuccession.DAMAGED);
        assertThat(JournalSuccession.of(JournalState.of(7).namedIn("h"), JournalState.NONE))
                .isEqualTo(JournalSuccession.DAMAGED);
    }

    @Test
    void onlyANewFolderNeedsAProofOfTheEarlierOne() {
        assertThat(JournalSuccession.NEW.mayEndOnlyCopy(REGISTERED, 0)).isTrue();
        assertThat(JournalSuccession.NEW.mayEndOnlyCopy(REGISTERED.copiedAfter(2), 3))
                .isTrue();
        assertThat(JournalSuccession.NEW.mayEndOnlyCopy(REGISTERED.copiedAfter(3), 3))
                .isFalse();
        assertThat(JournalSuccession.DAMAGED.mayEndOnlyCopy(REGISTERED, 0)).isFalse();
        assertThat(JournalSuccession.SAME.mayEndOnlyCopy(REGISTERED, 0)).isFalse();
    }

    private static JournalSuccession succession(JournalState self) {
        return JournalSuccession.of(self, REGISTERED);
    }
}
