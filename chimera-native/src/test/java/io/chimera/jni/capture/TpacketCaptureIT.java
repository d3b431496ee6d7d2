package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TpacketCaptureIT extends LiveCaptureContract {

    private static final int TPID_8021Q = 0x8100;
    private static final int SOURCE_PORT_POSITION = 34;

    TpacketCaptureIT() {
        super("tpacket");
    }

    @Test
    void handsOutTheTagThatTheKernelTookOff() {
        byte[] plain = NumberedFrames.frame(1, 100, NumberedFrames.PORT);
        PacketBatch batch = new PacketBatch(8);
        try (PacketCapture capture = open(List.of(NumberedFrames.tagged(plain, 0x2007), plain), options -> options)) {
            List<Integer> tags = new ArrayList<>();
            List<Integer> types = new ArrayList<>();
            List<byte[]> seen = new ArrayList<>();
            while (seen.size() < 2) {
                int count = capture.receive(batch, 100);
                for (int i = 0; i < count; i++) {
                    tags.add(batch.vlanTci(i));
                    types.add(batch.vlanTpid(i));
                    seen.add(NumberedFrames.bytesOf(batch, i));
                }
            }
            NumberedFrames.assertSame(seen, List.of(plain, plain));
            assertThat(tags).containsExactly(0x2007, 0);
            assertThat(types).containsExactly(TPID_8021Q, 0);
        }
    }

    @Test
    void refusesAFilterForATagThatItWouldNotSee() {
        assumeTrue(filters(), Captures.unavailabilityCause("libpcap"));
        assertThatThrownBy(() -> open(List.of(), options -> options.withFilter("vlan 7 and udp")))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("libpcap:" + Namespaces.RECEIVER);
    }

    @Test
    void opensAnInterfaceThatIsDown() {
        List<byte[]> frames = NumberedFrames.frames(20);
        namespaces.ipWhereReceived("link", "set", Namespaces.RECEIVER, "down");
        try (PacketCapture capture = open(List.of(), options -> options)) {
            assertThat(capture.receive(new PacketBatch(4), 10)).isZero();
            namespaces.ipWhereReceived("link", "set", Namespaces.RECEIVER, "up");
            namespaces.send(frames);
            NumberedFrames.assertSame(receive(capture, new PacketBatch(16), 20), frames);
        } finally {
            namespaces.ipWhereReceived("link", "set", Namespaces.RECEIVER, "up");
        }
    }

    /** The kernel closes a block when full or after a timeout, so each round leaves room for a delayed sender. */
    @Test
    void wrapsAroundItsRing() {
        List<byte[]> frames = NumberedFrames.frames(100);
        PacketBatch batch = new PacketBatch(64);
        CaptureCounters counters = new CaptureCounters();
        try (PacketCapture capture = open(List.of(), options -> options.withRingBytes(1 << 20))) {
            for (int i = 0; i < 20; i++) {
                capture.release();
                namespaces.send(frames);
                List<byte[]> seen = receive(capture, batch, frames.size());
                capture.counters(counters);
                assertThat(counters.droppedRing()).isZero();
                NumberedFrames.assertSame(seen, frames);
            }
        }
    }

    @Test
    void countsWhatItsRingHadNoRoomFor() {
        List<byte[]> frames =
                Collections.nCopies(2000, NumberedFrames.frame(1, NumberedFrames.FRAME_BYTES_MAX, NumberedFrames.PORT));
        CaptureCounters counters = new CaptureCounters();
        try (PacketCapture capture = open(frames, options -> options.withRingBytes(1 << 16))) {
            capture.counters(counters);
            long dropped = counters.droppedRing();
            assertThat(dropped).isBetween(1L, 1999L);
            PacketBatch batch = new PacketBatch(64);
            assertThat(receive(capture, batch, (int) (2000 - dropped))).hasSize((int) (2000 - dropped));
            capture.counters(counters);
            assertThat(counters.received() + counters.droppedRing()).isEqualTo(2000);
            namespaces.send(frames.subList(0, 10));
            assertThat(receive(capture, batch, 10)).hasSize(10);
        }
    }

    @Test
    void capturesOfAGroupShareThePacketsByFlow() {
        int flows = 64;
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < 4 * flows; i++) {
            byte[] frame = NumberedFrames.frame(i, 80, NumberedFrames.PORT);
            frame[SOURCE_PORT_POSITION + 1] = (byte) (i % flows);
            frames.add(frame);
        }
        PacketBatch batch = new PacketBatch(64);
        CaptureCounters counters = new CaptureCounters();
        try (PacketCapture first = open(List.of(), options -> options.withQueue(0, 2));
                PacketCapture second = open(frames, options -> options.withQueue(1, 2))) {
            List<byte[]> ofFirst = new ArrayList<>();
            List<byte[]> ofSecond = new ArrayList<>();
            while (ofFirst.size() + ofSecond.size() < frames.size()) {
                addTo(ofFirst, first, batch);
                addTo(ofSecond, second, batch);
            }
            assertThat(flowsOf(ofFirst)).isNotEmpty().doesNotContainAnyElementsOf(flowsOf(ofSecond));
            assertThat(flowsOf(ofSecond)).isNotEmpty();
            first.counters(counters);
            assertThat(counters.received()).isEqualTo(ofFirst.size());
        }
    }

    private static void addTo(List<byte[]> frames, PacketCapture capture, PacketBatch batch) {
        int count = capture.receive(batch, 20);
        for (int i = 0; i < count; i++) {
            frames.add(NumberedFrames.bytesOf(batch, i));
        }
    }

    private static List<Byte> flowsOf(List<byte[]> frames) {
        return frames.stream()
                .map(frame -> frame[SOURCE_PORT_POSITION + 1])
                .distinct()
                .toList();
    }

    @Test
    void seesWhatGoesThroughLoopbackOnce() {
        List<byte[]> frames = NumberedFrames.frames(20);
        try (PacketCapture capture = openOn("lo", options -> options)) {
            namespaces.sendWhereReceived("lo", frames);
            NumberedFrames.assertSame(receive(capture, new PacketBatch(64), 20), frames);
            assertThat(capture.receive(new PacketBatch(64), 50)).isZero();
        }
    }
}
