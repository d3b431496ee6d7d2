package io.chimera.dataset.compute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes of a result, as another node may send them, are a whole result or are refused. */
final class PieceFileFuzz {
    @TempDir
    Path folder;

    @FuzzTest
    void readsAnyBytes(byte[] bytes) {
        read(bytes);
    }

    @Test
    void noticesChangedBytes() throws IOException {
        byte[] good = good();
        assertThat(read(good)).isTrue();
        Random random = new Random(20261129);
        int accepted = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] changed = good.clone();
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
            accepted += read(changed) ? 1 : 0;
        }
        assertThat(accepted).as("only the 4 unused bytes may change").isLessThan(20_000 * 8 / good.length);
    }

    @Test
    void refusesBytesThatEndEarly() throws IOException {
        byte[] good = good();
        for (int length = 0; length < good.length; length++) {
            assertThat(read(Arrays.copyOf(good, length))).isFalse();
        }
    }

    private byte[] good() throws IOException {
        Path file = folder.resolve("good");
        try (PieceFile.Writer writer = new PieceFile.Writer(file)) {
            for (int piece = 0; piece < 5; piece++) {
                byte[] body = ("piece " + piece).getBytes(UTF_8);
                writer.piece(piece, piece * 60L, new UnsafeBuffer(body), body.length);
            }
            writer.finish(7, 2, "{\"line\":1}\n".getBytes(UTF_8));
        }
        return Files.readAllBytes(file);
    }

    /** Reads everything; returns whether the bytes are a whole result. */
    private static boolean read(byte[] bytes) {
        try {
            PieceFile file = PieceFile.open(new MemoryResult(bytes));
            file.verify();
            List<Piece> pieces = file.pieces();
            assertThat(pieces).allSatisfy(piece -> assertThat(piece.length()).isBetween(1, bytes.length));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static final class MemoryResult implements PieceBytes {
        private final byte[] bytes;

        MemoryResult(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            if (offset < 0 || offset > bytes.length - into.remaining()) {
                throw new EOFException("the result ends at " + bytes.length);
            }
            into.put(bytes, (int) offset, into.remaining());
        }

        @Override
        public IOException damaged() {
            return new IOException("damaged");
        }
    }
}
