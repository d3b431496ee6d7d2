package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void theEndOfAPartNamesThePartsOfItsGroup() {
        UnsafeBuffer end = end(3, 5);
        PastFrame.parts(end, 2, 3, 5);

        assertThat(PastFrame.firstPart(end)).isEqualTo(2);
        assertThat(PastFrame.partCount(end)).isEqualTo(3);
        assertThat(PastFrame.hasSoundParts(end, 5)).isTrue();
        assertThat(PastFrame.hasSoundParts(end, 4)).as("too many parts").isFalse();
    }

    @Test
    void theEndOfAPartOfOneGroupNamesAllParts() {
        UnsafeBuffer end = end(4, 5);
        PastFrame.parts(end, 0, 5, 5);

        assertThat(PastFrame.firstPart(end)).isZero();
        assertThat(PastFrame.partCount(end)).isEqualTo(5);
        assertThat(PastFrame.hasSoundParts(end, 5)).isTrue();
    }

    @Test
    void refusesPartsOutsideOfTheGroupOrTheCycle() {
        UnsafeBuffer otherGroup = end(1, 5);
        PastFrame.parts(otherGroup, 2, 3, 5);
        UnsafeBuffer beyond = end(4, 5);
        PastFrame.parts(beyond, 4, 2, 5);
        UnsafeBuffer none = end(0, 0);

        assertThat(PastFrame.hasSoundParts(otherGroup, 9)).isFalse();
        assertThat(PastFrame.hasSoundParts(beyond, 9)).isFalse();
        assertThat(PastFrame.hasSoundParts(none, 9)).isFalse();
        assertThat(PastFrame.hasSoundParts(end(0, -1), 9)).isFalse();
        assertThatThrownBy(() -> PastFrame.parts(beyond, 0, 1 << 16, 1 << 17))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static UnsafeBuffer end(int part, int parts) {
        UnsafeBuffer end = new UnsafeBuffer(new byte[PastFrame.END_LENGTH]);
        PartFrame.header(end, 0, PastFrame.PAST_END, new PartId(7, part, 0), 0, 1, 0, parts);
        return end;
    }

    @Test
    void whatIsNoRequestIsNotRead() {
        int length = PastFrame.encode(buffer, 0, request(1, 70));

        assertThat(PastFrame.decode(buffer, 0, length - 8)).isNull();
        assertThat(PastFrame.decode(buffer, 0, length + 8)).isNull();
        assertThat(PastFrame.decode(buffer, 0, PartFrame.HEADER_LENGTH)).isNull();
    }
}
