package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.binding.InvalidRecordException;
import io.chimera.common.config.binding.Sections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeConfigTest {
    /** The removal of node q would also remove a node with such an id. */
    @ParameterizedTest
    @ValueSource(strings = {"q.1", "q.63", "10.0.0.7"})
    void refusesTheIdOfALane(String id) {
        assertThatThrownBy(() -> Sections.of(NodeConfig.class, "id", id))
                .isInstanceOf(InvalidRecordException.class)
                .hasMessageContaining(id)
                .hasMessageContaining("lane");
    }

    @Test
    void permitsOtherDots() {
        assertThat(Sections.of(NodeConfig.class, "id", "q1.rack.example").id()).isEqualTo("q1.rack.example");
    }
}
