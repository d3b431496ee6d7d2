package io.chimera.coordinator.zookeeper;

import static io.chimera.coordinator.zookeeper.AnnouncerState.ABSENT;
import static io.chimera.coordinator.zookeeper.AnnouncerState.ACCEPTED;
import static io.chimera.coordinator.zookeeper.AnnouncerState.ACQUIRING;
import static io.chimera.coordinator.zookeeper.AnnouncerState.SHOWN;
import static io.chimera.coordinator.zookeeper.AnnouncerState.WITHDRAWING;
import static io.chimera.coordinator.zookeeper.AnnouncerState.WITHDRAWN;
import static io.chimera.coordinator.zookeeper.AnnouncerState.WRITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class AnnouncerStateTest {
    @Test
    void followsTheLifeOfAnAnnouncement() {
        assertThat(ABSENT.to(ACQUIRING)
                        .to(ACCEPTED)
                        .to(SHOWN)
                        .to(WRITING)
                        .to(ACCEPTED)
                        .to(WITHDRAWING)
                        .to(WITHDRAWN))
                .isEqualTo(WITHDRAWN);
    }

    @ParameterizedTest
    @EnumSource(AnnouncerState.class)
    void isAbsentAfterABrokenLinkUnlessWithdrawn(AnnouncerState state) {
        if (state == WITHDRAWN) {
            assertThatThrownBy(() -> state.to(ABSENT)).isInstanceOf(IllegalStateException.class);
        } else {
            assertThat(state.to(ABSENT)).isEqualTo(ABSENT);
        }
    }

    @ParameterizedTest
    @EnumSource(AnnouncerState.class)
    void refusesAWriteWithoutAnAcceptedAnnouncement(AnnouncerState state) {
        if (state == ACCEPTED || state == SHOWN) {
            assertThat(state.to(WRITING).isPending()).isTrue();
        } else {
            assertThatThrownBy(() -> state.to(WRITING)).hasMessageContaining(state + " cannot become WRITING");
        }
    }

    @Test
    void holdsTheIdFromTheAcceptedCreationToTheEndOfTheWithdrawal() {
        assertThat(AnnouncerState.values())
                .filteredOn(AnnouncerState::isHeld)
                .containsExactly(ACCEPTED, SHOWN, WRITING, WITHDRAWING);
    }
}
