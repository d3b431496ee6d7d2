package io.chimera.queue.journal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.index.RollFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileRemoverTest {
    private static final int FILE_BYTES = 7 << 20;
    private static final int PIECE_BYTES = 2 << 20;

    @TempDir
    private Path folder;

    private JournalDirectory directory;
    private Path start;
    private Path path;
    private FileRemover remover;

    @BeforeEach
    void layAFileDown() throws IOException {
        directory = new JournalDirectory(folder);
        start = Files.createDirectories(folder.resolve("00000001"));
        path = start.resolve("20260521-101500T" + JournalDirectory.FILE_SUFFIX);
        Files.write(path, new byte[FILE_BYTES]);
        remover = new FileRemover(directory, SerialExecutor.inline(), new ManualClock());
    }

    @AfterEach
    void close() throws IOException {
        directory.close();
    }

    @Test
    void theBlocksOfAFileGoPieceByPieceBehindItsName() throws IOException {
        try (FileChannel reader = FileChannel.open(path, StandardOpenOption.READ)) {
            remover.remove(new RollFile(1, path), start);
            assertThat(path).doesNotExist();
            assertThat(reader.size()).as("the last piece goes with the file").isLessThanOrEqualTo(PIECE_BYTES);
        }
    }

    @Test
    void aDamagedFileIsKeptWhole() throws IOException {
        RollFile file = new RollFile(1, path);
        file.markDamaged();
        remover.remove(file, start);
        assertThat(path).doesNotExist();
        try (var aside = Files.walk(folder)) {
            Path kept = aside.filter(
                            each -> each.toString().endsWith(path.getFileName().toString()))
                    .findFirst()
                    .orElseThrow();
            assertThat(kept).hasSize(FILE_BYTES);
        }
    }

    @Test
    void aFileThatIsGoneAlreadyIsNoError() throws IOException {
        Files.delete(path);
        remover.remove(new RollFile(1, path), start);
        assertThat(start).isEmptyDirectory();
    }
}
