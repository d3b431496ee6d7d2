package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LaneNamesTest {
    @Test
    void aSentenceOfAllLanesNamesNone() {
        assertThat(LaneNames.merge(List.of(List.of("joining"), List.of("joining"))))
                .containsExactly("joining");
        assertThat(LaneNames.merge(List.of(List.of("joining")))).containsExactly("joining");
    }

    @Test
    void aSentenceOfSomeLanesNamesThem() {
        assertThat(LaneNames.merge(List.of(List.of("a"), List.of("b", "a"), List.of(), List.of("b"))))
                .containsExactly("lanes 0, 1: a", "lanes 1, 3: b");
        assertThat(LaneNames.merge(List.of(List.of(), List.of("joining")))).containsExactly("lane 1: joining");
    }

    @Test
    void refusesAnIdTooLongForItsLanes() {
        String id = "q".repeat(63);

        assertThatCode(() -> LaneNames.check(id, 1, "queue.lanes")).doesNotThrowAnyException();
        assertThatThrownBy(() -> LaneNames.check(id, 2, "queue.lanes"))
                .hasMessageContaining("node.id")
                .hasMessageContaining("queue.lanes: 1");
    }
}
