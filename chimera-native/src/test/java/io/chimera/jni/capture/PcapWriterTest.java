package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PcapWriterTest {

    private static final long TIME_NS = 1_700_000_000_123_456_789L;

    @TempDir
    Path folder;

    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(CaptureOptions.SNAP_LENGTH_MAX));
    private final PacketBatch batch = new PacketBatch(8);

    @Test
    void whatItWroteIsRead() {
        List<byte[]> frames = NumberedFrames.frames(5000);
        Path file = folder.resolve("x.pcap");
        NumberedFrames.write(file, frames);
        try (PacketCapture capture = read(file)) {
            NumberedFrames.assertSame(PacketCaptureContract.receive(capture, batch, frames.size()), frames);
        }
    }

    @Test
    void writesAWholeBatch() {
        Path file = folder.resolve("x.pcap");
        Path copy = folder.resolve("copy.pcap");
        NumberedFrames.write(file, NumberedFrames.frames(6));
        try (PacketCapture capture = read(file);
                PcapWriter writer = PcapWriter.create(copy, 1, PcapWriter.Resolution.NANOSECONDS)) {
            capture.receive(batch, 0);
            writer.write(batch);
        }
        assertThat(copy).hasSameBinaryContentAs(file);
    }

    @Test
    void roundsTimesDownToMicroseconds() {
        Path file = folder.resolve("x.pcap");
        try (PcapWriter writer = PcapWriter.create(file, 101, PcapWriter.Resolution.MICROSECONDS)) {
            writer.write(TIME_NS, frame.addressOffset(), 20, 40, 0, 0);
        }
        try (PacketCapture capture = read(file)) {
            assertThat(capture.receive(batch, 0)).isEqualTo(1);
            assertThat(capture.linkType()).isEqualTo(101);
            assertThat(batch.timestampNs(0)).isEqualTo(1_700_000_000_123_456_000L);
            assertThat(batch.captured(0)).isEqualTo(20);
            assertThat(batch.length(0)).isEqualTo(40);
        }
    }

    @Test
    void putsATagBackBehindTheAddresses() {
        byte[] bytes = NumberedFrames.frame(1, 60, 80);
        frame.putBytes(0, bytes);
        Path file = folder.resolve("x.pcap");
        try (PcapWriter writer = PcapWriter.create(file, 1, PcapWriter.Resolution.NANOSECONDS)) {
            writer.write(TIME_NS, frame.addressOffset(), 60, 60, 0x2007, 0x8100);
        }
        try (PacketCapture capture = read(file)) {
            capture.receive(batch, 0);
            assertThat(NumberedFrames.bytesOf(batch, 0)).isEqualTo(NumberedFrames.tagged(bytes, 0x2007));
            assertThat(batch.length(0)).isEqualTo(64);
        }
    }

    @Test
    void writesTheLongestPacketAndRefusesALongerOne() {
        Path file = folder.resolve("x.pcap");
        int longest = CaptureOptions.SNAP_LENGTH_MAX;
        try (PcapWriter writer = PcapWriter.create(file, 1, PcapWriter.Resolution.NANOSECONDS)) {
            for (int i = 0; i < 9; i++) {
                writer.write(TIME_NS, frame.addressOffset(), longest, longest, 0, 0);
            }
            assertThatThrownBy(() -> writer.write(TIME_NS, frame.addressOffset(), longest + 1, longest + 1, 0, 0))
                    .isInstanceOf(CaptureException.class);
            assertThatThrownBy(() -> writer.write(TIME_NS, frame.addressOffset(), longest, longest, 1, 0x8100))
                    .isInstanceOf(CaptureException.class);
            assertThatThrownBy(() -> writer.write(-1, frame.addressOffset(), 1, 1, 0, 0))
                    .hasMessageContaining("1970 to 2106");
        }
        try (PacketCapture capture = read(file)) {
            assertThat(PacketCaptureContract.receive(capture, batch, 9)).hasSize(9);
        }
    }

    @Test
    void namesAFileThatCannotBeCreated() {
        assertThatThrownBy(() -> PcapWriter.create(folder, 1, PcapWriter.Resolution.NANOSECONDS))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining(folder + ": cannot be created");
    }

    private static PacketCapture read(Path file) {
        return new FileCapture(CaptureOptions.of(file.toString()), SystemNanoClock.INSTANCE);
    }
}
