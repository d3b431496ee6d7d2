package io.chimera.bench.archive.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.jni.stream.AlignedMemory;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.BlockDevices;
import io.chimera.jni.stream.DeviceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ZonedDeviceTest {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int BLOCKS = 16;
    private static final int WAIT_MS = 600_000;

    /** Speed of 10 ms per block at the beginning of the device. */
    private static final double OUTER = 100.0 * BLOCK_BYTES;

    @TempDir
    Path folder;

    private final UnsafeBuffer memory = AlignedMemory.allocate(BLOCK_BYTES);
    private final List<Long> tokens = new ArrayList<>();

    @Test
    void nothingIsDoneSoonerThanByADiskThatTurns() {
        String file = folder.resolve("volume").toString();
        DeviceOptions options = DeviceOptions.file((long) BLOCKS * BLOCK_BYTES);
        try (ZonedDevice device = new ZonedDevice(BlockDevices.open(file, options), OUTER)) {
            assertThat(tookMs(device, 0)).isGreaterThanOrEqualTo(10);
            assertThat(tookMs(device, (BLOCKS - 1L) * BLOCK_BYTES)).isGreaterThanOrEqualTo(18);
            assertThat(device.flush(7)).isTrue();
            assertThat(device.poll((token, result) -> tokens.add(token), WAIT_MS))
                    .isEqualTo(1);
            assertThat(tokens).containsExactly(0L, 15L * BLOCK_BYTES, 7L);
            assertThat(device.poll((token, result) -> tokens.add(token), 0)).isZero();
            assertThat(device.taken().bytes()).isEqualTo(2L * BLOCK_BYTES);
            device.begin();
            tookMs(device, 0);
            assertThat(device.taken().bytes()).isEqualTo(BLOCK_BYTES);
        }
    }

    @Test
    void takesAsManyWritesAsTheDeviceBelow() {
        String file = folder.resolve("volume").toString();
        DeviceOptions options = DeviceOptions.file((long) BLOCKS * BLOCK_BYTES).withDepth(2);
        try (BlockDevice device = new ZonedDevice(BlockDevices.open(file, options), OUTER)) {
            assertThat(device.write(0, memory.addressOffset(), BLOCK_BYTES, 1)).isTrue();
            assertThat(device.write(BLOCK_BYTES, memory.addressOffset(), BLOCK_BYTES, 2))
                    .isTrue();
            assertThat(device.write(BLOCK_BYTES, memory.addressOffset(), BLOCK_BYTES, 3))
                    .isFalse();
            assertThat(device.flush(3)).isFalse();
            while (tokens.size() < 2) {
                assertThat(device.poll((token, result) -> tokens.add(token), WAIT_MS))
                        .isPositive();
            }
            assertThat(tokens).containsExactlyInAnyOrder(1L, 2L);
        }
    }

    private long tookMs(BlockDevice device, long offset) {
        long startNs = System.nanoTime();
        assertThat(device.write(offset, memory.addressOffset(), BLOCK_BYTES, offset))
                .isTrue();
        assertThat(device.poll((token, result) -> tokens.add(token), WAIT_MS)).isEqualTo(1);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }
}
