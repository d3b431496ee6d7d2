package io.chimera.dataset.source.xrootd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.xrootd.wire.AnswerStatus;
import io.chimera.dataset.source.xrootd.wire.PieceHeader;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Arbitrary bytes after the login, in pieces: the reader ends, each request ends, and no byte outside the callers'
 * buffers changes.
 */
final class AnswerStreamFuzz {
    private static final int BUFFER_BYTES = 64;
    private static final int MARGIN = 16;

    private static final LinkOutput NOWHERE = new LinkOutput() {
        @Override
        public void write(ByteBuffer from) {
            from.position(from.limit());
        }

        @Override
        public void close() {}
    };

    @FuzzTest(maxDuration = "1m")
    void anyBytes(byte[] bytes) throws Exception {
        if (bytes.length > 0) {
            check(Arrays.copyOfRange(bytes, 1, bytes.length), 1 + (bytes[0] & 0xFF));
        }
    }

    @Test
    void answersWithBytesFlipped() throws Exception {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            ByteBuffer answers = ByteBuffer.allocate(4_096);
            for (int count = random.nextInt(6); count >= 0; count--) {
                putAnswer(random, answers);
            }
            byte[] bytes = Arrays.copyOf(answers.array(), answers.position());
            for (int flips = random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            check(bytes, 1 + random.nextInt(100));
        }
    }

    private static void putAnswer(Random random, ByteBuffer out) {
        AnswerStatus[] all = AnswerStatus.values();
        int streamId = 1 + random.nextInt(3);
        int code = all[random.nextInt(all.length)].code();
        byte[] body = new byte[random.nextInt(BUFFER_BYTES)];
        random.nextBytes(body);
        if (random.nextInt(4) == 0) {
            out.putShort((short) 0)
                    .putShort((short) AnswerStatus.ATTENTION.code())
                    .putInt(16 + body.length);
            out.putInt(5008).putInt(0);
        }
        if (streamId == 3 && body.length >= PieceHeader.BYTES) {
            ByteBuffer.wrap(body)
                    .putInt(7)
                    .putInt(body.length - PieceHeader.BYTES)
                    .putLong(0);
        }
        out.putShort((short) streamId)
                .putShort((short) code)
                .putInt(body.length)
                .put(body);
    }

    /** Serves bytes in pieces, and then the end. */
    private static LinkInput input(byte[] bytes, int pieceLength) {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        return new LinkInput(
                into -> {
                    if (!source.hasRemaining()) {
                        throw new EOFException("end");
                    }
                    int length = Math.min(Math.min(pieceLength, source.remaining()), into.remaining());
                    into.put(source.slice(source.position(), length));
                    source.position(source.position() + length);
                },
                new ManualClock());
    }

    private static void check(byte[] bytes, int pieceLength) throws SourceException {
        XrootdConnection connection = new XrootdConnection(
                new Handshake.Session(NOWHERE, input(bytes, pieceLength), false),
                new ServerAddress("fuzz", 1),
                XrootdLimits.DEFAULT,
                new ManualClock());
        byte[] memory = new byte[BUFFER_BYTES + 2 * MARGIN];
        ByteBuffer range = ByteBuffer.wrap(memory, MARGIN, BUFFER_BYTES).slice();
        ByteBuffer piece = ByteBuffer.allocate(20);
        List<Exchange> exchanges = List.of(
                connection.register(new RangeBody(range)),
                connection.register(new CollectedBody(100)),
                connection.register(new VectorBody(List.of(new PieceHeader(7, 20, 0)), List.of(piece))));

        connection.readAnswers();

        assertThat(connection.isOpen()).isFalse();
        for (Exchange exchange : exchanges) {
            try {
                assertThat(connection.await(exchange).status()).isNotEqualTo(AnswerStatus.OK_SO_FAR);
            } catch (SourceException e) {
                assertThat(e).hasMessageContaining("fuzz:1");
            }
        }
        for (int i = 0; i < MARGIN; i++) {
            assertThat(memory[i] + memory[memory.length - 1 - i]).isZero();
        }
    }
}
