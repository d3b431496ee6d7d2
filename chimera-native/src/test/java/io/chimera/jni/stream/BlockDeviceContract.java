package io.chimera.jni.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract of every device. */
abstract class BlockDeviceContract {

    static final int MIB = 1 << 20;
    private static final int DEPTH = 4;
    private static final int WAIT_MS = 600_000;

    @TempDir
    Path folder;

    private final UnsafeBuffer memory = AlignedMemory.allocate(4 * MIB);
    private final UnsafeBuffer other = AlignedMemory.allocate(4 * MIB);
    private final List<Long> tokens = new ArrayList<>();
    private final List<Integer> results = new ArrayList<>();

    /** Opens a device with the tested mechanism. */
    abstract BlockDevice open(String target, DeviceOptions options);

    /** Path of at least 16 MiB, to be opened with {@link #options}. */
    String target() {
        return folder.resolve("volume").toString();
    }

    /** Options for opening the target. */
    DeviceOptions options() {
        return DeviceOptions.file(16 * MIB).withDepth(DEPTH);
    }

    @Test
    void readsWhatWasWrittenEverywhere() {
        try (BlockDevice device = open(target(), options())) {
            device.register(memory.addressOffset(), memory.capacity());
            for (long offset : new long[] {0, MIB, device.size() - MIB}) {
                fill(memory, 0, MIB, offset + 1);
                write(device, offset, MIB);
            }
            for (long offset : new long[] {device.size() - MIB, 0, MIB}) {
                assertThat(device.read(offset, other.addressOffset(), MIB)).isEqualTo(MIB);
                assertFilled(other, 0, MIB, offset + 1);
            }
        }
    }

    @Test
    void whatWasWrittenAndFlushedIsThereWhenItIsOpenedAgain() {
        fill(memory, 0, MIB, 7);
        String target = target();
        long size;
        try (BlockDevice device = open(target, options())) {
            size = device.size();
            write(device, 2 * MIB, MIB);
            assertThat(device.flush(5)).isTrue();
            assertThat(completions(device, 1)).containsExactly(5L);
            assertThat(results).containsOnly(MIB, 0);
        }
        try (BlockDevice device = open(target, options().withBytes(0))) {
            assertThat(device.size()).isEqualTo(size);
            assertThat(device.read(2 * MIB, other.addressOffset(), MIB)).isEqualTo(MIB);
            assertFilled(other, 0, MIB, 7);
        }
    }

    @Test
    void takesAsManyOperationsAsItsDepthAndNamesEachByItsToken() {
        try (BlockDevice device = open(target(), options())) {
            assertThat(device.depth()).isEqualTo(DEPTH);
            for (int round = 0; round < 10; round++) {
                for (int i = 0; i < DEPTH - 1; i++) {
                    fill(memory, i * MIB, MIB, i);
                    assertThat(device.write((long) i * MIB, memory.addressOffset() + (long) i * MIB, MIB, 100 + i))
                            .isTrue();
                }
                assertThat(device.flush(99)).isTrue();
                assertThat(device.write(8 * MIB, memory.addressOffset(), MIB, 1))
                        .isFalse();
                assertThat(device.flush(1)).isFalse();
                assertThat(completions(device, DEPTH)).containsExactlyInAnyOrder(99L, 100L, 101L, 102L);
                assertThat(device.read(0, other.addressOffset(), 3 * MIB)).isEqualTo(3 * MIB);
                for (int i = 0; i < DEPTH - 1; i++) {
                    assertFilled(other, i * MIB, MIB, i);
                }
            }
        }
    }

    @Test
    void aCompletionMaySubmitTheNextWrite() {
        try (BlockDevice device = open(target(), options())) {
            int count = 50;
            BlockDevice.Completions next = new BlockDevice.Completions() {
                @Override
                public void onCompletion(long token, int result) {
                    assertThat(result).isEqualTo(4096);
                    tokens.add(token);
                    if (token + DEPTH < count) {
                        assertThat(device.write((token + DEPTH) * 4096, memory.addressOffset(), 4096, token + DEPTH))
                                .isTrue();
                    }
                }
            };
            for (int i = 0; i < DEPTH; i++) {
                assertThat(device.write(i * 4096L, memory.addressOffset(), 4096, i))
                        .isTrue();
            }
            while (tokens.size() < count) {
                assertThat(device.poll(next, WAIT_MS)).isPositive();
            }
            assertThat(tokens).hasSize(count).doesNotHaveDuplicates();
        }
    }

