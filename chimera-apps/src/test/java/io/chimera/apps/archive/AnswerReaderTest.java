package io.chimera.apps.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AnswerReaderTest {
    @TempDir
    private Path folder;

    private final List<String> expected = new ArrayList<>();
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
                        .write(AnswerFormat.JSON, Resolution.NANOSECONDS, Long.MAX_VALUE);
            }
            DecodedPacket decoded = new DecodedPacket();
            try (PacketQuery query = volume.askPackets(question)) {
                while (query.next()) {
                    assertThat(decoded.decode(query.packet())).isTrue();
                    expected.add(query.packet().timeNs() + " " + decoded.source() + " "
                            + decoded.tuple().sourcePort() + " " + decoded.destination() + " "
                            + decoded.tuple().destinationPort());
                }
            }
        }
        answer = out.toByteArray();
    }

    @Test
    void readsWhatWasWritten() throws IOException {
        List<String> read = new ArrayList<>();
        try (AnswerReader reader = new AnswerReader(new ByteArrayInputStream(answer))) {
            while (reader.next()) {
                read.add(reader.timeNs() + " " + reader.source() + " " + reader.sourcePort() + " "
                        + reader.destination() + " " + reader.destinationPort());
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
            assertThatThrownBy(() -> {
                        try (AnswerReader reader = new AnswerReader(new ByteArrayInputStream(cut))) {
                            while (reader.next()) {
                                assertThat(reader.packets()).isZero();
                            }
                        }
                    })
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("no whole answer");
        }
    }
}
