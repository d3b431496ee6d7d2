package io.chimera.jni.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlockDevicesTest {

    private static final long BYTES = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void everyMachineHasDevices() {
        String target = folder.resolve("volume").toString();
        try (BlockDevice device = BlockDevices.open(target, DeviceOptions.file(BYTES))) {
            assertThat(device.size()).isEqualTo(BYTES);
            assertThat(device.depth()).isEqualTo(DeviceOptions.DEPTH_DEFAULT);
            assertThat(device.toString())
                    .contains(BlockDevices.isAvailable(Mechanism.IO_URING) ? "io_uring" : "one write");
        }
        assertThat(BlockDevices.isAvailable(Mechanism.BEST)).isTrue();
        assertThat(BlockDevices.isAvailable(Mechanism.JAVA)).isTrue();
    }

    @Test
    void aMechanismIsAvailableOrSaysWhatItLacks() {
        String target = folder.resolve("volume").toString();
        for (Mechanism mechanism : Mechanism.values()) {
            DeviceOptions options = DeviceOptions.file(BYTES).withMechanism(mechanism);
            String cause = BlockDevices.unavailabilityCause(mechanism);
            if (cause.isEmpty()) {
                BlockDevices.open(target, options).close();
            } else {
                assertThatThrownBy(() -> BlockDevices.open(target, options))
                        .isInstanceOf(DeviceException.class)
                        .hasMessage(target + ": cannot be opened: " + cause);
            }
        }
    }
}
