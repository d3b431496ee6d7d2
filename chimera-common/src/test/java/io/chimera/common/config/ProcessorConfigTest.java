package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.LaneCount;
import io.chimera.common.config.binding.Sections;
import org.junit.jupiter.api.Test;

final class ProcessorConfigTest {
    private static final JvmLimits LARGE = new JvmLimits(64, 64L << 30, 64L << 30);

    private static ProcessorConfig with(Object... keys) {
        return Sections.of(ProcessorConfig.class, keys);
    }

    @Test
    void autoFollowsTheJvmAndItsSmallerMemory() {
        assertThat(with().lanesIn(LARGE)).isEqualTo(16);
        assertThat(with().lanesIn(new JvmLimits(64, 64L << 30, 256L << 20))).isEqualTo(2);
        assertThat(with().lanesIn(new JvmLimits(4, 64L << 30, 64L << 30))).isEqualTo(1);
    }

    @Test
    void autoLeavesEachLaneTheMinimumOfEveryLimit() {
        assertThat(with("ring_slots", 4).lanesIn(LARGE)).isEqualTo(2);
        assertThat(with("max_groups", 31).lanesIn(LARGE)).isEqualTo(3);
        assertThat(with("max_bytes", ByteSize.ofMebibytes(64)).lanesIn(LARGE)).isEqualTo(4);
        assertThat(with("address", new Endpoint("h", 65_533)).lanesIn(LARGE)).isEqualTo(3);
    }

    @Test
    void refusesLimitsTooSmallForTheLanes() {
        LaneCount four = new LaneCount(4);

        assertThat(with("lanes", four, "ring_slots", 8, "max_groups", 32, "max_bytes", ByteSize.ofMebibytes(64))
                        .lanesIn(LARGE))
                .isEqualTo(4);
        assertThatThrownBy(() -> with("lanes", four, "ring_slots", 4)).hasMessageContaining("8 to 4096 for 4 lanes");
        assertThatThrownBy(() -> with("lanes", four, "max_groups", 31)).hasMessageContaining("max_groups");
        assertThatThrownBy(() -> with("lanes", four, "max_bytes", ByteSize.ofMebibytes(63)))
                .hasMessageContaining("64MiB to 1024TiB for 4 lanes");
        assertThatThrownBy(() -> with("lanes", four, "address", new Endpoint("h", 65_533)))
                .hasMessageContaining("below 65533");
    }

    @Test
    void lanesListenOnConsecutivePorts() {
        assertThat(with("address", new Endpoint("h", 9602)).address(3)).hasToString("h:9605");
        assertThat(with("address", new Endpoint("h", 0)).address(3)).hasToString("h:0");
    }
}
