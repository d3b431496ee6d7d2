package io.chimera.faults.chaos.machine;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import org.junit.jupiter.api.Test;

final class HostCommandTest {
    @Test
    void runsToTheEnd() {
        assertThatCode(() -> HostCommand.run("true")).doesNotThrowAnyException();
    }

    @Test
    void tellsWhatAFailedCommandPrinted() {
        assertThatThrownBy(() -> HostCommand.run("sh", "-c", "echo no such device >&2; exit 3"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("(3): no such device");
    }

    @Test
    void tellsWhichCommandIsMissing() {
        assertThatThrownBy(() -> HostCommand.run("/no/such/command"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("'/no/such/command' cannot be run");
    }
}
