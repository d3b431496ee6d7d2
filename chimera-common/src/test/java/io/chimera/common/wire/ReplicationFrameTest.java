package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class ReplicationFrameTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);

    private int type(int written, long stream, long seq, int length) {
        ReplicationFrame.encode(buffer, 8, written, stream, seq);
        return ReplicationFrame.type(buffer, 8, length);
    }

    @Test
    void readsWhatWasWritten() {
        for (int type = ReplicationFrame.SUBSCRIBE; type <= ReplicationFrame.GAP; type++) {
            assertThat(type(type, -5, 77, ReplicationFrame.LENGTH)).isEqualTo(type);
            assertThat(ReplicationFrame.stream(buffer, 8)).isEqualTo(-5);
            assertThat(ReplicationFrame.seq(buffer, 8)).isEqualTo(77);
        }
    }

    @Test
    void refusesWhatIsNone() {
        assertThat(type(ReplicationFrame.POSITION, 1, 1, ReplicationFrame.LENGTH - 1))
                .isZero();
        assertThat(type(ReplicationFrame.POSITION, 1, 1, ReplicationFrame.LENGTH + 1))
                .isZero();
        assertThat(type(ReplicationFrame.POSITION, 0, 1, ReplicationFrame.LENGTH))
                .isZero();
        assertThat(type(ReplicationFrame.POSITION, 1, -1, ReplicationFrame.LENGTH))
                .isZero();
        assertThat(type(0, 1, 1, ReplicationFrame.LENGTH)).isZero();
        assertThat(type(PartFrame.NEED, 1, 1, ReplicationFrame.LENGTH)).isZero();
        assertThat(type(10, 1, 1, ReplicationFrame.LENGTH)).isZero();
        assertThat(type(-1, 1, 1, ReplicationFrame.LENGTH)).isZero();
    }

    @Test
    void knowsABatchByItsLength() {
        assertThat(type(BatchLayout.HEADER_LENGTH, 1, 1, 40)).isEqualTo(ReplicationFrame.BATCH);
        assertThat(type(BatchLayout.LENGTH_MAX, 1, 1, 40)).isEqualTo(ReplicationFrame.BATCH);
    }

    @Test
    void helloIsToldFromTheOthers() {
        Hello hello = Hello.of(3, "c");
        hello.encode(buffer, 8);
        assertThat(ReplicationFrame.type(buffer, 8, hello.length())).isEqualTo(ReplicationFrame.HELLO);
    }
}
