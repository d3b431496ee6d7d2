package io.chimera.jni.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Additional contract of the native library's devices. */
abstract class NativeDeviceContract extends BlockDeviceContract {

    private static final int TRIES = 5;
    private static final int ROUNDS = 100;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    abstract Mechanism mechanism();

    @BeforeEach
    void needsTheMechanism() {
        String cause = BlockDevices.unavailabilityCause(mechanism());
        assumeTrue(cause.isEmpty(), cause);
    }

    @Override
    BlockDevice open(String target, DeviceOptions options) {
        return BlockDevices.open(target, options.withMechanism(mechanism()));
    }

    /** The JVM may allocate during a first call or a compilation, so the minimum of a few attempts counts. */
    @Test
    void writesWithoutAllocating() {
        UnsafeBuffer memory = AlignedMemory.allocate(4096);
        BlockDevice.Completions ignored = (token, result) -> {};
        try (BlockDevice device = open(target(), options())) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < TRIES; i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int k = 0; k < ROUNDS; k++) {
                    device.write(4096L * k, memory.addressOffset(), 4096, k);
                    while (device.poll(ignored, 1000) == 0) {
                        Thread.onSpinWait();
                    }
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isZero();
        }
    }
}
