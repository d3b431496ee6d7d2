package io.chimera.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.chimera.common.identity.LaneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JournalGroupTest {
    @Test
    void hasAGroupForEachLane() {
        for (int lane = 0; lane <= LaneId.LANE_MAX; lane++) {
            JournalGroup group = JournalGroup.DEFAULT.lane(lane);
            assertThat(group.laneNumber()).isEqualTo(lane);
            assertThat(group.base()).isEqualTo(JournalGroup.DEFAULT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"main.64", "main.99", "main.0", "main.01", "main.100", "main.", "main.1.2"})
    void refusesTheGroupOfNoLane(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> new JournalGroup(name));
    }
}
