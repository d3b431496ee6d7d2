package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LibpcapCaptureIT extends LiveCaptureContract {

    LibpcapCaptureIT() {
        super("libpcap");
    }

    @Test
    void leavesTagsWhereTheyWere() {
        List<byte[]> frames = List.of(
                NumberedFrames.tagged(NumberedFrames.frame(1, 100, NumberedFrames.PORT), 0x2007),
                NumberedFrames.frame(2, 100, NumberedFrames.PORT));
        try (PacketCapture capture = open(frames, options -> options)) {
            NumberedFrames.assertSame(receive(capture, new PacketBatch(8), 2), frames);
        }
    }

    @Test
    void saysThatAnInterfaceIsDown() {
        namespaces.ipWhereReceived("link", "set", Namespaces.RECEIVER, "down");
        try {
            assertThatThrownBy(() -> open(List.of(), options -> options))
                    .isInstanceOf(CaptureException.class)
                    .hasMessageContaining(Namespaces.RECEIVER + ": libpcap cannot open it: ")
                    .hasMessageContaining("not up");
        } finally {
            namespaces.ipWhereReceived("link", "set", Namespaces.RECEIVER, "up");
        }
    }

    @Test
    void filtersByTags() {
        byte[] tagged = NumberedFrames.tagged(NumberedFrames.frame(1, 100, NumberedFrames.PORT), 7);
        List<byte[]> frames = List.of(NumberedFrames.frame(2, 100, NumberedFrames.PORT), tagged);
        try (PacketCapture capture = open(frames, options -> options.withFilter("vlan 7 and udp"))) {
            NumberedFrames.assertSame(receive(capture, new PacketBatch(8), 1), List.of(tagged));
        }
    }
}
