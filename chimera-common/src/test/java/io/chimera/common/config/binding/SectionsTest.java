package io.chimera.common.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.CycleConfig;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.config.InputConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SectionsTest {
    @Test
    void givesEachKeyItsDeclaredDefault() {
        CycleConfig cycle = Sections.of(CycleConfig.class, "in_flight", 2, "max_points", null);

        assertThat(cycle)
                .isEqualTo(new CycleConfig(
                        new CyclePeriod(Duration.ofSeconds(10)),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(30),
                        5_000_000L,
                        2,
                        Duration.ofMinutes(1)));
        assertThat(Sections.of(FlowConfig.class).tags()).isEqualTo(List.of(FlowColumn.PROTOCOL));
        assertThat(Sections.of(InputConfig.class).settings()).isEqualTo(Settings.NONE);
    }

    @Test
    void leavesAKeyWithoutDefaultAbsent() {
        assertThat(Sections.of(InputConfig.class).http()).isNull();
    }

    @Test
    void refusesUnknownKeysAndInvalidValues() {
        assertThatThrownBy(() -> Sections.of(CycleConfig.class, "inFlight", 2)).hasMessageContaining("in_flight");
        assertThatThrownBy(() -> Sections.of(CycleConfig.class, "in_flight", 17))
                .isInstanceOf(InvalidRecordException.class);
    }
}
