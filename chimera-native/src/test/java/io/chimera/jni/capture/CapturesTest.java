package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CapturesTest {

    @TempDir
    Path folder;

    @Test
    void filesAreReadOnEveryMachine() {
        assertThat(Captures.isAvailable("file")).isTrue();
        Path file = folder.resolve("x.pcap");
        NumberedFrames.write(file, NumberedFrames.frames(3));
        try (PacketCapture capture = Captures.open(CaptureOptions.of(file.toString()))) {
            assertThat(capture.receive(new PacketBatch(8), 0)).isEqualTo(3);
        }
    }

    @Test
    void aBackEndIsAvailableOrSaysWhatItLacks() {
        for (String backEnd : Captures.BACK_ENDS) {
            String cause = Captures.unavailabilityCause(backEnd);
            assertThat(Captures.isAvailable(backEnd)).isEqualTo(cause.isEmpty());
            if (!cause.isEmpty()) {
                assertThatThrownBy(() -> Captures.open(CaptureOptions.of(backEnd + ":nowhere0")))
                        .isInstanceOf(CaptureException.class)
                        .hasMessageContaining(backEnd + ":nowhere0: " + cause);
            }
        }
    }

    @Test
    void aBackEndThatNobodyKnowsIsRefused() {
        assertThatThrownBy(() -> Captures.isAvailable("pigeon")).hasMessageContaining("file, libpcap, tpacket");
    }

    @Test
    void theListOfBackEndsIsThatOfTheLibrary() {
        if (CaptureLibrary.isLoaded()) {
            List<String> missing = Captures.BACK_ENDS.stream()
                    .filter(backEnd -> CaptureLibrary.backEndNumber(backEnd) < 0)
                    .filter(backEnd -> !Captures.unavailabilityCause(backEnd).contains(backEnd))
                    .toList();
            assertThat(missing).isEmpty();
        }
    }
}
