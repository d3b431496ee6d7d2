package io.chimera.jni.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Block devices with every mechanism, on a loop device; requires root. */
final class LoopDeviceIT {

    private static final long BYTES = 32 << 20;
    private static final int BLOCK_BYTES = 1 << 20;

    @TempDir
    Path folder;

    private String target = "";

    @BeforeEach
    void attach() throws IOException, InterruptedException {
        run("truncate", "-s", Long.toString(BYTES), folder.resolve("disk").toString());
        target = run("losetup", "--find", "--show", folder.resolve("disk").toString());
        assumeTrue(target.startsWith("/dev/loop"), () -> "no loop device can be made here: " + target);
    }

    @AfterEach
    void detach() throws IOException, InterruptedException {
        if (target.startsWith("/dev/loop")) {
            run("losetup", "--detach", target);
        }
    }

    @Test
    void everyMechanismWritesAllOfABlockDevice() {
        for (Mechanism mechanism : available()) {
            var memory = AlignedMemory.allocate(BLOCK_BYTES);
            var other = AlignedMemory.allocate(BLOCK_BYTES);
            int[] over = {0};
            try (BlockDevice device =
                    BlockDevices.open(target, DeviceOptions.existing().withMechanism(mechanism))) {
                assertThat(device.size()).isEqualTo(BYTES);
                device.register(memory.addressOffset(), BLOCK_BYTES);
                BlockDeviceContract.fill(memory, 0, BLOCK_BYTES, mechanism.number());
                for (long offset = 0; offset < BYTES; offset += BLOCK_BYTES) {
                    while (!device.write(offset, memory.addressOffset(), BLOCK_BYTES, offset)) {
                        device.poll((token, result) -> over[0] += result, 1000);
                    }
                }
                while (over[0] < BYTES) {
                    assertThat(device.poll((token, result) -> over[0] += result, 30_000))
                            .isPositive();
                }
                assertThat(device.flush(1)).isTrue();
                assertThat(device.poll((token, result) -> over[0] += result, 30_000))
                        .isEqualTo(1);
                assertThat(over[0]).isEqualTo((int) BYTES);
                assertThat(device.read(BYTES - BLOCK_BYTES, other.addressOffset(), BLOCK_BYTES))
                        .isEqualTo(BLOCK_BYTES);
                BlockDeviceContract.assertFilled(other, 0, BLOCK_BYTES, mechanism.number());
            }
        }
    }

    @Test
    void everyMechanismKeepsTheOthersAway() {
        for (Mechanism first : available()) {
            for (Mechanism second : available()) {
                DeviceOptions options = DeviceOptions.existing();
                try (BlockDevice device = BlockDevices.open(target, options.withMechanism(first))) {
                    assertThatThrownBy(() -> BlockDevices.open(target, options.withMechanism(second)))
                            .isInstanceOf(DeviceException.class)
                            .hasMessageContaining(target)
                            .hasMessageContaining("already open elsewhere");
                    assertThat(device.size()).isEqualTo(BYTES);
                }
            }
        }
    }

    @Test
    void whatAKilledProcessHadOnItsWayIsWrittenBeforeTheNextOneReads() throws IOException, InterruptedException {
        Path caps = Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");
        assumeTrue(
                Files.isWritable(caps) && BlockDevices.isAvailable(Mechanism.IO_URING), "nothing can be held up here");
        String number = Files.readString(
                        Path.of("/sys/block", Path.of(target).getFileName().toString(), "dev"))
                .strip();
        Files.writeString(caps, number + " " + 4 * BLOCK_BYTES);
        try {
            Process writer = KilledWriter.start(target);
            try (BufferedReader said = writer.inputReader()) {
                String line = said.readLine();
                while (line != null && !line.equals(KilledWriter.WRITING)) {
                    line = said.readLine();
                }
                assertThat(line).isEqualTo(KilledWriter.WRITING);
                writer.destroyForcibly().waitFor();
            }
            var memory = AlignedMemory.allocate(BLOCK_BYTES);
            try (BlockDevice device = BlockDevices.open(target, DeviceOptions.existing())) {
                for (int block = 0; block < KilledWriter.BLOCKS; block++) {
                    assertThat(device.read((long) block * BLOCK_BYTES, memory.addressOffset(), BLOCK_BYTES))
                            .isEqualTo(BLOCK_BYTES);
                    BlockDeviceContract.assertFilled(memory, 0, BLOCK_BYTES, block);
                }
            }
        } finally {
            Files.writeString(caps, number + " 0");
        }
    }

    @Test
    void aDeviceHasTheSizeItHas() {
        for (Mechanism mechanism : available()) {
            DeviceOptions options = DeviceOptions.file(2 * BYTES).withMechanism(mechanism);
            assertThatThrownBy(() -> BlockDevices.open(target, options))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("it has " + BYTES + " bytes, not " + 2 * BYTES);
        }
    }

    @Test
    void refusesWhatIsMounted() throws IOException, InterruptedException {
        run("mkfs.ext4", "-q", target);
        Path mountPoint = Files.createDirectory(folder.resolve("mounted"));
        String said = run("mount", target, mountPoint.toString());
        assumeTrue(said.isEmpty(), () -> "nothing can be mounted here: " + said);
        try {
            for (Mechanism mechanism : available()) {
                assertThatThrownBy(() -> BlockDevices.open(
                                target, DeviceOptions.existing().withMechanism(mechanism)))
                        .isInstanceOf(DeviceException.class)
                        .hasMessageContaining("mounted");
            }
        } finally {
            run("umount", mountPoint.toString());
        }
    }

    private static List<Mechanism> available() {
        return Arrays.stream(Mechanism.values())
                .filter(BlockDevices::isAvailable)
                .toList();
    }

    /** Runs a command; returns standard output and standard error. */
    private static String run(String... command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            process.waitFor();
            return said;
        } catch (IOException e) {
            return e.toString();
        }
    }
}
