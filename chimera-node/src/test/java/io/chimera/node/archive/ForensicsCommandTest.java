package io.chimera.node.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.Invocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ForensicsCommandTest {
    @ParameterizedTest
    @CsvSource({"--times,0", "--times,-1", "--timeout,0s", "--timeout,100d"})
    void whatWouldAskNothingIsRefused(String option, String value) {
        Invocation invocation = Invocation.of("forensics", "10.0.0.1", "--http", "127.0.0.1:1", option, value);
        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.err()).contains(option);
    }
}
