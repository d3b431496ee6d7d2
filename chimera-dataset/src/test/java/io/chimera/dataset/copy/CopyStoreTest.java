package io.chimera.dataset.copy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders of copies with damaged files, full disks, limits and other processes. */
final class CopyStoreTest {
    private static final int BLOCK = CopyingProcess.BLOCK;
    private static final Duration DAY = Duration.ofDays(1);
    private static final CopyPlace PLACE = new CopyPlace("0123456789abcdef0123456789abcdef", 3);

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();

    private CopyStore open(long maxBytes, Duration keepFor) throws IOException {
        return CopyStore.open(folder, new CopyLimits(maxBytes, keepFor, BLOCK), clock);
    }

    private CopyStore open() throws IOException {
        return open(1L << 30, DAY);
    }

    private static ByteBuffer bytes(int seed) {
        byte[] bytes = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            bytes[i] = (byte) (seed + i * 7);
        }
        return ByteBuffer.wrap(bytes);
    }

    private static CopyFile.Found read(CopyStore store, int block, ByteBuffer into) throws IOException {
        return store.read(PLACE, block, BLOCK, 0, into);
    }

    private static CopyFile.Found read(CopyStore store, int block) throws IOException {
        return read(store, block, ByteBuffer.allocate(BLOCK));
    }

    private static void write(CopyStore store, CopyPlace place, int block) throws IOException {
        assertThat(store.pin(place)).isTrue();
        assertThat(store.write(place, block, bytes(block))).isEmpty();
    }

    private void change(long offset) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(PLACE.file(folder).toFile(), "rw")) {
            file.seek(offset);
            int old = file.read();
            file.seek(offset);
            file.write(old ^ 1);
        }
    }

    private void cut(long length) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(PLACE.file(folder).toFile(), "rw")) {
            file.setLength(length);
        }
    }

    // Content

    @Test
    void blocksAreThereAfterARestart() throws IOException {
        try (CopyStore store = open()) {
            write(store, PLACE, 5);
            store.unpin(PLACE);
        }
        try (CopyStore store = open()) {
            ByteBuffer into = ByteBuffer.allocate(BLOCK);
            ByteBuffer part = ByteBuffer.allocate(10);

            assertThat(read(store, 5, into)).isEqualTo(CopyFile.Found.SOUND);
            assertThat(into.flip()).isEqualTo(bytes(5));
            assertThat(store.read(PLACE, 5, BLOCK, 4_000, part)).isEqualTo(CopyFile.Found.SOUND);
            assertThat(part.flip()).isEqualTo(bytes(5).slice(4_000, 10));
            assertThat(read(store, 4)).isEqualTo(CopyFile.Found.ABSENT);
            assertThat(store.arrived(PLACE).stream()).containsExactly(5);
        }
    }

    /** The offsets are those of all bytes of the record. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void aTornRecordIsNoBlock(int offset) throws IOException {
        try (CopyStore store = open()) {
            write(store, PLACE, 2);
            change(2 * 8 + offset);

            assertThat(read(store, 2)).isEqualTo(CopyFile.Found.ABSENT);
            assertThat(store.arrived(PLACE).isEmpty()).isTrue();
            write(store, PLACE, 2);
            assertThat(read(store, 2)).isEqualTo(CopyFile.Found.SOUND);
        }
    }

    @Test
    void aRecordOfAnotherFileIsNoBlock() throws IOException {
        CopyPlace other = new CopyPlace(PLACE.name(), 4);
        try (CopyStore store = open()) {
            write(store, PLACE, 2);
            Files.copy(PLACE.file(folder), other.file(folder));

            assertThat(store.read(other, 2, BLOCK, 0, ByteBuffer.allocate(BLOCK)))
                    .isEqualTo(CopyFile.Found.ABSENT);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10, 4_000})
    void aTornIndexIsNoBlock(long length) throws IOException {
        try (CopyStore store = open()) {
            write(store, PLACE, 0);
            cut(length);

            assertThat(read(store, 0)).isEqualTo(CopyFile.Found.ABSENT);
            assertThat(store.arrived(PLACE).isEmpty()).isTrue();
        }
    }

    @Test
    void aDamagedBlockIsToldOnceAndThenAbsent() throws IOException {
        try (CopyStore store = open()) {
            write(store, PLACE, 1);
            change(CopyFile.BLOCKS_AT + BLOCK + 77);

            assertThat(read(store, 1)).isEqualTo(CopyFile.Found.DAMAGED);
            assertThat(read(store, 1)).isEqualTo(CopyFile.Found.ABSENT);
        }
    }

    /** The record reached the disk, and the end of the block did not. */
    @Test
    void aBlockWithoutItsEndIsDamaged() throws IOException {
        try (CopyStore store = open()) {
            write(store, PLACE, 0);
            cut(CopyFile.BLOCKS_AT + BLOCK / 2);

            assertThat(read(store, 0)).isEqualTo(CopyFile.Found.DAMAGED);
        }
    }

    // Disk

    /** A disk without room; counts the writes. */
    private static final class FullDisk implements CopyDisk {
        private boolean isFull = true;
        private int writes;

        @Override
        public void read(Path file, long offset, ByteBuffer into) throws IOException {
            FILES.read(file, offset, into);
        }

        @Override
        public void write(Path file, long offset, ByteBuffer bytes) throws IOException {
            writes++;
            if (isFull) {
                FILES.write(file, offset, bytes.slice(0, bytes.remaining() / 2));
                throw new IOException("No space left on device");
            }
            FILES.write(file, offset, bytes);
        }

        @Override
        public void force(Path file) throws IOException {
            FILES.force(file);
        }
    }

    @Test
    void afterAFullDiskWritesPauseAndBeginAgain() throws IOException {
        FullDisk disk = new FullDisk();
        CopyLimits limits = new CopyLimits(1L << 30, DAY, BLOCK);
        try (CopyStore store = CopyStore.open(folder, limits, clock, disk)) {
            assertThat(store.pin(PLACE)).isTrue();

            assertThat(store.write(PLACE, 0, bytes(0)).orElseThrow())
                    .contains(folder.toString(), "No space left", "copies.folder");
            assertThat(read(store, 0)).isEqualTo(CopyFile.Found.ABSENT);
            disk.isFull = false;
            assertThat(store.write(PLACE, 0, bytes(0)).orElseThrow()).contains("No space left");
            assertThat(disk.writes).isEqualTo(1);
            clock.advance(Duration.ofMinutes(1));
            assertThat(store.write(PLACE, 0, bytes(0))).isEmpty();
            assertThat(read(store, 0)).isEqualTo(CopyFile.Found.SOUND);
        }
    }

    @Test
    void namesAFolderThatCannotBeUsed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> CopyStore.open(file, new CopyLimits(1, DAY, 1), clock))
                .hasMessageContainingAll(file.toString(), "copies.folder");
    }

    // Limits

    private CopyPlace place(int number) {
        return new CopyPlace("0123456789abcdef0123456789abcdef", number);
    }

    private List<Integer> existing(int count) {
        List<Integer> existing = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (Files.exists(place(i).file(folder))) {
                existing.add(i);
            }
        }
        return existing;
    }

    /** Four files with a block each fit; the file with the oldest use is in use by a job. */
    @Test
    void theOldestUseIsDeletedForRoomAndNeverAFileInUse() throws IOException {
        long max = 4L * (CopyFile.BLOCKS_AT + BLOCK) + BLOCK / 2;
        try (CopyStore store = open(max, DAY)) {
            for (int i = 0; i < 4; i++) {
                write(store, place(i), 0);
                if (i > 0) {
                    store.unpin(place(i));
                }
                clock.advance(Duration.ofSeconds(1));
            }
            write(store, place(4), 0);

            assertThat(existing(5)).containsExactly(0, 2, 3, 4);
        }
    }

    @Test
    void withoutRoomNothingIsWrittenUntilFilesAreFree() throws IOException {
        try (CopyStore store = open(2L * (CopyFile.BLOCKS_AT + BLOCK), DAY)) {
            write(store, place(0), 0);
            write(store, place(1), 0);
            assertThat(store.pin(place(2))).isTrue();

            assertThat(store.write(place(2), 0, bytes(0)).orElseThrow())
                    .contains(folder.toString(), "in use", "copies.max_bytes");
            store.unpin(place(0));
            clock.advance(Duration.ofSeconds(10));
            assertThat(store.write(place(2), 0, bytes(0))).isEmpty();
            assertThat(existing(3)).containsExactly(1, 2);
        }
    }

    /** The last blocks of files: the files are long, and have holes. */
    @Test
    void holesDoNotCount() throws IOException {
        int last = CopyFile.blocksPerFile(BLOCK) - 1;
        long max = 4L * (CopyFile.BLOCKS_AT + BLOCK);
        try (CopyStore store = open(max, DAY)) {
            for (int i = 0; i < 4; i++) {
                write(store, place(i), last);
            }
            store.deleteOld(); // counts what is there
            assertThat(Files.size(place(0).file(folder))).isGreaterThan(max);
            assertThat(store.pin(place(4))).isTrue();

            assertThat(store.write(place(4), last, bytes(0)).orElseThrow()).contains("copies.max_bytes");
            assertThat(existing(4)).containsExactly(0, 1, 2, 3);
        }
    }

    /** A reader of a job is cancelled while it looks for room: the disk has not failed. */
    @Test
    void anInterruptedLookIsNoFailureOfTheDisk() throws IOException {
        try (CopyStore store = open(2L * (CopyFile.BLOCKS_AT + BLOCK), DAY)) {
            write(store, place(0), 1);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> store.refusal(2 * BLOCK)).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();

            assertThat(store.refusal(BLOCK)).isEmpty();
        }
    }

    @Test
    void aCopyIsDeletedSomeTimeAfterItsLastUse() throws IOException {
        Path foreign = Files.writeString(folder.resolve("notes.txt"), "not a copy");
        Files.setLastModifiedTime(foreign, FileTime.fromMillis(0));
        try (CopyStore store = open()) {
            for (int i = 0; i < 3; i++) {
                write(store, place(i), 0);
                store.unpin(place(i));
            }
            clock.advance(Duration.ofHours(23));
            assertThat(store.pin(place(1))).isTrue();
            store.unpin(place(1));
            assertThat(store.pin(place(2))).isTrue();
            clock.advance(Duration.ofHours(2));
            store.deleteOld();
            assertThat(existing(3)).containsExactly(1, 2);
            clock.advance(DAY);
            store.deleteOld();

            assertThat(existing(3)).as("in use").containsExactly(2);
            assertThat(foreign).exists();
        }
    }

    // Other processes

    private Process process(String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                CopyingProcess.class.getName(),
                folder.toString()));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitCopy(Process process) throws IOException {
        assertThat(new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII)).readLine())
                .isEqualTo("copied");
    }

    @Test
    void filesOfAnotherProcessAreDeletedAfterItsDeath() throws Exception {
        Process other = process();
        try (CopyStore store = open(1L << 30, Duration.ZERO)) {
            awaitCopy(other);
            clock.advance(Duration.ofDays(1_000));
            store.deleteOld();
            assertThat(copies()).isNotEmpty();
            other.destroyForcibly().waitFor();
            store.deleteOld();

            assertThat(copies()).isEmpty();
        } finally {
            other.destroyForcibly();
        }
    }

    private List<Path> copies() throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".copy1")).toList();
        }
    }

    /** Two processes write the same blocks, and one of them is killed at any line: no byte is wrong. */
    @Test
    void twoProcessesAndAKillDamageNothing() throws Exception {
        MemoryFar far = new MemoryFar(CopyingProcess.LENGTH, CopyingProcess.TAG);
        for (int round = 0; round < 3; round++) {
            Process other = process("again");
            try (CopyStore store = open();
                    CopySource copies = new CopySource(far, "", store, clock)) {
                awaitCopy(other);
                for (int i = 0; i < 10; i++) {
                    assertContent(copies, far);
                }
                other.destroyForcibly().waitFor();
                assertContent(copies, far);
                far.taken();
                assertContent(copies, far);
                assertThat(far.taken()).as("everything is copied").isZero();
                assertThat(copies.totals().damagedBlocks()).isZero();
            } finally {
                other.destroyForcibly();
            }
        }
    }

    private static void assertContent(CopySource copies, MemoryFar far) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(CopyingProcess.LENGTH);
        copies.read(far.object(), 0, all);
        assertThat(all.array()).isEqualTo(far.content());
    }
}
