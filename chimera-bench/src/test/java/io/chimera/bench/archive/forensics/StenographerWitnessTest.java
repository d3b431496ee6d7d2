package io.chimera.bench.archive.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.query.Question;
import org.junit.jupiter.api.Test;

final class StenographerWitnessTest {
    @Test
    void asksForHostsAndPortsAndLeavesTheRestToTheFilter() {
        Question question = new Question(
                "src host 10.0.0.1 and dst host 10.0.0.2 and src port 1 and dst port 2 and tcp[tcpflags] == tcp-syn",
                "",
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                1);

        assertThat(StenographerWitness.question(question))
                .isEqualTo("host 10.0.0.1 and host 10.0.0.2 and port 1 and port 2");
    }

    @Test
    void leavesOutWhatStandsBehindNotAndWidensTimesToSeconds() {
        Question question =
                new Question("dst host 10.0.0.1 and not src port 25 and tcp", "", 90_500_000_000L, 91_000_000_000L, 1);

        assertThat(StenographerWitness.question(question))
                .isEqualTo("host 10.0.0.1 and after 1970-01-01T00:01:30Z and before 1970-01-01T00:01:32Z");
    }
}
