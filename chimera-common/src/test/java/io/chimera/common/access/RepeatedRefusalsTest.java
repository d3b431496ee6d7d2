package io.chimera.common.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.Counters;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

final class RepeatedRefusalsTest {
    private final RepeatedRefusals repeated = new RepeatedRefusals();
    private final InetAddress client = InetAddress.getLoopbackAddress();

    @Test
    void oneRefusalPerMinuteAndTargetIsReported() {
        ManualClock clock = new ManualClock();
        Counters<AccessCounter> counters = new Counters<>(AccessCounter.class);
        AccessControl access = new AccessControl(null, clock, counters, null);

        for (int i = 0; i < 600; i++) {
            access.refusedRepeatedly(AccessCounter.UNAUTHENTICATED, client, "zookeeper", "znode /a", "no secret");
            clock.advanceMs(100);
        }
        assertThat(counters.get(AccessCounter.UNAUTHENTICATED)).isEqualTo(1);

        access.refusedRepeatedly(AccessCounter.UNAUTHENTICATED, client, "zookeeper", "znode /a", "no secret");
        access.refusedRepeatedly(AccessCounter.UNAUTHENTICATED, client, "zookeeper", "znode /b", "no secret");
        access.refusedRepeatedly(AccessCounter.LOGINS_FAILED, client, "zookeeper", "znode /a", "secret differs");
        access.refusedRepeatedly(AccessCounter.UNAUTHENTICATED, null, "zookeeper", "znode /a", "no secret");
        assertThat(counters.get(AccessCounter.UNAUTHENTICATED)).isEqualTo(4);
        assertThat(counters.get(AccessCounter.LOGINS_FAILED)).isEqualTo(1);
    }

    @Test
    void theNumberAndTheSizeOfTheEntriesAreBounded() {
        for (int i = 0; i < 3 * RepeatedRefusals.ENTRIES_MAX; i++) {
            repeated.isDue(client, "znode /" + i, "no secret", i);
        }
        assertThat(repeated.size()).isEqualTo(RepeatedRefusals.ENTRIES_MAX);

        String prefix = "z".repeat(1_000_000);
        assertThat(repeated.isDue(client, prefix + "a", "no secret", 0)).isTrue();
        assertThat(repeated.isDue(client, prefix + "b", "no secret", 0)).isFalse();
    }

    @Test
    void aReportKeepsTheEntryAwayFromEviction() {
        repeated.isDue(client, "old", "no secret", 0);
        for (int i = 1; i < RepeatedRefusals.ENTRIES_MAX; i++) {
            repeated.isDue(client, "znode /" + i, "no secret", 1);
        }
        assertThat(repeated.isDue(client, "old", "no secret", RepeatedRefusals.PERIOD_NS))
                .isTrue();
        repeated.isDue(client, "one more", "no secret", RepeatedRefusals.PERIOD_NS);

        assertThat(repeated.isDue(client, "old", "no secret", RepeatedRefusals.PERIOD_NS + 1))
                .isFalse();
    }
}
