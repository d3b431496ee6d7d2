package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

final class JavaFileCaptureTest extends FileCaptureContract {

    @Override
    PacketCapture open(CaptureOptions options) {
        return new FileCapture(options, SystemNanoClock.INSTANCE);
    }

    @Override
    boolean filters() {
        return false;
    }

    @Test
    void readsThroughAWindowThatIsSmallerThanTheFile() {
        List<byte[]> frames = NumberedFrames.frames(700);
        CaptureOptions options = written(frames);
        try (PacketCapture capture = new FileCapture(options, SystemNanoClock.INSTANCE, 4096)) {
            NumberedFrames.assertSame(receive(capture, new PacketBatch(64), frames.size()), frames);
        }
    }

    @Test
    void replaysAtTheTimesOfTheRecordsByTheClock() {
        AtomicLong nowNs = new AtomicLong(TimeUnit.HOURS.toNanos(7));
        PacketBatch batch = new PacketBatch(4);
        CaptureOptions options = written(NumberedFrames.frames(4)).withSpeed(0.5);
        try (PacketCapture capture = new FileCapture(options, nowNs::get)) {
            assertThat(capture.receive(batch, 0)).isEqualTo(1);
            nowNs.addAndGet(1999);
            assertThat(capture.receive(batch, 0)).isZero();
            nowNs.addAndGet(1);
            assertThat(capture.receive(batch, 0)).isEqualTo(1);
            nowNs.addAndGet(4000);
            assertThat(capture.receive(batch, 0)).isEqualTo(2);
            assertThat(capture.receive(batch, 0)).isEqualTo(PacketCapture.END);
        }
    }

    private CaptureOptions written(List<byte[]> frames) {
        NumberedFrames.write(folder.resolve("written.pcap"), frames);
        return CaptureOptions.of(folder.resolve("written.pcap").toString());
    }
}
