package io.chimera.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ToolTest {
    @Test
    void oneThatIsMissingIsNamedWithTheRemedy() {
        assertThatThrownBy(() -> ProgramRun.require("no-such-tool"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-tool")
                .hasMessageContaining("scripts/setup --bench");
    }

    @Test
    void oneThatFailsIsQuotedWithoutItsStackTrace() throws Exception {
        List<String> command =
                List.of(ProgramRun.require("sh"), "-c", "echo no such thing; printf '\\tat a.b\\n'; exit 3");

        assertThatThrownBy(() -> ProgramRun.run(command)).hasMessageEndingWith("ended with 3: no such thing");
    }

    @Test
    void whatAProgramTakesIsToldByTheKernel() throws Exception {
        assertThat(ProgramRun.timed(0, List.of(ProgramRun.require("true"))).cpuSeconds())
                .isNotNegative();
    }
}
