package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class PastFrameTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8 + PastFrame.LENGTH_MAX]);

    private static PastFrame.Request request(int... partitions) {
        BitSet wanted = new BitSet();
        for (int partition : partitions) {
            wanted.set(partition);
        }
        return new PastFrame.Request(-7, 3, -99, 2, new PastFrame.Cycles(11, 15, 600_000), wanted);
    }

    @Test
    void aRequestIsReadAsItWasWritten() {
        for (PastFrame.Request request :
                new PastFrame.Request[] {request(), request(0), request(63, 64), request(PastFrame.PARTITIONS_MAX - 1)
                }) {
            int length = PastFrame.encode(buffer, 8, request);

            assertThat(PastFrame.decode(buffer, 8, length)).isEqualTo(request);
        }
    }

    @Test
    void whatIsNoRequestIsNotRead() {
        int length = PastFrame.encode(buffer, 0, request(1, 70));

        assertThat(PastFrame.decode(buffer, 0, length - 8)).isNull();
        assertThat(PastFrame.decode(buffer, 0, length + 8)).isNull();
        assertThat(PastFrame.decode(buffer, 0, PartFrame.HEADER_LENGTH)).isNull();
    }
}
