package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import org.junit.jupiter.api.Test;

final class LaneInputsTest {
    private final ManualClock clock = new ManualClock();
    private boolean isPortTaken = true;
    private int tries;
    private final LaneInputs inputs = new LaneInputs(1, this::bind, clock);

    private void bind() {
        tries++;
        if (isPortTaken) {
            throw new ChimeraException(Category.FATAL, "Port 1 is in use.");
        }
    }

    @Test
    void retriesWithGrowingDelaysUntilThePortIsFree() {
        inputs.open();
        assertThat(inputs.problem().orElseThrow()).contains("Port 1 is in use");
        for (int i = 0; i < 100; i++) {
            clock.advanceMs(300);
            inputs.open();
        }
        assertThat(tries).as("tries within 30 s").isBetween(5, 7);

        isPortTaken = false;
        clock.advanceMs(40_000);
        assertThat(inputs.open()).isTrue();
        assertThat(inputs.problem()).isEmpty();
    }

    @Test
    void opensOnce() {
        isPortTaken = false;
        assertThat(inputs.open()).isTrue();
        assertThat(inputs.open()).isFalse();
        assertThat(tries).isEqualTo(1);
    }
}
