package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcessorLanesTest {
    @Test
    void aSentenceOfAllLanesNamesNone() {
        assertThat(ProcessorLanes.merge(List.of(List.of("joining"), List.of("joining"))))
                .containsExactly("joining");
        assertThat(ProcessorLanes.merge(List.of(List.of("joining")))).containsExactly("joining");
    }

    @Test
    void aSentenceOfSomeLanesNamesThem() {
        assertThat(ProcessorLanes.merge(List.of(List.of("a"), List.of("b", "a"), List.of(), List.of("b"))))
                .containsExactly("lanes 0, 1: a", "lanes 1, 3: b");
        assertThat(ProcessorLanes.merge(List.of(List.of(), List.of("joining")))).containsExactly("lane 1: joining");
    }
}
