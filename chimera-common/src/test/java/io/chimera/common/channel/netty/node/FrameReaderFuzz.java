package io.chimera.common.channel.netty.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.channel.Transport;
import io.chimera.common.channel.netty.NoLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Arbitrary bytes from the network: every passed frame is valid, memory is bounded, the reader ends in a defined state.
 */
@ExtendWith(NoLeaks.class)
final class FrameReaderFuzz {
    @FuzzTest
    void readsAnyBytes(byte[] bytes) {
        if (bytes.length > 0) {
            readInPieces(Arrays.copyOfRange(bytes, 1, bytes.length), 1 + (bytes[0] & 0xFF));
        }
    }

    @Test
    void readsSoundFramesWithBytesFlipped() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = sequence(random);
            for (int flips = random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            readInPieces(bytes, 1 + random.nextInt(100));
        }
    }

    private static byte[] sequence(Random random) {
        byte[] bytes = random.nextInt(10) == 0 ? new byte[0] : WireFrames.start();
        for (int i = random.nextInt(5); i >= 0; i--) {
            byte[] payload = new byte[1 + random.nextInt(50)];
            random.nextBytes(payload);
            byte[] frame =
                    switch (random.nextInt(6)) {
                        case 0 -> WireFrames.ping();
                        case 1 -> WireFrames.credit(random.nextInt());
                        case 2 -> WireFrames.headerOnly(random.nextInt());
                        default -> WireFrames.data(payload);
                    };
            int length = bytes.length;
            bytes = Arrays.copyOf(bytes, length + frame.length);
            System.arraycopy(frame, 0, bytes, length, frame.length);
        }
        return bytes;
    }

    private static void readInPieces(byte[] bytes, int pieceLength) {
        Checker checker = new Checker();
        try (FrameReader reader = new FrameReader(PooledByteBufAllocator.DEFAULT, checker)) {
            for (int from = 0; from < bytes.length; from += pieceLength) {
                int length = Math.min(pieceLength, bytes.length - from);
                ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer(length).writeBytes(bytes, from, length);
                FrameReader.Outcome outcome = reader.read(in);
                in.release();
                assertThat(outcome).isNotEqualTo(FrameReader.Outcome.REFUSED);
                assertThat(outcome == FrameReader.Outcome.BROKEN).isEqualTo(reader.fault() != null);
            }
        }
        assertThat(checker.bytesTaken).isLessThanOrEqualTo(bytes.length);
    }

    private static final class Checker implements FrameReader.Frames {
        private final CRC32C crc = new CRC32C();
        private boolean started;
        private long bytesTaken;

        @Override
        public boolean onFrame(int kind, DirectBuffer buffer, int offset, int length) {
            assertThat(kind == ChannelFrame.START).isNotEqualTo(started);
            started = true;
            assertThat(kind).isBetween(ChannelFrame.DATA, ChannelFrame.PING);
            assertThat(length).isBetween(kind == ChannelFrame.PING ? 0 : 1, Transport.FRAME_LENGTH_MAX);
            byte[] payload = new byte[length];
            buffer.getBytes(offset, payload);
            crc.update(payload);
            bytesTaken += 8 + length;
            return true;
        }
    }
}
