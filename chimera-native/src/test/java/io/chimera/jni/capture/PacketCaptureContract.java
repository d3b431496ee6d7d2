package io.chimera.jni.capture;

import static io.chimera.jni.capture.NumberedFrames.frames;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Contract of every back-end. */
abstract class PacketCaptureContract {

    private static final long ARRIVAL_NS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final int RECEIVE_MS = 100;
    private static final int TRIES = 5;
    private static final int ROUNDS = 100;
    private static final long YEAR_2020_NS = 1_577_836_800_000_000_000L;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final CaptureCounters counters = new CaptureCounters();

    /** Opens a capture of exactly these frames. */
    abstract PacketCapture open(List<byte[]> frames, UnaryOperator<CaptureOptions> with);

    /** Opens a missing source. */
    abstract PacketCapture openMissing();

    /** Whether the back-end can filter on this machine. */
    abstract boolean filters();

    @Test
    void handsOutEveryFrameInOrder() {
        List<byte[]> frames = frames(700);
        try (PacketCapture capture = open(frames, options -> options)) {
            NumberedFrames.assertSame(receive(capture, new PacketBatch(64), frames.size()), frames);
        }
    }

    @Test
    void fillsABatchToItsCapacityAtMost() {
        List<byte[]> frames = frames(20);
        try (PacketCapture capture = open(frames, options -> options)) {
            NumberedFrames.assertSame(receive(capture, new PacketBatch(1), frames.size()), frames);
        }
    }

    @Test
    void handsOutNothingWhereThereIsNothing() {
        PacketBatch batch = new PacketBatch(4);
        try (PacketCapture capture = open(List.of(), options -> options)) {
            assertThat(capture.receive(batch, 0)).isIn(0, PacketCapture.END);
            assertThat(capture.receive(batch, 1)).isIn(0, PacketCapture.END);
            assertThat(batch.size()).isZero();
        }
    }

    @Test
    void cutsFramesToTheSnapLength() {
        List<byte[]> frames = frames(50);
        try (PacketCapture capture = open(frames, options -> options.withSnapLength(100))) {
            List<byte[]> cut = frames.stream()
                    .map(frame -> Arrays.copyOf(frame, Math.min(frame.length, 100)))
                    .toList();
            NumberedFrames.assertSame(receive(capture, new PacketBatch(8), frames.size()), cut);
            capture.counters(counters);
            assertThat(counters.truncated())
                    .isEqualTo(
                            frames.stream().filter(frame -> frame.length > 100).count());
            assertThat(counters.bytes()).isEqualTo(bytesOf(frames));
        }
    }

    @Test
    void countsWhatItHandsOut() {
        List<byte[]> frames = frames(300);
        try (PacketCapture capture = open(frames, options -> options)) {
            receive(capture, new PacketBatch(16), frames.size());
            capture.counters(counters);
            assertThat(counters.received()).isEqualTo(300);
            assertThat(counters.bytes()).isEqualTo(bytesOf(frames));
            assertThat(counters.truncated()).isZero();
            assertThat(counters.invalid()).isZero();
            assertThat(counters.droppedRing()).isZero();
            assertThat(counters.droppedInterface()).isZero();
        }
    }

    @Test
    void saysLengthsAndTimesOfFrames() {
        List<byte[]> frames = frames(30);
        PacketBatch batch = new PacketBatch(30);
        try (PacketCapture capture = open(frames, options -> options.withSnapLength(64))) {
            long last = YEAR_2020_NS;
            int seen = 0;
            long endNs = System.nanoTime() + ARRIVAL_NS_MAX;
            while (seen < frames.size() && System.nanoTime() - endNs < 0) {
                int count = Math.max(capture.receive(batch, RECEIVE_MS), 0);
                for (int i = 0; i < count; i++) {
                    assertThat(batch.length(i)).isEqualTo(frames.get(seen++).length);
                    assertThat(batch.timestampNs(i)).isGreaterThanOrEqualTo(last);
                    assertThat(batch.vlanTpid(i)).isZero();
                    last = batch.timestampNs(i);
                }
            }
            assertThat(seen).isEqualTo(frames.size());
        }
    }

    @Test
    void framesAreEthernet() {
        try (PacketCapture capture = open(List.of(), options -> options)) {
            assertThat(capture.linkType()).isEqualTo(1);
        }
    }

    @Test
    void takesOnlyWhatTheFilterWants() {
        assumeTrue(filters(), "this back-end does not filter here");
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            frames.add(NumberedFrames.frame(i, 80, i % 4 == 0 ? 53 : 80));
        }
        List<byte[]> wanted = frames.stream()
                .filter(frame -> frame[NumberedFrames.HEADER_BYTES - 5] == 53)
                .toList();
        try (PacketCapture capture = open(frames, options -> options.withFilter("udp dst port 53"))) {
            NumberedFrames.assertSame(receive(capture, new PacketBatch(16), wanted.size()), wanted);
            capture.counters(counters);
            assertThat(counters.received()).isEqualTo(10);
        }
    }

    @Test
    void cutsWhatTheFilterWantsToo() {
        assumeTrue(filters(), "this back-end does not filter here");
        List<byte[]> frames = List.of(NumberedFrames.frame(1, 500, 53));
        try (PacketCapture capture =
                open(frames, options -> options.withFilter("udp").withSnapLength(70))) {
            NumberedFrames.assertSame(
                    receive(capture, new PacketBatch(16), 1), List.of(Arrays.copyOf(frames.get(0), 70)));
        }
    }

    @Test
    void refusesAFilterThatMakesNoSense() {
        assertThatThrownBy(() -> open(List.of(), options -> options.withFilter("no such thing")))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("filter");
    }

    @Test
    void namesWhatIsNotThere() {
        assertThatThrownBy(this::openMissing)
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void releasesAndClosesTwice() {
        PacketBatch batch = new PacketBatch(4);
        PacketCapture capture = open(frames(10), options -> options);
        receive(capture, batch, 10);
        capture.release();
        capture.release();
        capture.close();
        capture.close();
        assertThatThrownBy(() -> capture.receive(batch, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(capture::release).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(capture::linkType).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> capture.counters(counters)).isInstanceOf(IllegalStateException.class);
    }

    /** The JVM may allocate during a first call or a compilation, so the minimum of a few attempts counts. */
    @Test
    void receivesWithoutAllocating() {
        PacketBatch batch = new PacketBatch(2);
        try (PacketCapture capture = open(frames(2 * TRIES * ROUNDS), options -> options)) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < TRIES; i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                int seen = 0;
                for (int k = 0; k < ROUNDS; k++) {
                    seen += Math.max(capture.receive(batch, RECEIVE_MS), 0);
                    capture.release();
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                assertThat(seen).isPositive();
            }
            assertThat(least).isZero();
        }
    }

    /** Receives the wanted number of frames, up to the end of the source or a time limit. */
    static List<byte[]> receive(PacketCapture capture, PacketBatch batch, int wanted) {
        List<byte[]> frames = new ArrayList<>();
        long endNs = System.nanoTime() + ARRIVAL_NS_MAX;
        while (frames.size() < wanted && System.nanoTime() - endNs < 0) {
            int count = capture.receive(batch, RECEIVE_MS);
            if (count == PacketCapture.END) {
                break;
            }
            assertThat(count).isEqualTo(batch.size()).isLessThanOrEqualTo(batch.capacity());
            for (int i = 0; i < count; i++) {
                frames.add(NumberedFrames.bytesOf(batch, i));
            }
        }
        return frames;
    }

    static long bytesOf(List<byte[]> frames) {
        return frames.stream().mapToLong(frame -> frame.length).sum();
    }
}
