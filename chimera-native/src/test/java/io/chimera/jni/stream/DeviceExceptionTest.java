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
        assertThat(DeviceException.of("/dev/sdz", "write", -19)).hasMessageContaining("reconnect");
        assertThat(DeviceException.of("/dev/sdz", "write", -28)).hasMessageContaining("file system is full");
        assertThat(DeviceException.of("/dev/sdz", "read", 512)).hasMessageContaining("after 512 bytes");
        assertThat(DeviceException.of("/dev/sdz", "read", -77)).hasMessageContaining("77");
    }

    @Test
    void optionsHaveBounds() {
        assertThatThrownBy(() -> DeviceOptions.existing().withDepth(0)).hasMessageContaining("1 to 256");
        assertThatThrownBy(() -> DeviceOptions.existing().withDepth(257)).hasMessageContaining("257");
        assertThatThrownBy(() -> DeviceOptions.file(-1)).hasMessageContaining("-1");
    }
}
