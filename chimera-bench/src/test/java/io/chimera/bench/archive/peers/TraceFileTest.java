package io.chimera.bench.archive.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.bench.capture.PacketTrace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
    private static final int PACKETS = 10_000;
    private static final int FILE_HEADER = 24;
    private static final int RECORD = 16 + PacketTrace.FRAME_BYTES;

    @TempDir
    private Path folder;

    @Test
    void findsThePacketsOfAnAnswerByTheirNumbers() throws IOException {
        try (PacketTrace trace = PacketTrace.write(PACKETS);
                TraceFile file = TraceFile.open(trace)) {
            BitSet all = new BitSet();
            all.set(0, PACKETS);

            assertThat(file.numbers("all", trace.path())).isEqualTo(all);
            assertThat(file.numbers("two", answer(trace, 3, 77)).stream()).containsExactly(3, 77);
            assertThat(file.numbers("none", answer(trace)).isEmpty()).isTrue();
        }
    }

    @Test
    void refusesAnAnswerWithAPacketTwiceOrOneThatWasNotSent() throws IOException {
        try (PacketTrace trace = PacketTrace.write(PACKETS);
                TraceFile file = TraceFile.open(trace)) {
            Path changed = answer(trace, 5);
            byte[] bytes = Files.readAllBytes(changed);
            bytes[FILE_HEADER + 40] ^= 1;
            Files.write(changed, bytes);

            assertThatThrownBy(() -> file.numbers("they", changed)).hasMessageContaining("byte 24");
            assertThatThrownBy(() -> file.numbers("they", answer(trace, 5, 5))).hasMessageContaining("byte 100");
        }
    }

    @Test
    void theHitHasPacketsAndTheMissHasNone() throws IOException {
        try (PacketTrace trace = PacketTrace.write(PACKETS);
                TraceFile file = TraceFile.open(trace)) {
            assertThat(file.hits().cardinality()).isBetween(1, PACKETS / 2);
            for (int i = 0; i < PACKETS; i++) {
                assertThat(file.source(i)).isNotEqualTo(TraceFile.MISS_ADDRESS);
                assertThat(file.destination(i)).isNotEqualTo(TraceFile.MISS_ADDRESS);
            }
        }
    }

    @Test
    void rowsForCopyHaveTheirHeaderAndEnd() throws IOException {
        try (PacketTrace trace = PacketTrace.write(PACKETS);
                TraceFile file = TraceFile.open(trace);
                RowFile rows = RowFile.forPostgres(file, folder)) {
            byte[] bytes = Files.readAllBytes(rows.path());
            int row = Short.BYTES + 8 * Integer.BYTES + Long.BYTES + 6 * Integer.BYTES + Short.BYTES;

            assertThat(bytes).hasSize(19 + PACKETS * row + Short.BYTES).startsWith('P', 'G', 'C', 'O', 'P', 'Y');
            assertThat(ByteBuffer.wrap(bytes).getShort(bytes.length - Short.BYTES))
                    .isEqualTo((short) -1);
            assertThat(ByteBuffer.wrap(bytes).getLong(19 + Short.BYTES + Integer.BYTES))
                    .isEqualTo(file.timeNs(0));
        }
    }

    /** Returns an answer with the given packets. */
    private Path answer(PacketTrace trace, int... numbers) throws IOException {
        byte[] all = Files.readAllBytes(trace.path());
        ByteBuffer answer =
                ByteBuffer.allocate(FILE_HEADER + numbers.length * RECORD).put(all, 0, FILE_HEADER);
        Arrays.stream(numbers).forEach(number -> answer.put(all, FILE_HEADER + number * RECORD, RECORD));
        return Files.write(folder.resolve("answer.pcap"), answer.array());
    }
}