    @Test
    void waitsForNothingWhenNothingIsInFlight() {
        try (BlockDevice device = open(target(), options())) {
            assertThat(device.poll((token, result) -> tokens.add(token), 0)).isZero();
            assertThat(device.poll((token, result) -> tokens.add(token), WAIT_MS))
                    .isZero();
            assertThat(tokens).isEmpty();
        }
    }

    @Test
    void anyThreadMayReadWhileOneWrites() throws InterruptedException {
        try (BlockDevice device = open(target(), options())) {
            fill(memory, 0, MIB, 1);
            write(device, 0, MIB);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Thread reader = new Thread(() -> readManyTimes(device));
                reader.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
                reader.start();
                readers.add(reader);
            }
            for (int i = 1; i < 100; i++) {
                write(device, (long) (1 + i % 10) * MIB, MIB);
            }
            for (Thread reader : readers) {
                reader.join();
            }
            assertThat(failure.get()).isNull();
        }
    }

    private static void readManyTimes(BlockDevice device) {
        UnsafeBuffer own = AlignedMemory.allocate(MIB);
        for (int i = 0; i < 50; i++) {
            assertThat(device.read(0, own.addressOffset(), MIB)).isEqualTo(MIB);
            assertFilled(own, 0, MIB, 1);
        }
    }

    @Test
    void anInterruptOfAReaderHarmsNobody() {
        try (BlockDevice device = open(target(), options())) {
            fill(memory, 0, 4096, 3);
            write(device, 0, 4096);
            Thread.currentThread().interrupt();
            assertThat(device.read(0, other.addressOffset(), 4096)).isEqualTo(4096);
            assertThat(Thread.interrupted()).isTrue();
            write(device, 4096, 4096);
            assertThat(device.read(0, other.addressOffset(), 4096)).isEqualTo(4096);
            assertFilled(other, 0, 4096, 3);
        }
    }

    @Test
    void refusesWhatIsNotWithinItOrNotAligned() {
        try (BlockDevice device = open(target(), options())) {
            long address = memory.addressOffset();
            int alignment = device.alignment();
            assertThat(alignment).isBetween(4096, AlignedMemory.ALIGNMENT);
            assertThat(Integer.bitCount(alignment)).isEqualTo(1);
            assertThat(device.size() % alignment).isZero();
            long[][] wrong = {
                {1, address, alignment},
                {0, address + 1, alignment},
                {0, address, alignment - 1},
                {0, address, 0},
                {-alignment, address, alignment},
                {device.size(), address, alignment},
                {device.size() - alignment, address, 2L * alignment},
                {Long.MAX_VALUE - alignment + 1, address, alignment},
            };
            for (long[] place : wrong) {
                assertThatThrownBy(() -> device.write(place[0], place[1], (int) place[2], 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(target());
                assertThatThrownBy(() -> device.read(place[0], place[1], (int) place[2]))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void belongsToOneAtATime() {
        String target = target();
        try (BlockDevice device = open(target, options())) {
            for (Mechanism mechanism : Mechanism.values()) {
                if (BlockDevices.isAvailable(mechanism)) {
                    assertThatThrownBy(() -> BlockDevices.open(
                                    target, options().withBytes(0).withMechanism(mechanism)))
                            .isInstanceOf(DeviceException.class)
                            .hasMessageContaining(target)
                            .hasMessageContaining("already open elsewhere");
                }
            }
            write(device, 0, 4096);
        }
        open(target, options().withBytes(0)).close();
    }

    @Test
    void closesTwiceAndIsOfNoUseThen() {
        BlockDevice device = open(target(), options());
        device.write(0, memory.addressOffset(), MIB, 1);
        device.close();
        device.close();
        assertThatThrownBy(() -> device.write(0, memory.addressOffset(), MIB, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> device.flush(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> device.poll((token, result) -> {}, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> device.read(0, memory.addressOffset(), MIB)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void saysWhatItIs() {
        try (BlockDevice device = open(target(), options())) {
            assertThat(device.toString())
                    .contains(target())
                    .contains(Long.toString(device.size()))
                    .contains("page cache");
        }
    }

    @Test
    void namesWhatIsNotThere() {
        assertThatThrownBy(() -> open("/nowhere/volume", options()))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("/nowhere/volume");
        assertThatThrownBy(
                        () -> open(folder.resolve("none").toString(), options().withBytes(0)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("there is no such file; specify a size");
    }

    @Test
    void refusesWhatIsNoDevice() {
        assertThatThrownBy(() -> open(folder.toString(), options().withBytes(0)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("it is neither a block device nor a file");
        assertThatThrownBy(() -> open("/dev/null", options().withBytes(0)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("it is neither a block device nor a file");
    }

    @Test
    void makesAFileLongerButNeverShorter() throws IOException {
        String file = folder.resolve("grows").toString();
        fill(memory, 0, MIB, 9);
        try (BlockDevice device = open(file, DeviceOptions.file(MIB))) {
            assertThat(device.size()).isEqualTo(MIB);
            write(device, 0, MIB);
        }
        try (BlockDevice device = open(file, DeviceOptions.file(5 * MIB + 100))) {
            assertThat(device.size()).isEqualTo(5 * MIB);
            assertThat(device.read(0, other.addressOffset(), 2 * MIB)).isEqualTo(2 * MIB);
            assertFilled(other, 0, MIB, 9);
            assertThat(other.getLong(MIB)).isZero();
        }
        assertThat((long) Files.getAttribute(Path.of(file), "unix:size")).isEqualTo(5 * MIB);
        assertThatThrownBy(() -> open(file, DeviceOptions.file(MIB)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("it has 5242880 bytes, not 1048576; omit the size");
    }

    @Test
    void refusesAnEmptyFile() throws IOException {
        Path file = Files.createFile(folder.resolve("empty"));
        assertThatThrownBy(() -> open(file.toString(), options().withBytes(0)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("it is empty; specify a size");
    }

    @Test
    void refusesASizeForWhichThereIsNoRoom() {
        assertThatThrownBy(() -> open(folder.resolve("huge").toString(), DeviceOptions.file(1L << 60)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("huge")
                .hasMessageContaining("room");
    }

    @Test
    void readsLessWhereAFileShrank() throws IOException {
        Path file = folder.resolve("shrinks");
        try (BlockDevice device = open(file.toString(), DeviceOptions.file(4 * MIB))) {
            try (RandomAccessFile shrunk = new RandomAccessFile(file.toFile(), "rw")) {
                shrunk.setLength(2 * MIB);
            }
            assertThat(device.read(MIB, other.addressOffset(), 2 * MIB)).isEqualTo(MIB);
            assertThat(device.read(3 * MIB, other.addressOffset(), MIB)).isZero();
        }
    }

    final void write(BlockDevice device, long offset, int length) {
        assertThat(device.write(offset, memory.addressOffset(), length, 1)).isTrue();
        assertThat(completions(device, 1)).containsExactly(1L);
        assertThat(results.get(results.size() - 1)).isEqualTo(length);
    }

    private List<Long> completions(BlockDevice device, int count) {
        tokens.clear();
        while (tokens.size() < count) {
            int before = tokens.size();
            int polled = device.poll(
                    (token, result) -> {
                        tokens.add(token);
                        results.add(result);
                    },
                    WAIT_MS);
            assertThat(polled).isPositive().isEqualTo(tokens.size() - before);
        }
        return tokens;
    }

    static void fill(UnsafeBuffer buffer, int from, int length, long seed) {
        for (int i = 0; i < length; i += Long.BYTES) {
            buffer.putLong(from + i, seed * 31 + i);
        }
    }

    static void assertFilled(UnsafeBuffer buffer, int from, int length, long seed) {
        long wrong = LongStream.range(0, length / Long.BYTES)
                .filter(i -> buffer.getLong(from + (int) i * Long.BYTES) != seed * 31 + i * Long.BYTES)
                .count();
        assertThat(wrong).isZero();
    }
}
