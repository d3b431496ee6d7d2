package io.chimera.faults.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SuiteResultTest {
    private static final String EVENTS = """
            compiling
            {"Action":"start","Package":"p"}
            {"Action":"attr","Package":"p","Test":"TestA","Key":"rfcLevel","Value":"MUST"}
            {"Action":"attr","Package":"p","Test":"TestA/x_returns_204","Key":"rfcLevel","Value":"SHOULD"}
            {"Action":"output","Package":"p","Test":"TestA/x/me","Output":"    main_test.go:1: Response code from \\"me\\": 204\\n"}
            {"Action":"output","Package":"p","Test":"TestA/x_returns_204/me","Output":"Response code from \\"me\\": 400\\n"}
            {"Action":"output","Package":"p","Test":"TestA/x_returns_204/me","Output":"  Error: Not equal\\n"}
            {"Action":"pass","Package":"p","Test":"TestA/x/me"}
            {"Action":"fail","Package":"p","Test":"TestA/x_returns_204/me"}
            {"Action":"fail","Package":"p","Test":"TestA"}
            {"Action":"fail","Package":"p"}
            """;

    @Test
    void collectsTheCasesOfTheReceiver() {
        SuiteResult result = new SuiteResult("me");
        EVENTS.lines().forEach(result::add);

        assertThat(result.cases())
                .isEqualTo(List.of(
                        new SuiteResult.Case("TestA/x", "MUST", 204, "pass"),
                        new SuiteResult.Case("TestA/x_returns_204", "SHOULD", 400, "fail")));
        assertThat(result.failed()).isEqualTo(3);
        assertThat(result.failures()).contains("TestA/x_returns_204/me").contains("Not equal");
        assertThat(result.page("Title", "Text."))
                .contains("1 of 2 cases pass.")
                .contains("| TestA/x | MUST | 204 | pass |");
    }
}
