package io.chimera.jni.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class DeviceExceptionTest {

    @Test
    void everyErrorNamesTheDeviceAndARemedy() {
        assertThat(DeviceException.of("/dev/sdz", "flush", BlockDevice.EIO))
                .hasMessageContaining("/dev/sdz: a flush failed with error 5")
                .hasMessageContaining("replace the disk")
                .extracting(DeviceException::errno)
                .isEqualTo(5);
        assertThat(DeviceException.of("/dev/sdz", "write", -19)).hasMessageContaining("connect it again");
        assertThat(DeviceException.of("/dev/sdz", "write", -28)).hasMessageContaining("no room");
        assertThat(DeviceException.of("/dev/sdz", "read", 512)).hasMessageContaining("after 512 bytes");
        assertThat(DeviceException.of("/dev/sdz", "read", -77)).hasMessageContaining("77");
    }

    @Test
    void optionsHaveBounds() {
        assertThatThrownBy(() -> DeviceOptions.existing().withDepth(0)).hasMessageContaining("Between 1 and 256");
        assertThatThrownBy(() -> DeviceOptions.existing().withDepth(257)).hasMessageContaining("257");
        assertThatThrownBy(() -> DeviceOptions.file(-1)).hasMessageContaining("-1");
    }
}
