package io.chimera.queue.journal.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.read.ExcerptReader.Found;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk through any roll file ends, moves only forward, and gives whole batches. */
final class ExcerptReaderFuzz {
    private static final int ROUNDS = 1_000;

    private final ExcerptReader reader = new ExcerptReader(ByteBuffer.allocateDirect(ExcerptReader.bufferLength()));

    @TempDir
    private Path folder;

    @FuzzTest
    void walksThroughAnyFile(byte[] content) throws IOException {
        walk(content);
    }

    @Test
    void walksThroughChangedFiles() throws IOException {
        Random random = new Random(20240519);
        byte[] good = file();
        assertThat(walk(good)).isEqualTo(4);
        int whole = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] content = good.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                content[random.nextInt(content.length)] = (byte) random.nextInt(256);
            }
            whole += walk(content);
        }
        assertThat(whole).isBetween(ROUNDS / 2, 3 * ROUNDS);
    }

    /** Excerpts in Chronicle's layout: a header, a piece of metadata, four batches, the end mark. */
    private static byte[] file() {
        ByteBuffer content = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        content.putInt(1 << 30 | 6).put(new byte[8]);
        Batches batches = new Batches();
        for (int seq = 1; seq <= 4; seq++) {
            int length = batches.seal(9, seq, 1);
            byte[] batch = new byte[length];
            batches.buffer().getBytes(0, batch);
            content.putInt(length).put(batch);
        }
        content.putInt(0xC0000000);
        byte[] bytes = new byte[content.position()];
        content.flip().get(bytes);
        return bytes;
    }

    private int walk(byte[] content) throws IOException {
        try (reader) {
            Path file = folder.resolve("excerpts.cq4");
            Files.write(file, content);
            reader.open(file);
            int batches = 0;
            long offset = 0;
            Found found = reader.peek(offset);
            while (found == Found.BATCH || found == Found.METADATA) {
                if (found == Found.BATCH) {
                    if (!reader.fetch()) {
                        return batches;
                    }
                    assertThat(reader.stream()).isNotZero();
                    assertThat(reader.firstSeq()).isPositive();
                    batches++;
                }
                assertThat(reader.next()).isGreaterThan(offset);
                offset = reader.next();
                found = reader.peek(offset);
            }
            return batches;
        }
    }
}
