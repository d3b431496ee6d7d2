package io.chimera.bench.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.datasets.event.EventParserType;
import org.junit.jupiter.api.Test;

final class ComputePassesTest {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    @Test
    void allCoresTogetherComputeForTheWishedTime() {
        assertThat(ComputePasses.of(ComputeLoad.EQUAL, 10, 1_000L * CORES, 1e-6))
                .isEqualTo(10_000);
        assertThat(ComputePasses.of(ComputeLoad.HEAVY, 10, 1_000L * CORES, 1e-6))
                .isEqualTo(50_000);
    }

    @Test
    void passesHaveBounds() {
        assertThat(ComputePasses.of(ComputeLoad.LIGHT, 1e-9, 1_000_000, 1)).isEqualTo(1);
        assertThat(ComputePasses.of(ComputeLoad.HEAVY, 1e9, 1, 1e-9)).isEqualTo(EventParserType.PASSES_MAX);
    }
}
