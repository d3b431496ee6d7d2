package io.chimera.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ControlMark;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

final class LostRegistrationTest {
    private final LostRegistration lost = new LostRegistration();
    private int syncs;
    private long nowNs = 1_000;

    @Test
    void isCertainOnlyAfterASyncAndAWait() {
        assertThat(look()).isFalse();
        nowNs += 2 * ControlMark.LAG_NS_MAX;
        assertThat(look()).as("the server may lag for longer").isFalse();
        assertThat(syncs).isEqualTo(1);

        lost.onSync(Code.OK);
        assertThat(look()).as("the view may not show the tree after the sync").isFalse();
        nowNs += ControlMark.LAG_NS_MAX - 1;
        assertThat(look()).isFalse();
        nowNs++;
        assertThat(look()).isTrue();
        assertThat(look()).isTrue();
    }

    @Test
    void repeatsASyncThatFailed() {
        look();
        lost.onSync(Code.CONNECTIONLOSS);
        look();

        assertThat(syncs).isEqualTo(2);
    }

    @Test
    void beginsAgainAfterAReset() {
        look();
        lost.onSync(Code.OK);
        look();
        lost.reset();
        nowNs += ControlMark.LAG_NS_MAX;

        assertThat(look()).isFalse();
        assertThat(syncs).isEqualTo(2);
    }

    private boolean look() {
        return lost.look(nowNs, () -> syncs++);
    }
}
