package io.chimera.archive.server.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.PacketQuery;
import io.chimera.archive.server.CutOffAnswer;
import io.chimera.archive.server.RecordedVolume;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AnswerReaderTest {
    @TempDir
    private Path folder;

    /** Expected count, first and last time of the packets, by their ends. */
    private final Map<String, List<Long>> expected = new HashMap<>();

    private QueryProgress progress;
    private byte[] answer;

    @BeforeEach
    void ask() {
        Clock clock = new SystemClock();
        Question question = Question.parse("udp or icmp", clock.epochNs());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Volume volume = RecordedVolume.in(folder, clock, new Counters<>(ArchiveCounter.class))) {
            try (PacketQuery query = volume.askPackets(question)) {
                progress = new QueryAnswer(query, out, ignored -> {})
                        .write(AnswerFormat.CONNECTIONS, Resolution.NANOSECONDS, Long.MAX_VALUE);
            }
            DecodedPacket decoded = new DecodedPacket();
            try (PacketQuery query = volume.askPackets(question)) {
                while (query.next()) {
                    assertThat(decoded.decode(query.packet())).isTrue();
                    long timeNs = query.packet().timeNs();
                    expected.merge(
                            decoded.source() + " " + decoded.tuple().sourcePort() + " " + decoded.destination() + " "
                                    + decoded.tuple().destinationPort() + " "
                                    + decoded.tuple().protocol(),
                            List.of(1L, timeNs, timeNs),
                            (one, other) -> List.of(
                                    one.get(0) + 1,
                                    Math.min(one.get(1), other.get(1)),
                                    Math.max(one.get(2), other.get(2))));
                }
            }
        }
        answer = out.toByteArray();
    }

    @Test
    void readsWhatWasWritten() throws IOException {
        Map<String, List<Long>> read = new HashMap<>();
        try (AnswerReader reader = new AnswerReader(new ByteArrayInputStream(answer))) {
            while (reader.next()) {
                ConnectionDirection seen = reader.connection();
                read.put(
                        seen.source() + " " + seen.sourcePort() + " " + seen.destination() + " "
                                + seen.destinationPort() + " " + seen.protocol(),
                        List.of(seen.packets(), seen.firstNs(), seen.lastNs()));
            }
            assertThat(reader.packets()).isEqualTo(progress.found());
            assertThat(reader.intervalsRead()).isEqualTo(progress.intervals());
            assertThat(reader.intervalsSkipped()).isEqualTo(progress.skipped());
        }
        assertThat(read).isEqualTo(expected).isNotEmpty();
    }

    @Test
    void refusesAnAnswerThatIsCutOffWhereverThatIs() {
        for (int length = 0; length < answer.length - 2; length += 7) {
            byte[] cut = Arrays.copyOf(answer, length);
            assertThatThrownBy(() -> readAll(new ByteArrayInputStream(cut)))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("invalid or incomplete");
        }
    }

    @Test
    void refusesAnAnswerWhoseTransferFailsBehindItsLastByte() {
        assertThatThrownBy(() -> readAll(CutOffAnswer.behind(answer)))
                .isInstanceOf(IOException.class)
                .hasMessage(CutOffAnswer.CAUSE);
    }

    @Test
    void refusesAnAnswerBehindWhichThereIsMore() {
        String more = new String(answer, UTF_8) + "{\"error\":\"the disk is gone\"}\n";
        assertThatThrownBy(() -> readAll(new ByteArrayInputStream(more.getBytes(UTF_8))))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("invalid or incomplete");
    }

    @Test
    void takesNoBytesForAnotherEncoding() {
        byte[] oddUtf32 = {0, 'z', 0, 0, 0, 0};
        assertThatThrownBy(() -> readAll(new ByteArrayInputStream(oddUtf32)))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("invalid or incomplete");
    }

    @Test
    void refusesAnAnswerOutOfADamagedArchive() {
        String damaged = new String(answer, UTF_8)
                .replace(
                        "\"intervals_damaged\":0", "\"intervals_damaged\":1,\"damage\":\"stream packets: a checksum\"");
        assertThatThrownBy(() -> readAll(new ByteArrayInputStream(damaged.getBytes(UTF_8))))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("1 intervals cannot be read, the first in stream packets: a checksum");
    }

    @Test
    void tellsWhyAnAnswerEnded() {
        assertThatThrownBy(
                        () -> readAll(new ByteArrayInputStream("{\"error\":\"It took too long.\"}\n".getBytes(UTF_8))))
                .isInstanceOf(ChimeraException.class)
                .hasMessage("It took too long.");
    }

    private static List<ConnectionDirection> readAll(InputStream in) throws IOException {
        List<ConnectionDirection> all = new ArrayList<>();
        try (AnswerReader reader = new AnswerReader(in)) {
            while (reader.next()) {
                assertThat(reader.packets()).isZero();
                all.add(reader.connection());
            }
        }
        return all;
    }
}
