package io.chimera.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ClaimLogTest {
    private static final long EVERY_NS = 60;

    private final ClaimLog log = new ClaimLog(EVERY_NS);

    @Test
    void alternatingClaimantsCountOnceEachAndLogOncePerInterval() {
        int counted = 0;
        int logged = 0;
        for (long nowNs = 1_000; nowNs < 1_000 + 3 * EVERY_NS; nowNs++) {
            counted += log.isNewClaimant("session=" + nowNs % 2) ? 1 : 0;
            logged += log.isLogDue(nowNs) ? 1 : 0;
        }

        assertThat(counted).isEqualTo(2);
        assertThat(logged).isEqualTo(3);
    }

    @Test
    void logsTheFirstClaimAtAnyTime() {
        assertThat(log.isLogDue(Long.MIN_VALUE)).isTrue();
        assertThat(log.isLogDue(Long.MIN_VALUE + EVERY_NS - 1)).isFalse();
        assertThat(log.isLogDue(Long.MIN_VALUE + EVERY_NS)).isTrue();
    }

    @Test
    void remembersABoundedNumberOfClaimants() {
        for (int i = 0; i <= ClaimLog.CLAIMANTS_MAX; i++) {
            assertThat(log.isNewClaimant("session=" + i)).isTrue();
        }

        assertThat(log.isNewClaimant("session=1")).isFalse();
        assertThat(log.isNewClaimant("session=0")).as("evicted").isTrue();
    }
}
