package io.chimera.dataset.source.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FolderSourceTest {
    private static final int OBJECTS_MAX = 100;

    @TempDir
    Path folder;

    private Path root;
    private FolderSource source;

    @BeforeEach
    void open() throws IOException {
        root = Files.createDirectory(folder.resolve("root"));
        source = new FolderSource(root, OBJECTS_MAX);
    }

    @AfterEach
    void close() {
        source.close();
    }

    private Path write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private DataObject only(String pattern) throws SourceException {
        assertThat(source.list(pattern)).hasSize(1);
        return source.list(pattern).get(0);
    }

    private static void assertFault(SourceFault fault, ThrowingCallable call) {
        assertThat(catchThrowableOfType(SourceException.class, call).fault()).isEqualTo(fault);
    }

    @Test
    void listsFilesThatMatchInTheOrderOfTheirPaths() throws IOException {
        write("b.csv", "22");
        write("a.csv", "1");
        write("2026/01/c.csv", "333");
        write("2026/01/c.txt", "");
        write("2026.csv", "");

        assertThat(source.list("*.csv")).extracting(DataObject::path).containsExactly("2026.csv", "a.csv", "b.csv");
        assertThat(source.list("**/*.csv"))
                .extracting(DataObject::path)
                .containsExactly("2026.csv", "2026/01/c.csv", "a.csv", "b.csv");
        assertThat(source.list("2026/**"))
                .extracting(DataObject::path)
                .containsExactly("2026/01/c.csv", "2026/01/c.txt");
        assertThat(source.list("2026/01/c.csv")).extracting(DataObject::length).containsExactly(3L);
        assertThat(source.list("none/*")).isEmpty();
        assertThat(source.list("2026/01")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsRangesIntoBuffersOfBothKinds(boolean isDirect) throws IOException {
        byte[] content = new byte[3 << 20];
        new Random(5).nextBytes(content);
        Files.write(root.resolve("a.bin"), content);
        DataObject object = only("a.bin");

        for (int[] range : new int[][] {{0, content.length}, {0, 1}, {content.length - 1, 1}, {12_345, 2_000_000}}) {
            ByteBuffer into = isDirect ? ByteBuffer.allocateDirect(range[1] + 8) : ByteBuffer.allocate(range[1] + 8);
            into.position(3).limit(3 + range[1]);
            source.read(object, range[0], into);

            assertThat(into.hasRemaining()).isFalse();
            byte[] read = new byte[range[1]];
            into.get(3, read);
            assertThat(read).isEqualTo(Arrays.copyOfRange(content, range[0], range[0] + range[1]));
        }
    }

    @Test
    void manyThreadsReadAtTheSameTime() throws Exception {
        byte[] content = new byte[1 << 20];
        new Random(6).nextBytes(content);
        Files.write(root.resolve("a.bin"), content);
        DataObject object = only("a.bin");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            var reads = IntStream.range(0, 64)
                    .mapToObj(i -> threads.submit(() -> {
                        ByteBuffer into = ByteBuffer.allocate(16 << 10);
                        source.read(object, i * (16L << 10), into);
                        return into.array();
                    }))
                    .toList();
            int at = 0;
            for (Future<byte[]> read : reads) {
                assertThat(read.get()).isEqualTo(Arrays.copyOfRange(content, at, at + (16 << 10)));
                at += 16 << 10;
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void refusesRangesBeyondTheObject() throws IOException {
        write("a", "12345");
        DataObject object = only("a");
        assertThatIllegalArgumentException().isThrownBy(() -> source.read(object, 1, ByteBuffer.allocate(5)));
        assertThatIllegalArgumentException().isThrownBy(() -> source.read(object, -1, ByteBuffer.allocate(1)));
    }

    @Test
    void noticesChangesOfTimeLengthAndFile() throws IOException {
        Path file = write("a", "12345");
        FileTime time = Files.getLastModifiedTime(file);
        DataObject object = only("a");

        Files.setLastModifiedTime(file, FileTime.from(time.toInstant().plusSeconds(1)));
        assertFault(SourceFault.CHANGED, () -> source.read(object, 0, ByteBuffer.allocate(1)));
        Files.setLastModifiedTime(file, time);
        source.read(object, 0, ByteBuffer.allocate(1));

        Files.writeString(file, "123456");
        Files.setLastModifiedTime(file, time);
        assertFault(SourceFault.CHANGED, () -> source.read(object, 0, ByteBuffer.allocate(1)));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(5);
        }
        Files.setLastModifiedTime(file, time);
        source.read(object, 0, ByteBuffer.allocate(1));

        Path other = Files.writeString(folder.resolve("other"), "54321");
        Files.setLastModifiedTime(other, time);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertFault(SourceFault.CHANGED, () -> source.read(object, 0, ByteBuffer.allocate(1)));

        Files.delete(file);
        assertFault(SourceFault.NOT_FOUND, () -> source.read(object, 0, ByteBuffer.allocate(1)));
        Files.createDirectory(file);
        assertFault(SourceFault.CHANGED, () -> source.read(object, 0, ByteBuffer.allocate(1)));
    }

    @Test
    void followsLinksInsideAndRefusesLinksToTheOutside() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("outside")).resolve("secret"), "x");
        write("in/a", "1");
        Files.createSymbolicLink(root.resolve("link"), Path.of("in"));
        Files.createSymbolicLink(root.resolve("secret"), Path.of("../outside/secret"));
        Files.createSymbolicLink(root.resolve("folder"), folder.resolve("outside"));
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
        Files.createSymbolicLink(root.resolve("in/circle"), root);

        assertThat(source.list("link/a")).hasSize(1);
        assertThat(source.list("dangling")).isEmpty();
        assertThat(source.list("in/*")).extracting(DataObject::path).containsExactly("in/a");
        assertFault(SourceFault.NOT_ALLOWED, () -> source.list("secret"));
        assertFault(SourceFault.NOT_ALLOWED, () -> source.list("folder/*"));
        assertFault(SourceFault.NOT_ALLOWED, () -> source.list("**"));
        DataObject forged = new DataObject("folder/secret", 1, ObjectVersion.UNKNOWN);
        assertFault(SourceFault.NOT_ALLOWED, () -> source.read(forged, 0, ByteBuffer.allocate(1)));
    }

    @Test
    void aFileThatBecomesALinkToTheOutsideIsRefused() throws IOException {
        Path file = write("a", "1");
        DataObject object = only("a");
        Path outside = Files.writeString(folder.resolve("b"), "1");
        Files.delete(file);
        Files.createSymbolicLink(file, outside);
        assertFault(SourceFault.NOT_ALLOWED, () -> source.read(object, 0, ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../b", "x/../../b", "x//b"})
    void pathsThatLeaveTheFolderAreNotFound(String path) throws IOException {
        Files.writeString(folder.resolve("b"), "1");
        DataObject object = new DataObject(path, 1, ObjectVersion.UNKNOWN);
        assertFault(SourceFault.NOT_FOUND, () -> source.read(object, 0, ByteBuffer.allocate(1)));
    }

    @Test
    void leavesOutSpecialFiles() throws Exception {
        Process made = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assumeTrue(made.waitFor() == 0, "mkfifo of the package coreutils");
        assertThat(source.list("*")).isEmpty();
    }

    @Test
    void boundsTheList() throws IOException {
        for (int i = 0; i <= OBJECTS_MAX; i++) {
            write("many/" + i, "");
        }
        assertFault(SourceFault.UNSUPPORTED, () -> source.list("many/*"));
        assertThat(source.list("many/1*")).hasSize(12);
    }

    @Test
    void aMissingFolderIsNotFound() {
        try (FolderSource missing = new FolderSource(folder.resolve("missing"), OBJECTS_MAX)) {
            assertFault(SourceFault.NOT_FOUND, () -> missing.list("*"));
        }
    }

    @Test
    void aClosedSourceIsUnreachable() throws IOException {
        write("a", "1");
        DataObject object = only("a");
        source.close();
        assertFault(SourceFault.UNREACHABLE, () -> source.list("*"));
        assertFault(SourceFault.UNREACHABLE, () -> source.read(object, 0, ByteBuffer.allocate(1)));
    }

    @Test
    void anInterruptedReadFailsAndLeavesTheOthersAlone() throws IOException {
        write("a", "1");
        DataObject object = only("a");
        Thread.currentThread().interrupt();
        assertFault(SourceFault.UNREACHABLE, () -> source.read(object, 0, ByteBuffer.allocate(1)));
        assertThat(Thread.interrupted()).isTrue();
        source.read(object, 0, ByteBuffer.allocate(1));
    }
}
