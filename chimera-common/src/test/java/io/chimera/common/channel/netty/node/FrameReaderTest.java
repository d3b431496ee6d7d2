package io.chimera.common.channel.netty.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Transport;
import io.chimera.common.channel.netty.NoLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
final class FrameReaderTest {
    private final List<String> taken = new ArrayList<>();
    private int refusals;
    private final FrameReader reader = new FrameReader(PooledByteBufAllocator.DEFAULT, this::take);

    private boolean take(int kind, DirectBuffer buffer, int offset, int length) {
        if (refusals > 0) {
            refusals--;
            return false;
        }
        taken.add(kind + ":" + buffer.getStringWithoutLengthAscii(offset, length));
        return true;
    }

    @AfterEach
    void close() {
        reader.close();
    }

    private FrameReader.Outcome read(byte[] bytes, int from, int to) {
        ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer(Math.max(1, to - from));
        try {
            in.writeBytes(bytes, from, to - from);
            FrameReader.Outcome outcome = reader.read(in);
            while (outcome == FrameReader.Outcome.REFUSED) {
                outcome = reader.read(in);
            }
            assertThat(outcome == FrameReader.Outcome.CONSUMED && in.isReadable())
                    .isFalse();
            return outcome;
        } finally {
            in.release();
        }
    }

    private static byte[] sequence() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(WireFrames.start());
        bytes.writeBytes(WireFrames.data("one".getBytes(StandardCharsets.US_ASCII)));
        bytes.writeBytes(WireFrames.ping());
        bytes.writeBytes(WireFrames.credit(0x41424344));
        bytes.writeBytes(WireFrames.data("x".repeat(300).getBytes(StandardCharsets.US_ASCII)));
        return bytes.toByteArray();
    }

    private void assertSequenceTaken() {
        assertThat(taken).hasSize(5);
        assertThat(taken.subList(1, 4)).containsExactly("0:one", "3:", "2:DCBA");
        assertThat(taken.get(4)).isEqualTo("0:" + "x".repeat(300));
    }

    @Test
    void readsFramesFromOneInput() {
        assertThat(read(sequence(), 0, sequence().length)).isEqualTo(FrameReader.Outcome.CONSUMED);
        assertSequenceTaken();
    }

    @Test
    void readsFramesByteByByte() {
        byte[] bytes = sequence();
        for (int i = 0; i < bytes.length; i++) {
            assertThat(read(bytes, i, i + 1)).isEqualTo(FrameReader.Outcome.CONSUMED);
        }
        assertSequenceTaken();
    }

    @Test
    void readsFramesHoweverTheyAreCutAndRefused() {
        byte[] bytes = sequence();
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            taken.clear();
            try (FrameReader other = new FrameReader(
                    PooledByteBufAllocator.DEFAULT,
                    (kind, buffer, offset, length) -> random.nextInt(3) > 0 && take(kind, buffer, offset, length))) {
                for (int from = 0; from < bytes.length; ) {
                    int to = Math.min(bytes.length, from + 1 + random.nextInt(200));
                    ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(bytes, from, to - from);
                    FrameReader.Outcome outcome = other.read(in);
                    while (outcome == FrameReader.Outcome.REFUSED) {
                        outcome = other.read(in);
                    }
                    in.release();
                    assertThat(outcome).as("seed %d", seed).isEqualTo(FrameReader.Outcome.CONSUMED);
                    from = to;
                }
            }
            assertSequenceTaken();
        }
    }

    @Test
    void handsARefusedFrameOverAgain() {
        refusals = 3;
        assertThat(read(sequence(), 0, sequence().length)).isEqualTo(FrameReader.Outcome.CONSUMED);
        assertSequenceTaken();
    }

    @Test
    void readsTheLargestFrame() {
        read(WireFrames.start(), 0, 20);
        byte[] largest = WireFrames.data(new byte[Transport.FRAME_LENGTH_MAX]);
        read(largest, 0, 1000);
        assertThat(taken).hasSize(1);
        read(largest, 1000, largest.length);
        assertThat(taken).hasSize(2);
    }

    @Test
    void staysBrokenOnceItIs() {
        byte[] bytes = WireFrames.data(new byte[] {1});
        assertThat(read(bytes, 0, bytes.length)).isEqualTo(FrameReader.Outcome.BROKEN);
        assertThat(reader.fault()).isEqualTo("it did not begin with START");
        assertThat(read(sequence(), 0, 30)).isEqualTo(FrameReader.Outcome.BROKEN);
        assertThat(taken).isEmpty();
    }

    @Test
    void allocatesNothingForALengthThatIsTooLong() {
        long used = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
        read(WireFrames.start(), 0, 20);
        assertThat(read(WireFrames.headerOnly(0x00FF_FFFF), 0, 8)).isEqualTo(FrameReader.Outcome.BROKEN);
        assertThat(reader.fault()).isEqualTo("a frame of 16777215 bytes is outside the range 1 to 1048576");
        assertThat(PooledByteBufAllocator.DEFAULT.pinnedDirectMemory()).isEqualTo(used);
    }
}
