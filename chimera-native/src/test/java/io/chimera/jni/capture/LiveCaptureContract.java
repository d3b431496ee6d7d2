package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Additional contract of live back-ends, on a veth pair between two namespaces. */
abstract class LiveCaptureContract extends PacketCaptureContract {

    private static final int ERRNO_NO_DEVICE = 19;

    static Namespaces namespaces;

    private final String backEnd;

    LiveCaptureContract(String backEnd) {
        this.backEnd = backEnd;
    }

    @BeforeAll
    static void lay() throws IOException {
        String cause = Namespaces.unavailabilityCause();
        assumeTrue(cause.isEmpty(), cause);
        namespaces = new Namespaces();
    }

    @BeforeEach
    final void needsTheBackEnd() {
        String cause = Captures.unavailabilityCause(backEnd);
        assumeTrue(cause.isEmpty(), cause);
    }

    @AfterAll
    static void remove() throws IOException {
        if (namespaces != null) {
            namespaces.close();
            namespaces = null;
        }
    }

    @Override
    final PacketCapture open(List<byte[]> frames, UnaryOperator<CaptureOptions> with) {
        PacketCapture capture = openOn(Namespaces.RECEIVER, with);
        namespaces.send(frames);
        return capture;
    }

    @Override
    final PacketCapture openMissing() {
        return openOn("nowhere0", options -> options);
    }

    @Override
    final boolean filters() {
        return Captures.isAvailable("libpcap");
    }

    final PacketCapture openOn(String networkInterface, UnaryOperator<CaptureOptions> with) {
        CaptureOptions options = with.apply(CaptureOptions.of(backEnd + ":" + networkInterface));
        return namespaces.whereReceived(() -> Captures.open(options));
    }

    /**
     * Whether the back-end takes packets off the interface, hiding them from other receivers, or only observes packets.
     */
    boolean takesPackets() {
        return false;
    }

    @Test
    void aSecondCaptureSeesTheSameOrIsRefused() {
        List<byte[]> frames = NumberedFrames.frames(100);
        PacketBatch batch = new PacketBatch(16);
        try (PacketCapture first = open(List.of(), options -> options)) {
            if (takesPackets()) {
                assertThatThrownBy(() -> open(List.of(), options -> options))
                        .isInstanceOf(CaptureException.class)
                        .hasMessageContaining("another capture or program holds the queue");
                namespaces.send(frames);
            } else {
                try (PacketCapture second = open(frames, options -> options)) {
                    NumberedFrames.assertSame(receive(second, batch, 100), frames);
                }
            }
            NumberedFrames.assertSame(receive(first, batch, 100), frames);
        }
    }

    @Test
    void goesOnWhenTheInterfaceComesBack() {
        List<byte[]> frames = NumberedFrames.frames(20);
        PacketBatch batch = new PacketBatch(16);
        try (PacketCapture capture = open(frames, options -> options)) {
            NumberedFrames.assertSame(receive(capture, batch, 20), frames);
            namespaces.ipWhereReceived("link", "set", Namespaces.RECEIVER, "down");
            assertThat(capture.receive(batch, 50)).isZero();
            assertThat(capture.receive(batch, 0)).isZero();
            namespaces.ipWhereReceived("link", "set", Namespaces.RECEIVER, "up");
            namespaces.send(frames);
            NumberedFrames.assertSame(receive(capture, batch, 20), frames);
        }
    }

    @Test
    void saysThatTheInterfaceWasRemoved() {
        namespaces.ipWhereReceived("link", "add", "gone0", "type", "veth", "peer", "name", "gone1");
        namespaces.ipWhereReceived("link", "set", "gone0", "up");
        PacketBatch batch = new PacketBatch(4);
        CaptureCounters counters = new CaptureCounters();
        try (PacketCapture capture = openOn("gone0", options -> options)) {
            namespaces.ipWhereReceived("link", "delete", "gone0");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> {
                            while (capture.receive(batch, 100) >= 0) {
                                assertThat(batch.size()).isZero();
                            }
                        })
                        .isInstanceOfSatisfying(CaptureException.class, e -> assertThat(e.errno())
                                .isEqualTo(ERRNO_NO_DEVICE));
            }
            capture.counters(counters);
            assertThat(counters.received()).isZero();
        }
    }
}
