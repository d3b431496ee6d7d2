package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LaneCoresTest {
    @Test
    void refusesListsForAnotherNumberOfLanes() {
        assertThatThrownBy(() -> LaneCores.check("q1", List.of("0", "1", "2"), 2, "queue.cpus"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("queue.cpus")
                .hasMessageContaining("2 lanes");
    }

    @Test
    void runsThePartsOfALane() {
        assertThat(LaneCores.check("q1", List.of(), 2, "queue.cpus").start(1, () -> 7))
                .isEqualTo(7);
    }

    @Test
    void warnsOfALaneWithoutItsCores() {
        LaneCores cores = LaneCores.check("q1", List.of("0", "4095"), 2, "queue.cpus");

        assertThat(cores.warnings()).anySatisfy(warning -> assertThat(warning).contains("q1.1", "4095"));
        assertThat(cores.start(1, () -> 7)).isEqualTo(7);
    }
}
