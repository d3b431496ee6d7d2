package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Additional contract of the two readers of capture files. */
abstract class FileCaptureContract extends PacketCaptureContract {

    @TempDir
    Path folder;

    abstract PacketCapture open(CaptureOptions options);

    @Override
    final PacketCapture open(List<byte[]> frames, UnaryOperator<CaptureOptions> with) {
        Path file = folder.resolve("frames.pcap");
        NumberedFrames.write(file, frames);
        return open(with.apply(CaptureOptions.of(file.toString())));
    }

    @Override
    final PacketCapture openMissing() {
        return open(CaptureOptions.of("file:/nowhere/x.pcap"));
    }

    @Test
    void staysAtTheEnd() {
        PacketBatch batch = new PacketBatch(4);
        try (PacketCapture capture = open(NumberedFrames.frames(4), options -> options)) {
            assertThat(capture.receive(batch, 0)).isEqualTo(4);
            assertThat(capture.receive(batch, 0)).isEqualTo(PacketCapture.END);
            assertThat(capture.receive(batch, 0)).isEqualTo(PacketCapture.END);
            assertThat(batch.size()).isZero();
        }
    }

    @Test
    void keepsTimesToTheNanosecond() {
        PacketBatch batch = new PacketBatch(4);
        try (PacketCapture capture = open(NumberedFrames.frames(2), options -> options)) {
            capture.receive(batch, 0);
            assertThat(batch.timestampNs(0)).isEqualTo(1_700_000_000_123_456_789L);
            assertThat(batch.timestampNs(1)).isEqualTo(1_700_000_000_123_457_789L);
        }
    }

    @Test
    void handsOutWhatStandsAheadOfTheDamage() throws IOException {
        Path file = folder.resolve("cut.pcap");
        NumberedFrames.write(file, NumberedFrames.frames(3));
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 1));
        PacketBatch batch = new PacketBatch(8);
        try (PacketCapture capture = open(CaptureOptions.of(file.toString()))) {
            assertThat(capture.receive(batch, 0)).isEqualTo(2);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> capture.receive(batch, 0))
                        .isInstanceOf(CaptureException.class)
                        .hasMessage(file
                                + ": the record at offset 213, after packet 2, needs 150 bytes, of which 149 are there: the file was"
                                + " cut off");
                assertThat(batch.size()).isZero();
            }
        }
    }

    @Test
    void refusesAFolder() {
        assertThatThrownBy(() -> open(CaptureOptions.of("file:" + folder)))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("it is not a regular file");
    }

    @Test
    void replaysNoPacketAheadOfItsTime() {
        PacketBatch batch = new PacketBatch(4);
        try (PacketCapture capture = open(NumberedFrames.frames(2), options -> options.withSpeed(1e-9))) {
            assertThat(capture.receive(batch, 0)).isEqualTo(1);
            assertThat(capture.receive(batch, 0)).isZero();
            assertThat(capture.receive(batch, 1)).isZero();
        }
        try (PacketCapture capture = open(NumberedFrames.frames(300), options -> options.withSpeed(1))) {
            assertThat(receive(capture, batch, 300)).hasSize(300);
        }
    }
}
