package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** AF_XDP in copy mode, the only mode of veth. */
final class XdpCaptureIT extends LiveCaptureContract {

    /** Offset of the packet number written by {@code inject.h}. */
    private static final int NUMBER = 42;

    private static final int FRAME_BYTES = 64;
    private static final int RECEIVE_MS = 100;

    XdpCaptureIT() {
        super("af_xdp");
    }

    @Override
    boolean takesPackets() {
        return true;
    }

    /** Creates a pair of interfaces with two queues each, both ends in the receiving namespace. */
    @BeforeEach
    void addPair() {
        namespaces.ipWhereReceived(
                "link",
                "add",
                "two-s",
                "numrxqueues",
                "2",
                "numtxqueues",
                "2",
                "type",
                "veth",
                "peer",
                "name",
                "two-r",
                "numrxqueues",
                "2",
                "numtxqueues",
                "2");
        namespaces.ipWhereReceived("link", "set", "two-s", "up");
        namespaces.ipWhereReceived("link", "set", "two-r", "up");
    }

    @AfterEach
    void removePair() {
        namespaces.ipWhereReceived("link", "delete", "two-s");
    }

    /** Sends packets on a given CPU; veth uses the CPU number as the receive queue number. */
    private void inject(int packets, int processor) {
        namespaces.runWhereReceived(
                Namespaces.BUILT.resolve("../chimera-inject").toString(),
                "two-s",
                "--packets",
                Integer.toString(packets),
                "--bytes",
                Integer.toString(FRAME_BYTES),
                "--flows",
                "1000",
                "--cpu",
                Integer.toString(processor));
    }

    /** Receives packets numbered 0, 1, 2 … up to a count. */
    private static void receiveInOrder(PacketCapture capture, int packets) {
        PacketBatch batch = new PacketBatch(256);
        UnsafeBuffer packet = new UnsafeBuffer(0, 0);
        int seen = 0;
        while (seen < packets) {
            int count = capture.receive(batch, RECEIVE_MS);
            for (int i = 0; i < count; i++) {
                packet.wrap(batch.address(i), batch.captured(i));
                assertThat(packet.capacity()).isEqualTo(FRAME_BYTES);
                assertThat(packet.getLong(NUMBER)).isEqualTo(seen++);
            }
        }
        assertThat(capture.receive(batch, 0)).isZero();
    }

    private static void assertCounted(PacketCapture capture, long received, long droppedRing) {
        CaptureCounters counters = new CaptureCounters();
        capture.counters(counters);
        assertThat(counters.received()).isEqualTo(received);
        assertThat(counters.bytes()).isEqualTo(received * FRAME_BYTES);
        assertThat(counters.droppedRing()).isEqualTo(droppedRing);
        assertThat(counters.truncated()).isZero();
        assertThat(counters.invalid()).isZero();
    }

    @Test
    void everyPacketThatFitsIntoTheRingIsReceived() {
        try (PacketCapture capture = openOn("two-r@0", options -> options)) {
            for (int round = 1; round <= 4; round++) {
                inject(30_000, 0);
                receiveInOrder(capture, 30_000);
                assertCounted(capture, round * 30_000L, 0);
            }
        }
    }

    @Test
    void whatTheRingHadNoRoomForIsCounted() {
        try (PacketCapture capture = openOn("two-r@0", options -> options.withRingBytes(4096 * 2048))) {
            inject(10_000, 0);
            receiveInOrder(capture, 4096);
            assertCounted(capture, 4096, 10_000 - 4096);
            inject(1_000, 0);
            receiveInOrder(capture, 1_000);
            assertCounted(capture, 5096, 10_000 - 4096);
        }
    }

    @Test
    void capturesOfOneInterfaceHaveAQueueEach() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one processor sends to one queue only");
        try (PacketCapture even = openOn("two-r", options -> options.withQueue(0, 2));
                PacketCapture odd = openOn("two-r", options -> options.withQueue(1, 2))) {
            inject(3_000, 0);
            inject(2_000, 1);
            receiveInOrder(even, 3_000);
            receiveInOrder(odd, 2_000);
            assertCounted(even, 3_000, 0);
            assertCounted(odd, 2_000, 0);
        }
    }

    @Test
    void oneCaptureServesAllQueues() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one processor sends to one queue only");
        try (PacketCapture capture = openOn("two-r", options -> options)) {
            for (int processor = 0; processor < 2; processor++) {
                inject(2_000, processor);
                receiveInOrder(capture, 2_000);
            }
            assertCounted(capture, 4_000, 0);
        }
    }

    @Test
    void zeroCopyIsRefusedWhereTheDriverHasNone() {
        assertThatThrownBy(() -> open(List.of(), options -> options.withZeroCopy(true)))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("the driver lacks zero-copy support");
    }
}
