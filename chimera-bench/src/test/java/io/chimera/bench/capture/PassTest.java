package io.chimera.bench.capture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PassTest {
    @Test
    void passesAreFoundInWhatAProcessSaid() {
        Pass pass = new Pass(new Counted(1, 2, 4), 3, 4);

        assertThat(Pass.all("a warning\n" + pass.line() + "\n" + pass.line() + "\n"))
                .containsExactly(pass, pass);
    }
}
