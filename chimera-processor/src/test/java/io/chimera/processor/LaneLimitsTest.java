package io.chimera.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.LaneCount;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LaneLimitsTest {
    private static final long MIB = 1 << 20;

    private final ProcessorConfig processor =
            Sections.of(ProcessorConfig.class, "address", new Endpoint("h", 9602), "lanes", new LaneCount(16));

    @Test
    void oneLaneHasTheLimitsOfTheProcessor() {
        assertThat(LaneLimits.of(processor, 1, 0)).isSameAs(processor);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 16})
    void lanesStayWithinTheLimitsOfTheProcessor(int count) {
        List<ProcessorConfig> lanes = new ArrayList<>();
        for (int lane = 0; lane < count; lane++) {
            lanes.add(LaneLimits.of(processor, 1000 * MIB, count, lane));
        }

        assertThat(lanes.stream().mapToLong(lane -> lane.maxBytes().bytes()).sum())
                .isBetween(1000 * MIB - count, 1000 * MIB);
        assertThat(lanes.stream().mapToInt(ProcessorConfig::maxGroups).sum())
                .isBetween(processor.maxGroups() - count, processor.maxGroups());
        assertThat(lanes.stream().mapToInt(ProcessorConfig::ringSlots).sum())
                .isBetween(processor.ringSlots() / 2, processor.ringSlots());
        assertThat(lanes).extracting(ProcessorConfig::warehouse).containsOnly(processor.warehouse());
        assertThat(lanes.stream().map(lane -> lane.address().port()).distinct()).hasSize(count);
    }

    @Test
    void refusesLanesWithoutEnoughMemory() {
        assertThat(LaneLimits.of(processor, 64 * MIB, 4, 0).maxBytes()).isEqualTo(ByteSize.ofMebibytes(16));
        assertThatThrownBy(() -> LaneLimits.of(processor, 63 * MIB, 4, 0))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("63MiB")
                .hasMessageContaining("processor.lanes: 3");
    }
}
