package io.chimera.queue.journal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Mark beside a file restored from the archive. A marked file is not archived again. */
public final class RestoredFile {
    private static final String MARK = ".restored";

    private RestoredFile() {}

    public static void mark(Path file) throws IOException {
        Files.write(beside(file), new byte[0]);
    }

    public static boolean isOne(Path file) {
        return Files.exists(beside(file));
    }

    /** Deletes the mark of a deleted file. */
    static void forget(Path file) throws IOException {
        Files.deleteIfExists(beside(file));
    }

    private static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + MARK);
    }
}
