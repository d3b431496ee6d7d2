package io.chimera.dataset.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AllowedHostsTest {
    @ParameterizedTest
    @CsvSource({
        "example.org, example.org, 80",
        "example.org, EXAMPLE.org, 443",
        "Example.ORG, example.org, 443",
        "example.org:8443, example.org, 8443",
        "*.example.org, data.example.org, 80",
        "*.example.org, a.b.example.org, 80",
        "*.example.org:8443, data.example.org, 8443",
        "127.0.0.1:9000, 127.0.0.1, 9000",
        "[::1], ::1, 80",
        "[::1], [::1], 80",
        "[::1]:9000, ::1, 9000",
        "[2001:DB8::7]:1094, 2001:db8::7, 1094"
    })
    void allowsWhatAPatternNames(String pattern, String host, int port) {
        assertThatCode(() -> new AllowedHosts(List.of("elsewhere.net", pattern)).check(host, port))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "*.example.org, evilexample.org, 80",
        "*.example.org, example.org, 80",
        "*.example.org, data.example.org.evil.net, 80",
        "example.org, data.example.org, 80",
        "example.org, example.org.evil.net, 80",
        "example.org, evilexample.org, 80",
        "example.org, example.org., 80",
        "example.org:80, example.org, 443",
        "example.org:80, example.org, 8080",
        "example.org:8080, example.org, 80",
        "example.org:80, example.org, 0",
        "*.example.org:80, data.example.org, 443",
        "127.0.0.1, 127.0.0.11, 80",
        "127.0.0.1:80, 127.0.0.1, 180",
        "127.0.0.1, 2130706433, 80",
        "[::1], ::11, 80",
        "[::1], ::, 1",
        "[::1]:9000, ::1, 80",
        "::1, :, 1",
        "[::1], ::ffff:127.0.0.1, 80",
        "*, example.org, 80",
        "*., example.org, 80"
    })
    void refusesTheRest(String pattern, String host, int port) {
        SourceException refusal =
                catchThrowableOfType(SourceException.class, () -> new AllowedHosts(List.of(pattern)).check(host, port));
        assertThat(refusal.fault()).isEqualTo(SourceFault.NOT_ALLOWED);
        assertThat(refusal).hasMessageContaining("datasets.allow").hasMessageContaining(":" + port);
        assertThat(refusal.fault().isRetryable()).isFalse();
    }

    @Test
    void anEmptyListAllowsNothing() {
        SourceException refusal =
                catchThrowableOfType(SourceException.class, () -> new AllowedHosts(List.of()).check("localhost", 80));
        assertThat(refusal.fault()).isEqualTo(SourceFault.NOT_ALLOWED);
    }
}
