package io.chimera.queue.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SyncPaceTest {
    private final SyncPace pace = new SyncPace(100, 0);

    @Test
    void syncsOnceAnIntervalWhereSyncsTakeNoTime() {
        assertThat(pace.isDue(99)).isFalse();
        assertThat(pace.isDue(100)).isTrue();
        pace.synced(100, 100);
        assertThat(pace.isDue(199)).isFalse();
        assertThat(pace.isDue(200)).isTrue();
    }

    @Test
    void beginsEarlierByTheTimeThatTheLastOneTook() {
        pace.synced(100, 108);

        assertThat(pace.isDue(191)).isFalse();
        assertThat(pace.isDue(192)).isTrue();
    }

    @Test
    void forgetsASlowSyncLittleByLittle() {
        pace.synced(100, 140);
        pace.synced(160, 161);

        assertThat(pace.isDue(224)).isFalse();
        assertThat(pace.isDue(225)).isTrue();
    }

    @Test
    void leavesHalfOfTheIntervalHoweverSlowTheDiskIs() {
        pace.synced(100, 1_000);

        assertThat(pace.isDue(149)).isFalse();
        assertThat(pace.isDue(150)).isTrue();
    }
}
