package io.chimera.archive.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.archive.server.CutOffAnswer;
import io.chimera.archive.server.RecordedVolume;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.archive.server.answer.PeerParts;
import io.chimera.archive.server.answer.QueryAnswer;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.archive.ArchiveKind;
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
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RemotePacketsTest {
    @TempDir
    private Path folder;

    private byte[] answer(Volume volume, String question) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FoundItems found = volume.askForPeer(Question.parse(question, 0), ArchiveKind.PACKETS)) {
            new QueryAnswer(found, bytes, progress -> {}).write(AnswerFormat.PACKETS, Resolution.NANOSECONDS, 0);
        }
        return bytes.toByteArray();
    }

    private static List<String> read(FoundPackets packets) {
        List<String> lines = new ArrayList<>();
        while (packets.next()) {
            PacketInterval packet = packets.packet();
            byte[] frame = new byte[packet.captured()];
            packet.buffer().getBytes(packet.offset(), frame);
            lines.add(
                    packets.stream() + packet.timeNs() + packet.linkType() + packet.length() + Arrays.hashCode(frame));
        }
        return lines;
    }

    @Test
    void packetsAreTheSameOnTheOtherSide() {
        try (Volume volume = volume();
                FoundPackets here = volume.askPackets(Question.parse("udp", 0))) {
            byte[] bytes = answer(volume, "udp");
            RemotePackets there = new RemotePackets(() -> new ByteArrayInputStream(bytes));

            assertThat(read(there)).isEqualTo(read(here)).isNotEmpty();
            assertThat(there.progress()).isEqualTo(here.progress());
        }
    }

    @Test
    void aStreamThatIsNotThereHoldsNothing() {
        try (Volume volume = volume()) {
            byte[] bytes = answer(volume, "udp and stream eth7");

            assertThat(read(new RemotePackets(() -> new ByteArrayInputStream(bytes))))
                    .isEmpty();
        }
    }

    @Test
    void anAnswerThatIsCutOffOrDamagedIsNoWholeOne() {
        try (Volume volume = volume()) {
            byte[] whole = answer(volume, "udp");
            for (int length = 0; length < whole.length; length += 1 + length / 3) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> read(new RemotePackets(() -> new ByteArrayInputStream(cut))))
                        .isInstanceOf(ChimeraException.class);
            }
            Random random = new Random(3);
            for (int i = 0; i < 500; i++) {
                byte[] damaged = whole.clone();
                damaged[random.nextInt(Math.min(200, whole.length))] = (byte) random.nextInt();
                try {
                    read(new RemotePackets(() -> new ByteArrayInputStream(damaged)));
                } catch (ChimeraException e) {
                    // refused
                }
            }
        }
    }

    @Test
    void anAnswerThatIsCancelledDoesNotEndLikeAWholeOne() throws IOException {
        try (Volume volume = volume()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (FoundPackets found = volume.askPackets(Question.parse("udp", 0))) {
                PeerParts.ofPackets(bytes).write(found, found::cancel);
            }
            assertThatThrownBy(() -> read(new RemotePackets(() -> new ByteArrayInputStream(bytes.toByteArray()))))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("ended early");
        }
    }

    @Test
    void anAnswerThatFailsSaysWhy() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PeerParts.fail(bytes, "The archive stops.");
        assertThatThrownBy(() -> read(new RemotePackets(() -> new ByteArrayInputStream(bytes.toByteArray()))))
                .isInstanceOf(ChimeraException.class)
                .hasMessage("The archive stops");
    }

    @Test
    void anAnswerIsWholeOnlyWhereItsTransferEndsBehindIt() {
        try (Volume volume = volume()) {
            InputStream cut = CutOffAnswer.behind(answer(volume, "udp"));
            assertThatThrownBy(() -> read(new RemotePackets(() -> cut))).isInstanceOf(ChimeraException.class);
        }
    }

    private Volume volume() {
        return RecordedVolume.in(folder, new SystemClock(), new Counters<>(ArchiveCounter.class));
    }
}
